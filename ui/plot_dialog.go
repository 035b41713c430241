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
	k, ok := m.charted()
	if !ok || k.Scope == alert.Feed {
		k = alert.Key{Scope: alert.Floor, Channel: m.scene.floor.Channel}
	}
	return m.openDialog(&plotDialog{of: k, plot: plot{about: []alert.Key{k}}})
}

// charted names what the viewer has opened or selected, of an alert what it is
// about. The overview is about the floor, whatever row is selected.
func (m *Model) charted() (alert.Key, bool) {
	if k, ok, known := m.page().charted(m.scene); known {
		return k, ok
	}
	return m.selectedKey()
}

func (d *plotDialog) title(sc *scene) string { return sc.titleOf(d.of) }

func (d *plotDialog) restyle(*scene) {}

func (d *plotDialog) cursor() (x, y int, ok bool) { return 0, 0, false }

func (d *plotDialog) size(maxW, maxH int) (w, h int) { return maxW, maxH }

func (d *plotDialog) view(sc *scene, w, h int) []string {
	out := d.plot.view(sc, 0, 0, w, h-1)
	sc.floor.FadeOld(sc.look, out, d.of.Scope.Subscriptions()...)
	keys := []hint{{"+ -", "zoom"}, {"left right", "values at a time"}}
	if d.plot.window.Step == 0 { // there is no figure to draw
		keys = nil
	}
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
