package widgets

import (
	"math"
	"slices"
	"sort"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/chart"
	"wallboard/ui/style"
)

// panel is a part of a chart. All lines of a panel share its scale.
type panel struct {
	format   alert.Format
	ownPanel bool // its figures fluctuate too much to share a scale with others of their unit
	lines    []chartLine
	target   float64 // value at which the target line is drawn; NaN: no line
	chart.Scale
}

// minPanelHeight is the minimum height of a panel in lines: the legend and three lines of chart.
const minPanelHeight = 4

// View draws the chart in h lines of w cells. x and y are the position of the chart on the screen.
func (p *Plot) View(sc *Source, x, y, w, h int) []string {
	lines, more := p.collectLines(sc)
	p.trimStart(sc, lines)
	p.setBaselines(sc, lines)
	p.x, p.y = x, y
	inputs := drawInputs{
		lines: lines, hiddenLines: more, window: p.Window, hasShortHistory: p.hasShortHistory, spanIndex: p.SpanIndex, cursor: p.Cursor,
		width: w, height: h, options: sc.Look.Render, frozen: !sc.Floor.FrozenAt.IsZero(), marks: p.axisMarks(sc),
	}
	if p.drawn == nil || !p.drawnInputs.equals(&inputs) {
		p.drawnInputs = inputs
		p.drawn = p.redraw(sc, lines, w, h, more)
	}
	return slices.Clone(p.drawn)
}

// redraw draws the chart after its inputs have changed. more is the number of lines of the chart
// that are omitted.
func (p *Plot) redraw(sc *Source, lines []chartLine, w, h, more int) []string {
	p.topPanel = chart.Plot{}
	if reason := p.emptyReason(lines); !reason.IsZero() {
		return style.FitLines(sc.Look.Wrap(themes.Dim, sc.Look.Translate(reason), max(w-2, 1)), w, h, sc.Look.Glyphs.Ellipsis)
	}
	panels := panelsOf(sc, lines)
	axisHeight := 2 // lines for the ticks and the labels below them
	if !p.HidesLegend {
		axisHeight++ // another line shows the time at the cursor
	}
	fits := max((h-axisHeight)/minPanelHeight, 1)
	for _, left := range panels[min(fits, len(panels)):] {
		more += len(left.lines)
	}
	panels = panels[:min(fits, len(panels))]
	heights := make([]int, len(panels)) // height of each panel without its legend
	for i := range panels {
		heights[i] = (h - axisHeight + i) / len(panels)
		if !p.HidesLegend {
			heights[i]-- // leaves a line for the legend
		}
		panels[i].setDrawnSamples(w)
		panels[i].setScale(heights[i], sc.Look.ASCII)
	}
	gutter, right := scaleLabelWidth(sc, panels), p.endLabelWidth(sc, panels, w)
	out := make([]string, 0, h)
	for i := range panels {
		c := p.chartOf(sc, &panels[i], w, gutter, right)
		c.Band = panels[i].baselineBand(sc)
		if c.Height = heights[i]; i == len(panels)-1 {
			c.Ticks, c.Marks = p.timeTicks(sc, w-gutter-right-1), p.drawnInputs.marks
			c.Height += 2
		}
		if i == 0 {
			p.topPanel = c
		}
		if !p.HidesLegend {
			out = append(out, p.drawLegend(sc, &panels[i], w, right))
		}
		out = append(out, c.Render(panels[i].chartSeries(sc))...)
	}
	if !p.HidesLegend {
		out = append(out, p.drawFooter(sc, panels, w, more))
	}
	return style.FillLines(out, w, h)
}

// emptyReason returns the reason why there is nothing to draw, or the zero Text if there is
// something.
func (p *Plot) emptyReason(lines []chartLine) words.Text {
	if len(lines) == 0 {
		if len(p.Subjects) > 0 && p.Subjects[0].Scope == alert.User {
			return words.PlotNoAgentFigures()
		}
		return words.PlotNoFigure()
	}
	for i := range lines {
		if lines[i].hasData() {
			return words.Text{}
		}
	}
	return words.PlotNoData(words.LastPeriod(Spans()[p.SpanIndex]))
}

// hasOwnPanel reports whether a figure has a separate panel instead of sharing one with others of
// its unit. The values of such a figure change with every call of a campaign. On a common scale,
// they would hide the number of talking contacts.
func hasOwnPanel(figure string) bool { return figure == "freeResources" || figure == "ringingContacts" }

// panelsOf groups lines into panels by unit, in the order of the first line of each unit. The
// panels of figures with a separate panel come last.
func panelsOf(sc *Source, lines []chartLine) []panel {
	var out []panel
next:
	for i := range lines {
		apart := hasOwnPanel(lines[i].name)
		for j := range out {
			if out[j].format == lines[i].format && out[j].ownPanel == apart {
				out[j].lines = append(out[j].lines, lines[i])
				continue next
			}
		}
		// The lines are copied, because assignGlyphs must not change the lines that the next frame
		// is compared with.
		out = append(out, panel{format: lines[i].format, ownPanel: apart, lines: []chartLine{lines[i]}})
	}
	sort.SliceStable(out, func(i, j int) bool { return !out[i].ownPanel && out[j].ownPanel })
	for i := range out {
		out[i].assignGlyphs(sc)
	}
	return out
}

// assignGlyphs sets the glyph and the color token of each line of the panel. The first line is
// drawn as an area.
func (p *panel) assignGlyphs(sc *Source) {
	for i := range p.lines {
		l := &p.lines[i]
		if i == 0 {
			l.glyph, l.token = sc.Look.AreaGlyph(), themes.Sparkline
			continue
		}
		l.glyph, l.token = sc.Look.SeriesGlyph(i-1), themes.Series1+themes.Token(i-1)
	}
}

func (p *panel) chartSeries(sc *Source) []chart.Series {
	out := make([]chart.Series, len(p.lines))
	for i := range p.lines {
		l := &p.lines[i]
		out[i] = chart.Series{Values: l.drawnSamples, Glyph: l.glyph, Style: sc.Look.Theme.OpenSequence(l.token)}
		if i == 0 { // the area has no glyph; the other lines are drawn in front of it
			out[i].Area = sc.Look.Gradient(l.token)
		}
	}
	return out
}

// scaleLabel returns the shortest label for the value v on a scale with the format f.
func (sc *Source) scaleLabel(f alert.Format, v float64) string {
	if f == alert.Percent {
		return string(sc.Look.Format.Decimal(nil, math.Round(v*1000)/10)) + " %"
	}
	return string(sc.Look.Format.KPI(nil, f.Unit(), model.FigureOf(v)))
}

// chartOf returns the chart of a panel. The caller must set its height. gutter and right are the
// widths of the labels at the left and the right edge.
func (p *Plot) chartOf(sc *Source, group *panel, w, gutter, right int) chart.Plot {
	c := chart.Plot{
		Width: w, ScaleWidth: gutter, EndLabelWidth: right, Scale: group.Scale, Target: group.target, Cursor: p.cursorIndex(), Set: chart.Braille,
		WithGlyphs: sc.Look.Render.BarGlyphs,
		Label:      func(v float64) string { return sc.scaleLabel(group.format, v) },
		AxisStyle:  sc.Look.Theme.OpenSequence(themes.Dim), TargetStyle: sc.Look.Theme.OpenSequence(themes.Text), CursorStyle: sc.Look.Theme.OpenSequence(themes.Accent),
	}
	if sc.Look.ASCII {
		c.Set = chart.ASCII
	}
	if right > 0 {
		c.EndLabels = p.endLabels(sc, group)
	}
	return c
}

// timeTicks returns ticks of the time axis at round times of day, as many as fit into w cells.
func (p *Plot) timeTicks(sc *Source, w int) []chart.Tick {
	const (
		room    = 12 // cells of a label and of the gap to the next label
		seconds = 4  // additional cells of a label that shows seconds
	)
	n := len(p.Window.Samples)
	span := time.Duration(n) * p.Window.Step
	labelStep, clock := 4*time.Hour, "15:04"
	for _, d := range []time.Duration{
		10 * time.Second, 30 * time.Second, time.Minute, 5 * time.Minute, 15 * time.Minute, 30 * time.Minute, time.Hour, 2 * time.Hour,
	} {
		labelWidth, spanText := room, "15:04"
		if d < time.Minute {
			labelWidth, spanText = room+seconds, time.TimeOnly
		}
		if int(span/d)*labelWidth <= w {
			labelStep, clock = d, spanText
			break
		}
	}
	loc := sc.Look.Zone()
	_, zone := p.Window.End.In(loc).Zone()
	east := time.Duration(zone) * time.Second
	first := p.Window.End.Add(-span + p.Window.Step)
	var out []chart.Tick
	for at := first.Add(east).Truncate(labelStep).Add(-east); !at.After(p.Window.End); at = at.Add(labelStep) {
		if !at.Before(first) {
			out = append(out, chart.Tick{Sample: int(at.Sub(first) / p.Window.Step), Label: at.In(loc).Format(clock)})
		}
	}
	if len(out) == 0 { // the axis needs at least one tick
		out = append(out, chart.Tick{Sample: n - 1, Label: p.Window.End.In(loc).Format(clock)})
	}
	return out
}

// drawLegend draws a line with the names of the lines of a panel and their values at the cursor or,
// without a cursor, their current values. right is the width of the labels at the right edge. If
// right is 0, the legend also contains the target. The baseline follows if there is room.
func (p *Plot) drawLegend(sc *Source, group *panel, w, right int) string {
	index := p.cursorIndex()
	if index < 0 {
		index = len(p.Window.Samples) - 1
	}
	l := style.NewLine(w, sc.Look.Glyphs.Ellipsis).Space(themes.Style{}, 1)
	for i := range group.lines {
		line := &group.lines[i]
		f := line.valueAt(index)
		value := sc.Look.Style(themes.Text)
		if !f.Known() {
			value = sc.Look.Style(themes.Unknown)
		}
		current := string(sc.Look.Format.KPI(nil, line.format.Unit(), f))
		if style.Width(line.glyph+" "+line.title+" "+current) > l.RemainingWidth() {
			l.Add(sc.Look.Style(themes.Dim), sc.Look.Glyphs.Ellipsis) // a figure that is cut would be useless
			break
		}
		l.Add(sc.Look.Style(line.token), line.glyph+" ").Add(sc.Look.Style(themes.Text), line.title+" ")
		l.Add(value, current).Space(themes.Style{}, 3)
	}
	if !math.IsNaN(group.target) && right == 0 {
		l.Add(sc.Look.Style(themes.Dim), sc.Look.Translate(words.PlotTarget(sc.scaleLabel(group.format, group.target)))).Space(themes.Style{}, 3)
	}
	group.addBaseline(sc, l, index)
	return l.Finish(themes.Style{})
}

// maxPreciseAge is the maximum age of the first sample for which the footer shows its time with
// seconds.
const maxPreciseAge = 5 * time.Minute

// spanText describes the period that the chart shows: the span or, if hasShortHistory is set, the time
// of the first known sample.
func (p *Plot) spanText(sc *Source, panels []panel) words.Text {
	if !p.hasShortHistory {
		return words.LastPeriod(Spans()[p.SpanIndex])
	}
	first := len(p.Window.Samples)
	for i := range panels {
		for j := range panels[i].lines {
			first = min(first, FirstKnown(panels[i].lines[j].trend.Samples))
		}
	}
	at := p.Window.End.Add(-time.Duration(len(p.Window.Samples)-1-first) * p.Window.Step)
	clock := "15:04"
	if p.Window.End.Sub(at) < maxPreciseAge {
		clock = time.TimeOnly
	}
	return words.PlotSince(at.In(sc.Look.Zone()).Format(clock))
}

// drawFooter returns the line below the chart. It contains the time of the values in the legend, the
// span, the interval of the samples or the number of omitted lines, and the meaning of the marks.
func (p *Plot) drawFooter(sc *Source, panels []panel, w, more int) string {
	timeText, token := words.PlotNow(), themes.Dim
	if !sc.Floor.FrozenAt.IsZero() {
		timeText = words.PlotFrozen()
	}
	if !p.Cursor.IsZero() {
		first := len(p.Window.Samples) - 1 - p.cursorIndex()
		at := p.Window.End.Add(-time.Duration(first) * p.Window.Step)
		timeText, token = words.PlotAt(string(sc.Look.Format.Clock(nil, at))), themes.Accent
	}
	l := style.NewLine(w, sc.Look.Glyphs.Ellipsis)
	l.Add(sc.Look.Style(token), " "+sc.Look.Translate(timeText))
	span := p.spanText(sc, panels)
	long, short := words.PlotEvery(span, int(p.Window.Step/time.Second)), span
	switch {
	case more > 0:
		short = words.PlotEnlarge(more)
		long = words.JoinStatements(span, short)
	case p.Window.Step == time.Minute:
		long = words.PlotEveryMinute(span)
	}
	text := style.FirstFitting(l.RemainingWidth()-2, sc.Look.Translate(long), sc.Look.Translate(short), sc.Look.Translate(span), "")
	if marked := sc.markLegend(p.drawnInputs.marks); style.Width(text+marked)+2 <= l.RemainingWidth() {
		text += marked
	}
	return l.Space(themes.Style{}, 2).Add(sc.Look.Style(themes.Dim), text).Finish(themes.Style{})
}
