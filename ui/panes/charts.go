package panes

import (
	"math"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/ui/look"
	"wallboard/ui/plots"
)

// The charts of the overview: they fill what the tables leave empty.
const leastHistory = 7

// What the agents take below the tables of a large screen, beside the charts.
const (
	crowdWide = 200
	crowdHigh = 12
)

// below draws what a large screen has room for below the tables: everybody at once, and
// how the day went.
func (o *overviewPane) below(sc *Scene, x, y, w, h int) []string {
	const gap = 2
	if w < crowdWide || h < crowdHigh {
		return o.history(sc, w, h)
	}
	if o.agents == nil {
		o.agents = newMapPane(sc, PaneSpec{})
		o.agents.Refresh(sc)
	}
	left := w * 2 / 5
	crowd := append([]string{sc.Look.HeadingAt(left, "Agents", o.agents.status(sc), false)}, o.agents.View(sc, x, y+1, left, h-1)...)
	return look.Beside(crowd, o.history(sc, w-left-gap, h), left, w-left-gap, h)
}

// history draws how the queue and the service level have been since the board
// was started, an hour at most.
func (o *overviewPane) history(sc *Scene, w, h int) []string {
	const gap = 2
	left := (w - gap) / 2
	right := w - gap - left
	waiting := o.chart(sc, 0, "Waiting", left, h)
	level := o.chart(sc, 1, "Service level", right, h)
	out := look.Beside(waiting, level, left, right, h)
	sc.Floor.FadeOld(sc.Look, out, model.OpServices)
	return out
}

// chart draws one of the figures under a heading.
func (o *overviewPane) chart(sc *Scene, at int, title string, w, h int) []string {
	figure := [...]string{figureWaiting, figureServiceLevel}[at]
	p := &o.charts[at]
	if p.About == nil {
		*p = plots.Plot{About: []alert.Key{{Scope: alert.Floor}}, KPIs: []string{figure}, Span: plots.SpanFor(FloorSpan), Bare: true}
	}
	lines := p.View(sc.Charts(), 0, 0, w, h-1)
	return append([]string{sc.Look.Heading(w, title, o.peak(sc, figure, p.Window.Samples), false)}, lines...)
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
