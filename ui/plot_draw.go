package ui

import (
	"math"
	"slices"
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
	lines    []plotLine
	low, top float64
	target   float64
}

// leastPanel is the least height of a panel: the line that names its figures,
// and three to draw on.
const leastPanel = 4

// view draws the chart in h lines of w cells.
func (p *plot) view(sc *scene, x, y, w, h int) []string {
	lines, more := p.lines(sc)
	p.begin(sc, lines)
	p.x, p.y = x, y
	from := plotSource{
		lines: lines, more: more, window: p.window, young: p.young, span: p.span, cursor: p.cursor,
		w: w, h: h, look: sc.look.Render, frozen: !sc.floor.Frozen.IsZero(),
	}
	if p.out == nil || !p.from.same(&from) {
		p.out, p.from = p.draw(sc, lines, w, h, more), from
	}
	return slices.Clone(p.out)
}

// draw is view where anything has changed.
func (p *plot) draw(sc *scene, lines []plotLine, w, h, more int) []string {
	p.drawn = chart.Plot{}
	if why := p.why(lines); why != "" {
		return look.FitLines(sc.look.Said(themes.Dim, why, max(w-2, 1)), w, h, sc.look.Glyphs.Ellipsis)
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
	return look.FitLines(append(out, p.foot(sc, panels, w, more)), w, h, sc.look.Glyphs.Ellipsis)
}

// why says why there is nothing to draw, "" when there is.
func (p *plot) why(lines []plotLine) string {
	if len(lines) == 0 {
		if len(p.about) > 0 && p.about[0].Scope == alert.User {
			return "No figures of agents are kept. A [[kpi]] with scope = \"user\" in the configuration has them kept for the shift."
		}
		return "There is no figure to draw here."
	}
	for i := range lines {
		if lines[i].known() {
			return ""
		}
	}
	return "Nothing is known of the last " + spanWords(p.span) + ": the board remembers what it has seen since it was started, " +
		"every " + stepWords(p.window.Step) + "."
}

// spanWords is a span as people say it.
func spanWords(span int) string { return [...]string{"15 minutes", "hour", "8 hours"}[span] }

// stepWords is the time between two samples as people say it.
func stepWords(d time.Duration) string {
	if d == time.Minute {
		return "minute"
	}
	return itoa(int(d/time.Second)) + " seconds"
}

// panelsOf puts lines of one unit together, in the order of the first of each.
func panelsOf(lines []plotLine) []panel {
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

func (p *panel) series(sc *scene) []chart.Series {
	out := make([]chart.Series, len(p.lines))
	for i := range p.lines {
		l := &p.lines[i]
		out[i] = chart.Series{Values: l.trend.Samples, Glyph: l.glyph, Style: sc.look.Theme.SGR(l.token)}
	}
	return out
}

// scaleLabel is a value of a scale, as short as it can be said.
func (sc *scene) scaleLabel(f alert.Format, v float64) string {
	if f == alert.Percent {
		return string(sc.look.Format.Decimal(nil, v*100)) + " %"
	}
	return string(sc.look.Format.KPI(nil, f, model.FigureOf(v)))
}

// gutterOf is how wide the labels of all scales are, so that their charts stand
// under each other.
func gutterOf(sc *scene, panels []panel) int {
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
func (p *plot) frame(sc *scene, of *panel, w, gutter int) chart.Plot {
	c := chart.Plot{
		Width: w, Gutter: gutter, Min: of.low, Max: of.top, Target: of.target, Cursor: p.cursorAt(), Set: chart.Braille,
		Label: func(v float64) string { return sc.scaleLabel(of.format, v) },
		Axis:  sc.look.Theme.SGR(themes.Dim), TargetStyle: sc.look.Theme.SGR(themes.Border), CursorStyle: sc.look.Theme.SGR(themes.Accent),
	}
	if sc.ASCII {
		c.Set = chart.ASCII
	}
	return c
}

// ticks are round times of the site's clock, as many as there is room for.
func (p *plot) ticks(sc *scene, w int) []chart.Tick {
	const room = 12 // of a label and the gap to the next
	n := len(p.window.Samples)
	span := time.Duration(n) * p.window.Step
	every := 4 * time.Hour
	for _, d := range []time.Duration{time.Minute, 5 * time.Minute, 15 * time.Minute, 30 * time.Minute, time.Hour, 2 * time.Hour} {
		if int(span/d)*room <= w {
			every = d
			break
		}
	}
	loc := sc.look.Zone()
	_, zone := p.window.End.In(loc).Zone()
	east := time.Duration(zone) * time.Second
	first := p.window.End.Add(-span + p.window.Step)
	var out []chart.Tick
	for at := first.Add(east).Truncate(every).Add(-east); !at.After(p.window.End); at = at.Add(every) {
		if !at.Before(first) {
			out = append(out, chart.Tick{At: int(at.Sub(first) / p.window.Step), Label: at.In(loc).Format("15:04")})
		}
	}
	if len(out) == 0 { // the axis is there even so
		out = append(out, chart.Tick{At: n - 1, Label: p.window.End.In(loc).Format("15:04")})
	}
	return out
}

// legend names the lines of a panel, with their values under the cursor or now.
func (p *plot) legend(sc *scene, of *panel, w int) string {
	at := p.cursorAt()
	if at < 0 {
		at = len(p.window.Samples) - 1
	}
	l := look.NewLine(w, sc.look.Glyphs.Ellipsis).Space(themes.Style{}, 1)
	for i := range of.lines {
		line := &of.lines[i]
		f := line.at(at)
		value := sc.look.Style(themes.Text)
		if !f.Known() {
			value = sc.look.Style(themes.Unknown)
		}
		now := string(sc.look.Format.KPI(nil, line.format, f))
		if look.Width(line.glyph+" "+line.title+" "+now) > l.Room() {
			l.Add(sc.look.Style(themes.Dim), sc.look.Glyphs.Ellipsis) // half of a figure is none
			break
		}
		l.Add(sc.look.Style(line.token), line.glyph+" ").Add(sc.look.Style(themes.Text), line.title+" ")
		l.Add(value, now).Space(themes.Style{}, 3)
	}
	if !math.IsNaN(of.target) {
		l.Add(sc.look.Style(themes.Dim), "target "+sc.scaleLabel(of.format, of.target))
	}
	return l.End(themes.Style{})
}

// spanned says how much of the past there is to see.
func (p *plot) spanned(sc *scene, of []panel) string {
	if !p.young {
		return "the last " + spanWords(p.span)
	}
	first := len(p.window.Samples)
	for i := range of {
		for j := range of[i].lines {
			first = min(first, begun(of[i].lines[j].trend.Samples))
		}
	}
	at := p.window.End.Add(-time.Duration(len(p.window.Samples)-1-first) * p.window.Step)
	return "since " + at.In(sc.look.Zone()).Format("15:04")
}

// foot says what time the values are of, and what could not be drawn.
func (p *plot) foot(sc *scene, of []panel, w, more int) string {
	when, token := "now", themes.Dim
	if !sc.floor.Frozen.IsZero() {
		when = "frozen"
	}
	if !p.cursor.IsZero() {
		first := len(p.window.Samples) - 1 - p.cursorAt()
		at := p.window.End.Add(-time.Duration(first) * p.window.Step)
		when, token = "at "+string(sc.look.Format.Clock(nil, at)), themes.Accent
	}
	l := look.NewLine(w, sc.look.Glyphs.Ellipsis)
	l.Add(sc.look.Style(token), " "+when)
	said := p.spanned(sc, of)
	if more > 0 {
		missing := sc.look.Count(more) + " more need a larger screen"
		if both := said + " " + sc.look.Glyphs.Dot + " " + missing; look.Width(both)+2 <= l.Room() {
			missing = both
		}
		said = missing
	} else {
		said += ", a value every " + stepWords(p.window.Step)
	}
	return l.Space(themes.Style{}, 2).Add(sc.look.Style(themes.Dim), said).End(themes.Style{})
}
