package panes

// multiPartPane is a pane with several parts. One of them gets the keys while the pane has the focus.
type multiPartPane interface {
	// moveFocus moves the keyboard focus to the next part, or to the previous part if delta is -1. It
	// returns false if there is no such part.
	moveFocus(sc *Scene, delta int) bool
	// focusFirst gives the keyboard focus to the first part, or to the last if delta is negative.
	focusFirst(sc *Scene, delta int)
	// extraParts returns the number of parts that can have the keyboard focus, minus one.
	extraParts() int
}

// moveFocus moves the keyboard focus to the next part of the pane, or to the previous part if delta is
// -1. It returns false if there is no such part.
func (c *Slot) moveFocus(sc *Scene, delta int) bool {
	p, ok := c.Pane.(multiPartPane)
	return ok && p.moveFocus(c.scene(sc), delta)
}

// focusFirst gives the keyboard focus to the first part, or to the last if delta is negative.
func (c *Slot) focusFirst(sc *Scene, delta int) {
	if p, ok := c.Pane.(multiPartPane); ok {
		p.focusFirst(c.scene(sc), delta)
	}
}
