package panes

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// PaneKeys holds the keys that move the keyboard to the next or the previous part of a page. A part
// is a pane, or a table or view within a pane.
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

// multipart is a pane with several parts. While the pane has the keyboard, one of its parts gets
// the keys.
type multipart interface {
	// step moves the keyboard to the next part, or to the previous part if delta is -1. It returns
	// false if there is no such part.
	step(sc *Scene, delta int) bool
	// focusFirst gives the keyboard to the first part, or to the last part if delta is negative.
	focusFirst(sc *Scene, delta int)
	// extraParts returns the number of parts that can have the keyboard, minus one.
	extraParts() int
}

// step moves the keyboard to the next part of the pane, or to the previous part if delta is -1. It
// returns false if there is no such part.
func (c *Slot) step(sc *Scene, delta int) bool {
	p, ok := c.Pane.(multipart)
	return ok && p.step(c.scene(sc), delta)
}

// focusFirst gives the keyboard to the first part of the pane, or to the last part if delta is
// negative.
func (c *Slot) focusFirst(sc *Scene, delta int) {
	if p, ok := c.Pane.(multipart); ok {
		p.focusFirst(c.scene(sc), delta)
	}
}
