package plots

import (
	"math"
	"slices"
	"strconv"
	"time"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/chart"
	"wallboard/ui/look"
)

// panel is the lines of a chart that share a scale.
type panel struct {
	format   alert.Format
	lines    []line
	low, top float64
	target   float64
}

// leastPanel is the least height of a panel: the line that names its figures,
// and three to draw on.
const leastPanel = 4

// View draws the chart in h lines of w cells.
func (p *Plot) View(sc *Source, x, y, w, h int) []string {
	lines, more := p.lines(sc)
	p.begin(sc, lines)
	p.x, p.y = x, y
	from := source{
		lines: lines, more: more, window: p.Window, young: p.young, span: p.Span, cursor: p.Cursor,
		w: w, h: h, look: sc.Look.Render, frozen: !sc.Floor.Frozen.IsZero(),
	}
	if p.out == nil || !p.from.same(&from) {
		p.out, p.from = p.draw(sc, lines, w, h, more), from
	}
	return slices.Clone(p.out)
}

// draw is view where anything has changed.
func (p *Plot) draw(sc *Source, lines []line, w, h, more int) []string {
	p.drawn = chart.Plot{}
	if why := p.why(lines); why != "" {
		return look.FitLines(sc.Look.Said(themes.Dim, why, max(w-2, 1)), w, h, sc.Look.Glyphs.Ellipsis)
	}
	panels := panelsOf(lines)
	const below = 3 // ticks, their labels, and the line of the cursor
	fits := max((h-below)/leastPanel, 1)
	for _, left := range panels[min(fits, len(panels)):] {
		more += len(left.lines)
	}
	panels = panels[:min(fits, len(panels))]
	gutter := gutterOf(sc, panels)
	room := h - below
	out := make([]string, 0, h)
	for i := range panels {
		height := (room+i)/len(panels) - 1
		c := p.frame(sc, &panels[i], w, gutter)
		if c.Height = height; i == len(panels)-1 {
			c.Ticks = p.ticks(sc, w-gutter-1)
			c.Height += 2
		}
		if i == 0 {
			p.drawn = c
		}
		out = append(out, p.legend(sc, &panels[i], w))
		out = append(out, c.Render(panels[i].series(sc))...)
	}
	return look.FitLines(append(out, p.foot(sc, panels, w, more)), w, h, sc.Look.Glyphs.Ellipsis)
}

// why says why there is nothing to draw, "" when there is.
func (p *Plot) why(lines []line) string {
	if len(lines) == 0 {
		if len(p.About) > 0 && p.About[0].Scope == alert.User {
			return "No figures of agents are kept. A [[kpi]] with scope = \"user\" in the configuration has them kept for the shift."
		}
		return "There is no figure to draw here."
	}
	for i := range lines {
		if lines[i].known() {
			return ""
		}
	}
	return "Nothing is known of the last " + spanWords(p.Span) + ": the board remembers what it has seen since it was started, " +
		"every " + stepWords(p.Window.Step) + "."
}

// spanWords is a span as people say it.
func spanWords(span int) string { return [...]string{"15 minutes", "hour", "8 hours"}[span] }

// stepWords is the time between two samples as people say it.
func stepWords(d time.Duration) string {
	if d == time.Minute {
		return "minute"
	}
	return strconv.Itoa(int(d/time.Second)) + " seconds"
}

// panelsOf puts lines of one unit together, in the order of the first of each.
func panelsOf(lines []line) []panel {
	var out []panel
next:
	for i := range lines {
		for j := range out {
			if out[j].format == lines[i].format {
				out[j].lines = append(out[j].lines, lines[i])
				continue next
			}
		}
		out = append(out, panel{format: lines[i].format, lines: lines[i : i+1 : i+1]})
	}
	for i := range out {
		out[i].scale()
	}
	return out
}

// scale finds the ends of the panel's scale. Shares are drawn from 0 to 100 %:
// a line that goes up and down by a point must not look like a mountain.
func (p *panel) scale() {
	p.target = math.NaN()
	low, top := 0.0, 0.0
	note := func(v float64) {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			low, top = min(low, v), max(top, v)
		}
	}
	for i := range p.lines {
		for _, v := range p.lines[i].trend.Samples {
			note(v)
		}
		if t, ok := p.lines[i].target.Get(); ok && math.IsNaN(p.target) {
			p.target = t
			note(t)
		}
	}
	switch {
	case p.format == alert.Percent && top <= 1:
		top = 1
	case p.format == alert.Duration:
		top = niceSeconds(top)
	default:
		top = chart.NiceMax(top)
	}
	if low < 0 {
		low = -chart.NiceMax(-low)
	}
	p.low, p.top = low, top
}

// niceSeconds returns an upper end of a scale of durations.
func niceSeconds(v float64) float64 {
	for _, s := range []float64{10, 20, 30, 60, 120, 240, 360, 600, 1200, 1800, 3600, 7200, 14400} {
		if v <= s {
			return s
		}
	}
	return 3600 * chart.NiceMax(v/3600)
}

func (p *panel) series(sc *Source) []chart.Series {
	out := make([]chart.Series, len(p.lines))
	for i := range p.lines {
		l := &p.lines[i]
		out[i] = chart.Series{Values: l.trend.Samples, Glyph: l.glyph, Style: sc.Look.Theme.SGR(l.token)}
	}
	return out
}

// scaleLabel is a value of a scale, as short as it can be said.
func (sc *Source) scaleLabel(f alert.Format, v float64) string {
	if f == alert.Percent {
		return string(sc.Look.Format.Decimal(nil, v*100)) + " %"
	}
	return string(sc.Look.Format.KPI(nil, f, model.FigureOf(v)))
}

// gutterOf is how wide the labels of all scales are, so that their charts stand
// under each other.
func gutterOf(sc *Source, panels []panel) int {
	w := 0
	for i := range panels {
		p := &panels[i]
		for _, v := range []float64{p.low, p.top, p.low + (p.top-p.low)/2} {
			w = max(w, look.Width(sc.scaleLabel(p.format, v)))
		}
	}
	return w + 1
}

// frame is the chart of a panel but for its height.
func (p *Plot) frame(sc *Source, of *panel, w, gutter int) chart.Plot {
	c := chart.Plot{
		Width: w, Gutter: gutter, Min: of.low, Max: of.top, Target: of.target, Cursor: p.cursorAt(), Set: chart.Braille,
		Label: func(v float64) string { return sc.scaleLabel(of.format, v) },
		Axis:  sc.Look.Theme.SGR(themes.Dim), TargetStyle: sc.Look.Theme.SGR(themes.Border), CursorStyle: sc.Look.Theme.SGR(themes.Accent),
	}
	if sc.Look.ASCII {
		c.Set = chart.ASCII
	}
	return c
}

// ticks are round times of the site's clock, as many as there is room for.
func (p *Plot) ticks(sc *Source, w int) []chart.Tick {
	const room = 12 // of a label and the gap to the next
	n := len(p.Window.Samples)
	span := time.Duration(n) * p.Window.Step
	every := 4 * time.Hour
	for _, d := range []time.Duration{time.Minute, 5 * time.Minute, 15 * time.Minute, 30 * time.Minute, time.Hour, 2 * time.Hour} {
		if int(span/d)*room <= w {
			every = d
			break
		}
	}
	loc := sc.Look.Zone()
	_, zone := p.Window.End.In(loc).Zone()
	east := time.Duration(zone) * time.Second
	first := p.Window.End.Add(-span + p.Window.Step)
	var out []chart.Tick
	for at := first.Add(east).Truncate(every).Add(-east); !at.After(p.Window.End); at = at.Add(every) {
		if !at.Before(first) {
			out = append(out, chart.Tick{At: int(at.Sub(first) / p.Window.Step), Label: at.In(loc).Format("15:04")})
		}
	}
	if len(out) == 0 { // the axis is there even so
		out = append(out, chart.Tick{At: n - 1, Label: p.Window.End.In(loc).Format("15:04")})
	}
	return out
}

// legend names the lines of a panel, with their values under the cursor or now.
func (p *Plot) legend(sc *Source, of *panel, w int) string {
	at := p.cursorAt()
	if at < 0 {
		at = len(p.Window.Samples) - 1
	}
	l := look.NewLine(w, sc.Look.Glyphs.Ellipsis).Space(themes.Style{}, 1)
	for i := range of.lines {
		line := &of.lines[i]
		f := line.at(at)
		value := sc.Look.Style(themes.Text)
		if !f.Known() {
			value = sc.Look.Style(themes.Unknown)
		}
		now := string(sc.Look.Format.KPI(nil, line.format, f))
		if look.Width(line.glyph+" "+line.title+" "+now) > l.Room() {
			l.Add(sc.Look.Style(themes.Dim), sc.Look.Glyphs.Ellipsis) // half of a figure is none
			break
		}
		l.Add(sc.Look.Style(line.token), line.glyph+" ").Add(sc.Look.Style(themes.Text), line.title+" ")
		l.Add(value, now).Space(themes.Style{}, 3)
	}
	if !math.IsNaN(of.target) {
		l.Add(sc.Look.Style(themes.Dim), "target "+sc.scaleLabel(of.format, of.target))
	}
	return l.End(themes.Style{})
}

// spanned says how much of the past there is to see.
func (p *Plot) spanned(sc *Source, of []panel) string {
	if !p.young {
		return "the last " + spanWords(p.Span)
	}
	first := len(p.Window.Samples)
	for i := range of {
		for j := range of[i].lines {
			first = min(first, Begun(of[i].lines[j].trend.Samples))
		}
	}
	at := p.Window.End.Add(-time.Duration(len(p.Window.Samples)-1-first) * p.Window.Step)
	return "since " + at.In(sc.Look.Zone()).Format("15:04")
}

// foot says what time the values are of, and what could not be drawn.
func (p *Plot) foot(sc *Source, of []panel, w, more int) string {
	when, token := "now", themes.Dim
	if !sc.Floor.Frozen.IsZero() {
		when = "frozen"
	}
	if !p.Cursor.IsZero() {
		first := len(p.Window.Samples) - 1 - p.cursorAt()
		at := p.Window.End.Add(-time.Duration(first) * p.Window.Step)
		when, token = "at "+string(sc.Look.Format.Clock(nil, at)), themes.Accent
	}
	l := look.NewLine(w, sc.Look.Glyphs.Ellipsis)
	l.Add(sc.Look.Style(token), " "+when)
	said := p.spanned(sc, of)
	if more > 0 {
		missing := sc.Look.Count(more) + " more need a larger screen"
		if both := said + " " + sc.Look.Glyphs.Dot + " " + missing; look.Width(both)+2 <= l.Room() {
			missing = both
		}
		said = missing
	} else {
		said += ", a value every " + stepWords(p.Window.Step)
	}
	return l.Space(themes.Style{}, 2).Add(sc.Look.Style(themes.Dim), said).End(themes.Style{})
}
