package panes

import (
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/ui/frame"
	"wallboard/ui/style"
	"wallboard/ui/widgets"
)

// PlotPane is a pane with a chart.
type PlotPane struct {
	Chart   widgets.Plot
	scope   alert.Scope
	isShown bool // the last view has drawn the chart
}

func plotKind() paneKind {
	return paneKind{
		name: "chart", settings: []string{"channel", "services", "groups", "campaigns", "kpis", "span", "target"},
		make: func(_ *Scene, spec PaneSpec) Pane { return NewPlotPane(spec) },
	}
}

// NewPlotPane returns a chart of the records named by spec, or of the floor if it names none. All
// records are of one kind: services if the spec names any, otherwise groups, otherwise campaigns.
func NewPlotPane(spec PaneSpec) *PlotPane {
	p := &PlotPane{scope: alert.Floor, Chart: widgets.Plot{KPIs: spec.KPIs, Target: spec.Target, SpanIndex: widgets.SpanFor(spec.Span)}}
	about := func(s alert.Scope, codes []string) {
		if p.scope != alert.Floor || len(codes) == 0 {
			return
		}
		p.scope = s
		for _, code := range codes {
			p.Chart.Subjects = append(p.Chart.Subjects, alert.Key{Scope: s, Code: code})
		}
	}
	about(alert.Service, spec.Services)
	about(alert.Group, spec.Groups)
	about(alert.Campaign, spec.Campaigns)
	if p.scope == alert.Floor {
		p.Chart.Subjects = []alert.Key{{Scope: alert.Floor}}
	}
	return p
}

func (p *PlotPane) title(sc *Scene) string {
	k := p.Chart.Subjects[0]
	switch {
	case p.scope == alert.Floor:
		k.Channel = sc.Floor.Channel
	case len(p.Chart.Subjects) > 1:
		return sc.translate(words.PaneOverTime())
	}
	return sc.Charts().TitleOf(k)
}

func (*PlotPane) hints(sc *Scene) []style.KeyHint { return widgets.Keys(sc.Look) }

func (p *PlotPane) subscriptions() []model.Op { return p.scope.Subscriptions() }

// Refresh implements [Pane].
func (p *PlotPane) Refresh(*Scene) {}

// Press implements [KeyHandler].
func (p *PlotPane) Press(_ *Scene, msg tea.KeyPressMsg) (tea.Cmd, bool) {
	if msg.String() == "esc" {
		return nil, p.Chart.ClearCursor()
	}
	return nil, p.Chart.Press(msg.String())
}

// Update handles the mouse.
func (p *PlotPane) Update(_ *Scene, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.MouseClickMsg:
		if msg.Button == tea.MouseLeft && p.isShown {
			p.Chart.Click(msg.X, msg.Y)
		}
	case tea.MouseWheelMsg:
		p.Chart.Wheel(msg)
	}
	return nil
}

// copyStateFrom implements [stateCopier]. It copies the time span and the cursor of the previous chart.
func (p *PlotPane) copyStateFrom(previous Pane) {
	if previous, ok := previous.(*PlotPane); ok {
		p.Chart.SpanIndex, p.Chart.Cursor = previous.Chart.SpanIndex, previous.Chart.Cursor
	}
}

// View implements [Pane].
func (p *PlotPane) View(sc *Scene, x, y, w, h int) []string {
	p.isShown = true
	out := p.Chart.View(sc.Charts(), x, y, w, h)
	sc.Floor.FadeStale(sc.Look, out, p.subscriptions()...)
	return out
}

// SizeHint implements [Pane].
func (p *PlotPane) SizeHint(*Scene, int) frame.SizeHint {
	return frame.SizeHint{MinWidth: 36, MinHeight: 7, WantedHeight: 9}
}

func (p *PlotPane) hide() { p.isShown = false }

func (p *PlotPane) focus(bool) {}
