package panes

import (
	"wallboard/alert"
	"wallboard/model"
	"wallboard/ui/look"
	"wallboard/ui/plots"
)

// The charts of the overview: they fill what the tables leave empty.
const leastHistory = 7

// What the agents take below the services of a large screen, beside the chart.
const (
	crowdWide = 110
	crowdHigh = 12
)

// below draws what a large screen has room for below the services: everybody at once, and
// how the queue went.
func (o *overviewPane) below(sc *Scene, x, y, w, h int) []string {
	const gap = 2
	if w < crowdWide || h < crowdHigh {
		return o.chart(sc, 0, "Waiting", w, h)
	}
	if o.agents == nil {
		o.agents = newMapPane(sc, PaneSpec{})
		o.agents.Refresh(sc)
	}
	left := w / 2
	in := sc.within(x, y, left, h)
	crowd := sc.part(left, h, "Agents", o.agents.status(sc), false, o.agents.View(sc, in.X, in.Y, in.W, in.H))
	return look.Beside(crowd, o.chart(sc, 0, "Waiting", w-left-gap, h), left, w-left-gap, h)
}

// chart draws one of the figures since the board was started, an hour at most, under a
// heading.
func (o *overviewPane) chart(sc *Scene, at int, title string, w, h int) []string {
	const room = 12 // of the heading beside its words
	figure := [...]string{figureWaiting, figureServiceLevel}[at]
	p := &o.charts[at]
	if p.About == nil {
		*p = plots.Plot{About: []alert.Key{{Scope: alert.Floor}}, KPIs: []string{figure}, Span: plots.SpanFor(FloorSpan), Bare: true}
	}
	in := sc.within(0, 0, w, h)
	lines := p.View(sc.Charts(), in.X, in.Y, in.W, in.H)
	said := p.Extreme(sc.Charts())
	if usual := p.Usual(); usual != "" {
		and := " " + sc.Look.Glyphs.Dot + " " + said
		said = look.Longest(w-look.Width(title)-room, usual+and, "shaded: usual"+and, "shaded: usual", said)
	}
	out := sc.part(w, h, title, look.Position{Text: said}, false, lines)
	sc.Floor.FadeOld(sc.Look, out, model.OpServices)
	return out
}
