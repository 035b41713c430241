package history

import (
	"math"
	"slices"
	"strconv"
	"time"

	"wallboard/internal/phrases"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/contact"
	"wallboard/themes"
	"wallboard/ui/chart"
	"wallboard/ui/style"
)

// comparison draws the comparison of a day with its baseline for one kind of contact.
type comparison struct {
	look *style.Look
	contact.Comparison

	reference time.Time // the day to compare with; zero: the typical day
}

// comparedWith returns the name of the baseline: the date of the reference day, or the argument
// typical if there is none.
func (c *comparison) comparedWith(typical string) string {
	if c.reference.IsZero() {
		return typical
	}
	return c.reference.Format("Mon 2 Jan")
}

// changeText returns the change from the baseline in percent, and its color token.
func (c *comparison) changeText() (themes.Token, string) {
	share, ok := c.Change()
	if !ok {
		return themes.Unknown, string(c.look.Format.Unknown(nil))
	}
	token := themes.Dim
	if v := c.Volume(); v == contact.More || v == contact.Fewer {
		token = themes.Accent
	}
	return token, model.SignedPercent(share)
}

// describeBaseline describes the baseline in at most w cells. It returns "" if there is not enough
// room.
func (c *comparison) describeBaseline(w int) string {
	u := c.SoFar
	switch {
	case u.Days == 0:
		if !c.reference.IsZero() {
			return "no data for " + c.comparedWith("")
		}
		return words.VolumeText(contact.NotComparable).In(c.look.Format.Words)
	case !c.reference.IsZero():
		return style.FirstFitting(w, c.comparedWith("")+": "+c.formatNumber(u.Median)+c.comparedUntil(), c.formatNumber(u.Median), "")
	case !c.Day.AnyHourKnown():
		return "typical " + c.formatNumber(u.Median) + c.dayCount()
	}
	text := words.VolumeText(c.Volume()).In(c.look.Format.Words)
	median := text + ": " + c.formatNumber(u.Median) + c.comparedUntil()
	mostly := median + ", range " + c.formatNumber(u.Low) + " to " + c.formatNumber(u.High)
	return style.FirstFitting(w, mostly+c.dayCount(), mostly, median, text, "")
}

// comparedUntil says until which time of day an unfinished day is compared. It returns "" for a
// finished day.
func (c *comparison) comparedUntil() string {
	if n := len(c.Day.Hours); n == 0 || c.Day.Hours[n-1].Known && !c.Day.Hours[n-1].Partial {
		return ""
	}
	return " by " + phrases.Clock(c.Day.At, nil)
}

// dayCount returns the number and the weekday of the days that the baseline is computed from, in
// words.
func (c *comparison) dayCount() string {
	if c.SoFar.Days == 1 {
		return " on 1 " + c.Baseline.Weekday.String()
	}
	return " on " + strconv.Itoa(c.SoFar.Days) + " " + c.Baseline.Weekday.String() + "s"
}

func formatNumber(lk *style.Look, v float64) string { return string(lk.Format.Mean(nil, v)) }

func (c *comparison) formatNumber(v float64) string { return formatNumber(c.look, v) }

// busyHours returns the hours from one before the first busy hour to one after the last. If no hour
// is busy, it returns all hours.
func (c *comparison) busyHours() []contact.Hour {
	const minShare = 0.02 // an hour is busy if it has at least this share of the busiest hour
	all := c.Day.Hours
	busy := func(h contact.Hour) float64 { return max(float64(h.Count), c.Baseline.Hours[h.Start.Hour()].High) }
	maximum := 0.0
	for _, h := range all {
		maximum = max(maximum, busy(h))
	}
	from, to := len(all), 0
	for i, h := range all {
		if v := busy(h); v > 0 && v >= minShare*maximum {
			from, to = min(from, i), i+1
		}
	}
	if from >= to {
		return all
	}
	return all[max(from-1, 0):min(to+1, len(all))]
}

// hourlySeries holds the series in the chart of a day, with a value for each hour, and the largest
// value.
type hourlySeries struct {
	day, soFar, typical, low, high []float64
	maximum                        float64
}

func (c *comparison) seriesOf(hours []contact.Hour) hourlySeries {
	var out hourlySeries
	value := func(known bool, v float64) float64 {
		if !known {
			return math.NaN()
		}
		out.maximum = max(out.maximum, v)
		return v
	}
	for _, hour := range hours {
		u, n := c.Baseline.Hours[hour.Start.Hour()], float64(hour.Count)
		out.day = append(out.day, value(hour.Known && !hour.Partial, n)) // omits an unfinished hour, which would look like a drop
		out.soFar = append(out.soFar, value(hour.Known && hour.Partial, n))
		out.typical = append(out.typical, value(u.Days > 0, u.Median))
		out.low, out.high = append(out.low, value(u.Days > 0, u.Low)), append(out.high, value(u.Days > 0, u.High))
	}
	return out
}

// drawPlot draws a chart of the day by hour, with the median and the quartiles of the baseline.
func (c *comparison) drawPlot(w, h int) []string {
	hours := c.busyHours()
	of := c.seriesOf(hours)
	const axis = 2
	scale := chart.RoundScale(0, max(of.maximum, 5), max((h-1-axis)/3, 1), chart.LabelSteps(of.maximum, true)...)
	plot := chart.Plot{
		Width: w, Height: h - 1, Scale: scale.WithEvenLabels(max(of.maximum, 5), h-1-axis, c.look.ASCII),
		Target: math.NaN(), Cursor: -1, Set: chart.Braille, WithGlyphs: c.look.Render.BarGlyphs,
		Label: c.formatNumber, AxisStyle: c.look.Theme.OpenSequence(themes.Dim), CursorStyle: c.look.Theme.OpenSequence(themes.Accent),
		Band: c.look.Band(of.low, of.high),
	}
	if c.look.ASCII {
		plot.Set = chart.ASCII
	}
	if !c.reference.IsZero() {
		plot.Band = chart.Band{}
	}
	plot.ScaleWidth = max(style.Width(c.formatNumber(plot.Max)), style.Width(c.formatNumber(plot.Step)), 2) + 1
	const room = 10 // cells of a label and the gap before the next label
	every := 12
	for _, n := range []int{6, 3, 2, 1} {
		if len(hours)/n*room <= w {
			every = n
		}
	}
	for i, hour := range hours {
		if hour.Start.Hour()%every == 0 {
			plot.Ticks = append(plot.Ticks, chart.Tick{Sample: i, Label: phrases.Clock(hour.Start, nil)})
		}
	}
	series := []chart.Series{
		{Values: of.day, Area: c.look.Gradient(themes.Sparkline)},
		{Values: of.soFar, Area: c.partialShades()},
		{Values: of.typical, Glyph: c.look.SeriesGlyph(0), Style: c.look.Theme.OpenSequence(themes.Dim)},
	}
	partial := slices.ContainsFunc(hours, func(h contact.Hour) bool { return h.Known && h.Partial })
	return append([]string{c.legend(&plot.Band, partial, w)}, plot.Render(series)...)
}

// partialShades returns the shades of the area for an unfinished hour. On a terminal with few
// colors, they are the same as for other areas.
func (c *comparison) partialShades() []chart.Shade {
	edge, dim := c.look.Gradient(themes.Sparkline), c.look.Gradient(themes.Dim)
	if len(edge) < 2 || len(dim) < 2 {
		return edge
	}
	return []chart.Shade{dim[len(dim)/2], edge[len(edge)-1]}
}

// legend draws the legend of the chart. partial means that the chart contains an unfinished hour.
func (c *comparison) legend(band *chart.Band, partial bool, w int) string {
	l := style.NewLine(w, c.look.Glyphs.Ellipsis).Space(themes.Style{}, 1)
	dim, text := c.look.Style(themes.Dim), c.look.Style(themes.Text)
	l.Add(c.look.Style(themes.Sparkline), c.look.AreaGlyph()).Add(text, " "+c.Day.Kind.String()+" an hour   ")
	if shades := c.partialShades(); partial && len(shades) > 1 && !c.look.ASCII {
		sample := chart.Band{Glyph: c.look.AreaGlyph(), Shade: chart.Shade{Fg: shades[0].Fg}}
		l.AddRaw(sample.LegendSample(), 1).Add(text, " so far   ")
	}
	l.Add(dim, c.look.SeriesGlyph(0)).Add(text, " "+c.comparedWith("typical (median)")+"   ")
	if !c.reference.IsZero() {
		return l.End(themes.Style{})
	}
	if label := style.FirstFitting(l.Room()-1, " middle half of days", " quartiles", ""); label != "" {
		l.AddRaw(band.LegendSample(), 1).Add(dim, label)
	}
	return l.End(themes.Style{})
}

// drawHours draws a table with the count, the baseline and the change for each hour.
func (c *comparison) drawHours() []string {
	usually, between := "typical", "range"
	if !c.reference.IsZero() {
		usually, between = "then", ""
	}
	head := " hour " + style.PadLeft("count", 8) + style.PadLeft(usually, 8) + style.PadLeft(between, 11) + style.PadLeft("change", 9)
	out := []string{style.NewLine(hoursWidth, c.look.Glyphs.Ellipsis).Add(c.look.Style(themes.Header), head).End(themes.Style{})}
	for _, hour := range c.Day.Hours {
		l := style.NewLine(hoursWidth, c.look.Glyphs.Ellipsis)
		unknown := string(c.look.Format.Unknown(nil))
		count, typical, mostly, change := unknown, unknown, unknown, ""
		u := c.Baseline.Hours[hour.Start.Hour()]
		if hour.Known {
			count = c.look.Count(hour.Count)
		}
		if u.Days > 0 {
			typical, mostly = c.formatNumber(u.Median), c.formatNumber(u.Low)+"-"+c.formatNumber(u.High)
		}
		if !c.reference.IsZero() {
			mostly = ""
		}
		token := themes.Dim
		switch {
		case hour.Known && hour.Partial:
			change = "so far"
		case hour.Known && u.Days > 0 && u.Median > 0:
			change = model.SignedPercent(float64(hour.Count)/u.Median - 1)
			if n := float64(hour.Count); n > u.High || n < u.Low {
				token = themes.Accent
			}
		}
		l.Add(c.look.Style(themes.Dim), " "+phrases.Clock(hour.Start, nil)).Add(c.look.Style(themes.Digits), style.PadLeft(count, 8))
		l.Add(c.look.Style(themes.Text), style.PadLeft(typical, 8)).Add(c.look.Style(themes.Dim), style.PadLeft(mostly, 11))
		out = append(out, l.Add(c.look.Style(token), style.PadLeft(change, 9)).End(themes.Style{}))
	}
	return out
}
