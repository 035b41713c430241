package ui

import (
	tea "charm.land/bubbletea/v2"

	"wallboard/alert"
)

// plotDialog is the chart of one record over the whole screen.
type plotDialog struct {
	of   alert.Key
	plot plot
}

// openPlot shows how the figures of what is selected have been, those of the
// floor when nothing is.
func (m *Model) openPlot() tea.Cmd {
	k := alert.Key{Scope: alert.Floor, Channel: m.scene.channel}
	_, floor := m.page().(*overview)
	if d, ok := m.page().(*detail); ok {
		k = m.scene.keyOf(d.kind, d.key)
	} else if s, ok := m.selectedKey(); ok && s.Scope != alert.Feed && !floor {
		k = s
	}
	return m.openDialog(&plotDialog{of: k, plot: plot{about: []alert.Key{k}}})
}

func (d *plotDialog) title(sc *scene) string { return sc.titleOf(d.of) }

func (d *plotDialog) restyle(*scene) {}

func (d *plotDialog) cursor() (x, y int, ok bool) { return 0, 0, false }

func (d *plotDialog) size(maxW, maxH int) (w, h int) { return maxW, maxH }

func (d *plotDialog) view(sc *scene, w, h int) []string {
	out := d.plot.view(sc, 0, 0, w, h-1)
	sc.fadeOld(out, d.of.Scope.Subscriptions()...)
	keys := []hint{{"+ -", "zoom"}, {"left right", "values at a time"}}
	if !d.plot.cursor.IsZero() {
		keys = append([]hint{{"esc", "back to now"}}, keys...)
	}
	return append(out, sc.hints(w, keys...))
}

func (d *plotDialog) update(_ *Model, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		d.plot.press(msg.String())
	case tea.MouseClickMsg:
		d.plot.click(msg.X, msg.Y)
	case tea.MouseWheelMsg:
		d.plot.wheel(msg)
	}
	return nil
}

// letGo implements the first esc: it takes the cursor away.
func (d *plotDialog) letGo() bool { return d.plot.release() }
