package history

import (
	"math"
	"slices"
	"time"

	"wallboard/internal/textformat"
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

// changeText returns the change from the baseline in percent, and its color token.
func (c *comparison) changeText() (themes.Token, string) {
	share, ok := c.Change()
	if !ok {
		return themes.Unknown, string(c.look.Format.Unknown(nil))
	}
	token := themes.Dim
	if v := c.Volume(); v == contact.VolumeMore || v == contact.VolumeFewer {
		token = themes.Accent
	}
	return token, model.SignedPercent(share)
}

// describeBaseline describes the baseline in at most w cells. It returns "" if there is not enough
// room.
func (c *comparison) describeBaseline(w int) string {
	u := c.SoFar
	lk := c.look
	days := words.HistoryDays(u.Days, words.Weekday(c.Baseline.Weekday), words.Weekdays(c.Baseline.Weekday))
	switch {
	case u.Days == 0 && !c.reference.IsZero():
		return lk.Translate(words.HistoryNoDataFor(words.ShortDate(c.reference)))
	case u.Days == 0:
		return lk.Translate(words.VolumeText(contact.VolumeNotComparable))
	case !c.reference.IsZero():
		return style.FirstFitting(w, lk.Translate(c.countText(words.ShortDate(c.reference))), c.formatNumber(u.Median), "")
	case !c.Day.AnyHourKnown():
		return lk.Translate(words.HistoryTypicalOn(c.formatNumber(u.Median), days))
	}
	volume, low, high := words.VolumeText(c.Volume()), c.formatNumber(u.Low), c.formatNumber(u.High)
	median := c.countText(volume)
	return style.FirstFitting(w, lk.Translate(words.HistoryCountRangeOn(median, low, high, days)), lk.Translate(words.HistoryCountRange(median, low, high)),
		lk.Translate(median), lk.Translate(volume), "")
}

// countText returns a phrase with the typical number of contacts. For an unfinished day, it says until which time of day
// they are counted. what describes the number.
func (c *comparison) countText(what words.Text) words.Text {
	median := c.formatNumber(c.SoFar.Median)
	if n := len(c.Day.Hours); n == 0 || c.Day.Hours[n-1].Known && !c.Day.Hours[n-1].Partial {
		return words.HistoryCount(what, median)
	}
	return words.HistoryCountBy(what, median, words.ClockOf(c.Day.At, nil))
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
	day, partialHour, typical, low, high []float64
	maximum                              float64
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
		out.partialHour = append(out.partialHour, value(hour.Known && hour.Partial, n))
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
	labelStep := 12
	for _, n := range []int{6, 3, 2, 1} {
		if len(hours)/n*room <= w {
			labelStep = n
		}
	}
	for i, hour := range hours {
		if hour.Start.Hour()%labelStep == 0 {
			plot.Ticks = append(plot.Ticks, chart.Tick{Sample: i, Label: textformat.Clock(hour.Start, nil)})
		}
	}
	series := []chart.Series{
		{Values: of.day, Area: c.look.Gradient(themes.Sparkline)},
		{Values: of.partialHour, Area: c.unfinishedHourShades()},
		{Values: of.typical, Glyph: c.look.SeriesGlyph(0), Style: c.look.Theme.OpenSequence(themes.Dim)},
	}
	partial := slices.ContainsFunc(hours, func(h contact.Hour) bool { return h.Known && h.Partial })
	return append([]string{c.legend(&plot.Band, partial, w)}, plot.Render(series)...)
}

// unfinishedHourShades returns the shades of the area for an unfinished hour. On a terminal with few
// colors, they are the same as for other areas.
func (c *comparison) unfinishedHourShades() []chart.Shade {
	edge, dim := c.look.Gradient(themes.Sparkline), c.look.Gradient(themes.Dim)
	if len(edge) < 2 || len(dim) < 2 {
		return edge
	}
	return []chart.Shade{dim[len(dim)/2], edge[len(edge)-1]}
}

// legend draws the legend of the chart. partial means that the chart contains an unfinished hour.
func (c *comparison) legend(band *chart.Band, partial bool, w int) string {
	l := style.NewLine(w, c.look.Glyphs.Ellipsis).Space(themes.Style{}, 1)
	lk, dim, text := c.look, c.look.Style(themes.Dim), c.look.Style(themes.Text)
	const gap = 3 // cells between the entries
	l.Add(c.look.Style(themes.Sparkline), c.look.AreaGlyph()).Add(text, " "+lk.Translate(words.HistoryPerHour(kindNamesOf(c.Day.Kind).plural))).Space(themes.Style{}, gap)
	if shades := c.unfinishedHourShades(); partial && len(shades) > 1 && !c.look.ASCII {
		sample := chart.Band{Glyph: c.look.AreaGlyph(), Shade: chart.Shade{Fg: shades[0].Fg}}
		l.AddRaw(sample.LegendSample(), 1).Add(text, " "+lk.Translate(words.HistorySoFar())).Space(themes.Style{}, gap)
	}
	comparedWith := words.HistoryTypicalMedian()
	if !c.reference.IsZero() {
		comparedWith = words.ShortDate(c.reference)
	}
	l.Add(dim, c.look.SeriesGlyph(0)).Add(text, " "+lk.Translate(comparedWith)).Space(themes.Style{}, gap)
	if !c.reference.IsZero() {
		return l.Finish(themes.Style{})
	}
	if label := style.FirstFitting(l.RemainingWidth()-1, " "+lk.Translate(words.HistoryMiddleHalf()), " "+lk.Translate(words.HistoryQuartiles()), ""); label != "" {
		l.AddRaw(band.LegendSample(), 1).Add(dim, label)
	}
	return l.Finish(themes.Style{})
}

// hourTable holds the titles and the widths in cells of the columns of the table of hours.
type hourTable struct {
	titles [5]string
	widths [5]int
}

func (c *comparison) newHourTable() hourTable {
	titles := [...]words.Text{
		words.HistoryColumnHour(), words.HandoverCount(), words.HistoryColumnTypical(), words.HistoryColumnRange(), words.HistoryColumnChange(),
	}
	if !c.reference.IsZero() {
		titles[2], titles[3] = words.HistoryColumnThen(), words.Text{}
	}
	t := hourTable{widths: [...]int{6, 8, 8, 11, 9}}
	for i := range titles {
		t.titles[i] = c.look.Translate(titles[i])
		t.widths[i] = max(t.widths[i], style.Width(t.titles[i])+1)
	}
	return t
}

// width returns the width of the table in cells, with a margin of two cells.
func (t *hourTable) width() int {
	w := 2
	for _, column := range t.widths {
		w += column
	}
	return w
}

// drawHours draws a table with the count, the baseline and the change for each hour.
func (c *comparison) drawHours(t *hourTable) []string {
	w := t.width()
	head := style.NewLine(w, c.look.Glyphs.Ellipsis)
	for i, title := range t.titles {
		if i == 0 {
			title = style.Fit(" "+title, t.widths[0], "")
		}
		head.Add(c.look.Style(themes.Header), style.PadLeft(title, t.widths[i]))
	}
	out := []string{head.Finish(themes.Style{})}
	for _, hour := range c.Day.Hours {
		l := style.NewLine(w, c.look.Glyphs.Ellipsis)
		unknown := string(c.look.Format.Unknown(nil))
		count, typical, typicalSpan, change := unknown, unknown, unknown, ""
		u := c.Baseline.Hours[hour.Start.Hour()]
		if hour.Known {
			count = c.look.FormatCount(hour.Count)
		}
		if u.Days > 0 {
			typical, typicalSpan = c.formatNumber(u.Median), c.formatNumber(u.Low)+"-"+c.formatNumber(u.High)
		}
		if !c.reference.IsZero() {
			typicalSpan = ""
		}
		token := themes.Dim
		switch {
		case hour.Known && hour.Partial:
			change = c.look.Translate(words.HistorySoFar())
		case hour.Known && u.Days > 0 && u.Median > 0:
			change = model.SignedPercent(float64(hour.Count)/u.Median - 1)
			if n := float64(hour.Count); n > u.High || n < u.Low {
				token = themes.Accent
			}
		}
		l.Add(c.look.Style(themes.Dim), style.Fit(" "+textformat.Clock(hour.Start, nil), t.widths[0], "")).Add(c.look.Style(themes.Digits), style.PadLeft(count, t.widths[1]))
		l.Add(c.look.Style(themes.Text), style.PadLeft(typical, t.widths[2])).Add(c.look.Style(themes.Dim), style.PadLeft(typicalSpan, t.widths[3]))
		out = append(out, l.Add(c.look.Style(token), style.PadLeft(change, t.widths[4])).Finish(themes.Style{}))
	}
	return out
}
