package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/alert"
	"wallboard/model"
)

// plotPane is a chart as a pane of a page.
type plotPane struct {
	chart plot
	scope alert.Scope
	shown bool // it is on the screen
}

// plotKind is the kind "chart".
func plotKind() paneKind {
	return paneKind{
		name: "chart", takes: []string{"channel", "services", "groups", "campaigns", "kpis", "span", "target"},
		make: func(_ *scene, spec PaneSpec) Pane { return newPlotPane(spec) },
	}
}

// newPlotPart makes the chart of what the spec names, of the floor if it names
// nothing. Its records are of one kind: services, else groups, else campaigns.
func newPlotPane(spec PaneSpec) *plotPane {
	p := &plotPane{scope: alert.Floor, chart: plot{kpis: spec.KPIs, target: spec.Target, span: spanFor(spec.Span)}}
	about := func(s alert.Scope, codes []string) {
		if p.scope != alert.Floor || len(codes) == 0 {
			return
		}
		p.scope = s
		for _, code := range codes {
			p.chart.about = append(p.chart.about, alert.Key{Scope: s, Code: code})
		}
	}
	about(alert.Service, spec.Services)
	about(alert.Group, spec.Groups)
	about(alert.Campaign, spec.Campaigns)
	if p.scope == alert.Floor {
		p.chart.about = []alert.Key{{Scope: alert.Floor}}
	}
	return p
}

// spanFor is the shortest of plotSpans that shows so much of the past, an hour
// if it is not said.
func spanFor(d time.Duration) int {
	if d == 0 {
		d = time.Hour
	}
	spans := plotSpans()
	for i, s := range spans {
		if d <= s {
			return i
		}
	}
	return len(spans) - 1
}

func (p *plotPane) title(sc *scene) string {
	k := p.chart.about[0]
	switch {
	case p.scope == alert.Floor:
		k.Channel = sc.floor.Channel
	case len(p.chart.about) > 1:
		return "Over time"
	}
	return sc.titleOf(k)
}

func (p *plotPane) subs() []model.Op { return p.scope.Subscriptions() }

func (p *plotPane) Refresh(*scene) {}

func (p *plotPane) press(_ *scene, msg tea.KeyPressMsg) (tea.Cmd, bool) {
	if msg.String() == "esc" {
		return nil, p.chart.release()
	}
	return nil, p.chart.press(msg.String())
}

func (p *plotPane) update(_ *scene, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.MouseClickMsg:
		if msg.Button == tea.MouseLeft && p.shown {
			p.chart.click(msg.X, msg.Y)
		}
	case tea.MouseWheelMsg:
		p.chart.wheel(msg)
	}
	return nil
}

// inherit keeps what the viewer sees of the chart.
func (p *plotPane) inherit(before Pane) {
	if was, ok := before.(*plotPane); ok {
		p.chart.span, p.chart.asked, p.chart.cursor = was.chart.span, was.chart.asked, was.chart.cursor
	}
}

func (p *plotPane) View(sc *scene, x, y, w, h int) []string {
	p.shown = true
	out := p.chart.view(sc, x, y, w, h)
	sc.floor.FadeOld(sc.look, out, p.subs()...)
	return out
}

func (p *plotPane) Want(*scene, int) room { return room{width: 36, least: 7, wanted: 9} }

func (p *plotPane) hide() { p.shown = false }

func (p *plotPane) focus(bool) {}
