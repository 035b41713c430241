package panes

import (
	"wallboard/internal/alert"
	"wallboard/model"
	"wallboard/ui/plots"
	"wallboard/ui/style"
)

// leastHistory is the least height of a chart on the overview. The charts fill the
// space that the tables leave.
const leastHistory = 7

// The least size for showing the agents beside the chart, below the services.
const (
	crowdWide = 110
	crowdHigh = 12
)

// below draws what fits below the services on a large screen: the agents' map and the
// chart of waiting callers.
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
	return style.Beside(crowd, o.chart(sc, 0, "Waiting", w-left-gap, h), left, w-left-gap, h)
}

// chart draws one of the figures under a heading, since the board was started and for
// an hour at most.
func (o *overviewPane) chart(sc *Scene, at int, title string, w, h int) []string {
	const room = 12 // cells of the heading beside its text
	figure := [...]string{figureWaiting, figureServiceLevel}[at]
	p := &o.charts[at]
	if p.About == nil {
		*p = plots.Plot{About: []alert.Key{{Scope: alert.Floor}}, KPIs: []string{figure}, Span: plots.SpanFor(FloorTrendSpan), Bare: true}
	}
	in := sc.within(0, 0, w, h)
	lines := p.View(sc.Charts(), in.X, in.Y, in.W, in.H)
	said := p.Extreme(sc.Charts())
	if usual := p.BaselineText(); usual != "" {
		and := " " + sc.Look.Glyphs.Dot + " " + said
		said = style.FirstFitting(w-style.Width(title)-room, usual+and, "shaded: usual"+and, "shaded: usual", said)
	}
	out := sc.part(w, h, title, style.Position{Text: said}, false, lines)
	sc.Floor.FadeOld(sc.Look, out, model.OpServices)
	return out
}
