package panes

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// PaneKeys holds the keys that move the keyboard to the next or the previous part of a
// page: a pane, a table, a view.
type PaneKeys struct{ Next, Prev key.Binding }

// DirectionOf returns 1 for the key of the next part, -1 for the previous part, and 0 for any
// other key.
func (t *PaneKeys) DirectionOf(msg tea.KeyPressMsg) int {
	switch {
	case key.Matches(msg, t.Next):
		return 1
	case key.Matches(msg, t.Prev):
		return -1
	}
	return 0
}

// multipart is a pane of several parts, one of which gets the keys while the pane has the
// keyboard.
type multipart interface {
	// step moves the keyboard to the next or the previous part, and reports whether
	// there is one.
	step(sc *Scene, delta int) bool
	// focusFirst gives the keyboard to the first part, or to the last if delta is negative.
	focusFirst(sc *Scene, delta int)
	// extraParts returns the number of parts minus one.
	extraParts() int
}

// step moves the keyboard to another part of the pane, and reports whether there is one
// in that direction.
func (c *Slot) step(sc *Scene, delta int) bool {
	p, ok := c.Pane.(multipart)
	return ok && p.step(c.scene(sc), delta)
}

// focusFirst gives the keyboard to the first part of the pane, or to the last if delta is negative.
func (c *Slot) focusFirst(sc *Scene, delta int) {
	if p, ok := c.Pane.(multipart); ok {
		p.focusFirst(c.scene(sc), delta)
	}
}
