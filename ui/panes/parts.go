package panes

// multipart is a pane of several parts. One of them gets the keys while the pane has the keyboard.
type multipart interface {
	// step moves the keyboard to the next part, or to the previous one if delta is -1. It reports
	// whether there is such a part.
	step(sc *Scene, delta int) bool
	// focusFirst gives the keyboard to the first part, or to the last one if delta is negative.
	focusFirst(sc *Scene, delta int)
	// extraParts returns the number of parts minus one.
	extraParts() int
}

// step moves the keyboard to the next part of the pane, or to the previous one if delta is -1. It
// reports whether there is such a part.
func (c *Slot) step(sc *Scene, delta int) bool {
	p, ok := c.Pane.(multipart)
	return ok && p.step(c.scene(sc), delta)
}

// focusFirst gives the keyboard to the first part of the pane, or to the last one if delta is negative.
func (c *Slot) focusFirst(sc *Scene, delta int) {
	if p, ok := c.Pane.(multipart); ok {
		p.focusFirst(c.scene(sc), delta)
	}
}
