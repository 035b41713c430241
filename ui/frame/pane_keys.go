package frame

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// PaneKeys holds the keys that move the keyboard focus to the next or the previous part of a page.
// A part is a pane, a table or a view.
type PaneKeys struct{ Next, Prev key.Binding }

// DirectionOf returns 1 for the key of the next part, -1 for the key of the previous part, and 0
// for any other key.
func (t *PaneKeys) DirectionOf(msg tea.KeyPressMsg) int {
	switch {
	case key.Matches(msg, t.Next):
		return 1
	case key.Matches(msg, t.Prev):
		return -1
	}
	return 0
}
