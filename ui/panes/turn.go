package panes

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// Turn are the keys that give the keyboard to the next part of a page, or to the one
// before it: a pane, a table, a view.
type Turn struct{ Next, Prev key.Binding }

// By returns 1 for the key of the next part, -1 for that of the one before, and 0 for
// any other key.
func (t *Turn) By(msg tea.KeyPressMsg) int {
	switch {
	case key.Matches(msg, t.Next):
		return 1
	case key.Matches(msg, t.Prev):
		return -1
	}
	return 0
}

// parted is a pane of several parts, of which one has the keyboard while the pane has
// it.
type parted interface {
	// step gives the keyboard to the next part, or to the one before, and reports
	// whether there is one.
	step(sc *Scene, by int) bool
	// begin gives it to the first part, or coming from behind to the last.
	begin(sc *Scene, by int)
	// more returns how many there are besides one.
	more() int
}

// step gives the keyboard to another part of the pane, and reports whether there is
// one in that direction.
func (c *Slot) step(sc *Scene, by int) bool {
	p, ok := c.Pane.(parted)
	return ok && p.step(c.on(sc), by)
}

// begin gives the keyboard to the first part of the pane, or to the last.
func (c *Slot) begin(sc *Scene, by int) {
	if p, ok := c.Pane.(parted); ok {
		p.begin(c.on(sc), by)
	}
}
