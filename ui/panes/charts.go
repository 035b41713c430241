package panes

import (
	"math"
	"strconv"
	"time"

	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/chart"
	"wallboard/ui/look"
)

// The charts of the overview: they fill what the tables leave empty.
const (
	leastHistory = 8
	mostHistory  = 16
	// leastCovered is how much time a chart covers at least.
	leastCovered = 2 * time.Minute
)

// history draws how the queue and the service level have been since the board
// was started, an hour at most.
func (o *overviewPane) history(sc *Scene, w, h int) []string {
	const gap = 2
	left := (w - gap) / 2
	right := w - gap - left
	waiting := o.chart(sc, figureWaiting, "Waiting", chart.Trend{Width: left - 2, Height: h - 2})
	level := o.chart(sc, figureServiceLevel, "Service level", chart.Trend{Width: right - 2, Height: h - 2, Max: 1})
	out := look.Beside(waiting, level, left, right, h)
	sc.Floor.FadeOld(sc.Look, out, model.OpServices)
	return out
}

// chart draws one figure under a heading, and the time that it covers.
func (o *overviewPane) chart(sc *Scene, figure string, title string, t chart.Trend) []string {
	if sc.Look.ASCII {
		t.Set = chart.ASCII
	}
	t.Style = sc.Look.Theme.SGR(themes.Sparkline)
	trend := sc.FloorTrend(figure)
	values := trend.Samples
	w := t.Width + 2
	columns := t.Width
	if !sc.Look.ASCII {
		columns *= 2 // a cell of Braille has two
	}
	// A board that was just started would draw an hour's worth of nothing: its
	// few samples are drawn wider.
	wide := max(1, columns/max(len(values), int(leastCovered/trend.Step)))
	out := []string{sc.Look.Heading(w, title, o.peak(sc, figure, values), false)}
	for _, l := range t.Render(stretch(values, wide)) {
		out = append(out, " "+l+" ")
	}
	covers := time.Duration(max(columns/wide, len(values))) * trend.Step
	axis := look.NewLine(w, sc.Look.Glyphs.Ellipsis)
	dim := sc.Look.Style(themes.Dim)
	axis.Add(dim, " "+strconv.Itoa(int(covers.Round(time.Minute)/time.Minute))+" min ago")
	axis.Space(themes.Style{}, axis.Room()-len("now")-1).Add(dim, "now")
	return append(out, axis.End(themes.Style{}))
}

// stretch draws each sample n times.
func stretch(values []float64, n int) []float64 {
	if n == 1 {
		return values
	}
	out := make([]float64, 0, n*len(values))
	for _, v := range values {
		for range n {
			out = append(out, v)
		}
	}
	return out
}

// peak says what the highest or, of the service level, the lowest value was.
func (o *overviewPane) peak(sc *Scene, figure string, values []float64) string {
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if !math.IsNaN(v) && !math.IsInf(v, 1) { // n/a
			low, high = min(low, v), max(high, v)
		}
	}
	switch {
	case high < low:
		return ""
	case figure == figureServiceLevel:
		return "lowest " + sc.Look.Share(low)
	}
	return "most " + string(sc.Look.Format.Decimal(nil, high))
}
