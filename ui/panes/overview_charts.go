package panes

import (
	"wallboard/internal/alert"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/ui/style"
	"wallboard/ui/widgets"
)

// minOverviewChart is the minimum height in lines of a chart below the tables of the overview.
const minOverviewChart = 7

// Minimum size, in cells and lines, of the area below the services for the map of the agents beside
// the chart.
const (
	minAgentMapWidth  = 110
	minAgentMapHeight = 12
)

// drawBelowServices draws the map of the agents and the chart of waiting callers in the lines below
// the services on a large screen. If there is not enough room for both, it draws only the chart.
func (o *overviewPane) drawBelowServices(sc *Scene, x, y, w, h int) []string {
	const gap = 2
	if w < minAgentMapWidth || h < minAgentMapHeight {
		return o.drawChart(sc, 0, sc.translate(words.PaneWaiting()), w, h)
	}
	if o.agentMap == nil {
		o.agentMap = newAgentMapPane(sc, PaneSpec{})
		o.agentMap.Refresh(sc)
	}
	left := w / 2
	inner := sc.InnerArea(x, y, left, h)
	agentMap := drawPart(sc, &o.frameCaches.agentMap, left, h, sc.translate(words.PageAgents()), o.agentMap.status(sc), false, o.agentMap.View(sc, inner.X, inner.Y, inner.W, inner.H))
	return style.JoinBlocks(agentMap, o.drawChart(sc, 0, sc.translate(words.PaneWaiting()), w-left-gap, h), left, w-left-gap, h)
}

// drawChart draws the chart of a figure of the floor under a heading. It covers the last hour, or
// the time since the board was started. index is 0 for waiting callers and 1 for the service level.
func (o *overviewPane) drawChart(sc *Scene, index int, title string, w, h int) []string {
	const room = 12 // cells of the heading that its text must leave free
	figure := [...]string{figureWaiting, figureServiceLevel}[index]
	p := &o.charts[index]
	if p.Subjects == nil {
		*p = widgets.Plot{Subjects: []alert.Key{{Scope: alert.Floor}}, KPIs: []string{figure}, SpanIndex: widgets.SpanFor(FloorTrendSpan), HidesLegend: true}
	}
	inner := sc.InnerArea(0, 0, w, h)
	lines := p.View(sc.Charts(), inner.X, inner.Y, inner.W, inner.H)
	said := p.ExtremeText(sc.Charts())
	if typical := sc.Look.Translate(p.BaselineText()); typical != "" {
		and := " " + sc.Look.Glyphs.Dot + " " + said
		shaded := sc.translate(words.PaneShaded())
		said = style.FirstFitting(w-style.Width(title)-room, typical+and, shaded+and, shaded, said)
	}
	out := drawPart(sc, &o.frameCaches.charts[index], w, h, title, style.HeadingStatus{Text: said}, false, lines)
	sc.Floor.FadeStale(sc.Look, out, model.OpServices)
	return out
}
