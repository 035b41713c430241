package ui

import (
	tea "charm.land/bubbletea/v2"

	"wallboard/alert"
	"wallboard/ui/look"
	"wallboard/ui/panes"
)

// plotDialog is the chart of one record over the whole screen.
type plotDialog struct {
	sc   *scene
	of   alert.Key
	plot panes.Plot
}

// openPlot shows how the figures of what is selected have been, those of the
// floor when nothing is.
func (m *Model) openPlot() tea.Cmd {
	k, ok := m.charted()
	if !ok || k.Scope == alert.Feed {
		k = alert.Key{Scope: alert.Floor, Channel: m.scene.floor.Channel}
	}
	return m.dialogs.Open(&plotDialog{sc: m.scene, of: k, plot: panes.Plot{About: []alert.Key{k}}})
}

// charted names what the viewer has opened or selected, of an alert what it is
// about. The overview is about the floor, whatever row is selected.
func (m *Model) charted() (alert.Key, bool) {
	if k, ok, known := m.pages.page().Charted(m.scene.panes()); known {
		return k, ok
	}
	return m.pages.selected(m.scene.panes())
}

// Title implements [dialog.Dialog].
func (d *plotDialog) Title() string { return d.sc.panes().TitleOf(d.of) }

// Size implements [dialog.Dialog].
func (d *plotDialog) Size(maxW, maxH int) (w, h int) { return maxW, maxH }

// View implements [dialog.Dialog].
func (d *plotDialog) View(w, h int) []string {
	sc := d.sc
	out := d.plot.View(sc.panes(), 0, 0, w, h-1)
	sc.floor.FadeOld(sc.look, out, d.of.Scope.Subscriptions()...)
	keys := []look.Hint{{Key: "+ -", Does: "zoom"}, {Key: "left right", Does: "values at a time"}}
	if d.plot.Window.Step == 0 { // there is no figure to draw
		keys = nil
	}
	if !d.plot.Cursor.IsZero() {
		keys = append([]look.Hint{{Key: "esc", Does: "back to now"}}, keys...)
	}
	return append(out, sc.look.Hints(w, keys...))
}

// Update implements [dialog.Dialog].
func (d *plotDialog) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		d.plot.Press(msg.String())
	case tea.MouseClickMsg:
		d.plot.Click(msg.X, msg.Y)
	case tea.MouseWheelMsg:
		d.plot.Wheel(msg)
	}
	return nil
}

// LetGo implements [dialog.Holder]: the first esc takes the cursor away.
func (d *plotDialog) LetGo() bool { return d.plot.Release() }
