package explain

import (
	tea "charm.land/bubbletea/v2"

	"wallboard/alert"
	"wallboard/ui/dialog"
	"wallboard/ui/look"
	"wallboard/ui/plots"
)

// chartDialog is the chart of one record over the whole screen.
type chartDialog struct {
	board Board
	of    alert.Key
	plot  plots.Plot
}

// Chart shows how the figures of a record have been.
func Chart(on *dialog.Stack, b Board, of alert.Key) tea.Cmd {
	return on.Open(&chartDialog{board: b, of: of, plot: plots.Plot{About: []alert.Key{of}}})
}

// Title implements [dialog.Dialog].
func (d *chartDialog) Title() string { return d.board.Scene().Charts().TitleOf(d.of) }

// Size implements [dialog.Dialog].
func (d *chartDialog) Size(maxW, maxH int) (w, h int) { return maxW, maxH }

// View implements [dialog.Dialog].
func (d *chartDialog) View(w, h int) []string {
	sc := d.board.Scene()
	out := d.plot.View(sc.Charts(), 0, 0, w, h-1)
	sc.Floor.FadeOld(sc.Look, out, d.of.Scope.Subscriptions()...)
	keys := []look.Hint{{Key: "+ -", Does: "zoom"}, {Key: "left right", Does: "values at a time"}}
	if d.plot.Window.Step == 0 { // there is no figure to draw
		keys = nil
	}
	if !d.plot.Cursor.IsZero() {
		keys = append([]look.Hint{{Key: "esc", Does: "back to now"}}, keys...)
	}
	return append(out, sc.Look.Hints(w, keys...))
}

// Update implements [dialog.Dialog].
func (d *chartDialog) Update(msg tea.Msg) tea.Cmd {
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
func (d *chartDialog) LetGo() bool { return d.plot.Release() }
