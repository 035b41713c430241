package kiosk

import (
	"slices"

	"wallboard/situation"
)

// Tour has the walls of several platforms take turns: one shows all its pages, then the
// next one does. What is wrong on one that is not shown brings it to the front, and then
// the one before goes on. A nil Tour is of one platform.
type Tour struct {
	walls []*Wall
	names []string
	shown int
	left  *Wall // which goes on when what is wrong elsewhere has been shown; nil: none
}

// NewTour has walls take turns, in their order. There are at least two, each with the name
// of its platform.
func NewTour(walls []*Wall, names []string) *Tour {
	t := &Tour{walls: walls, names: names}
	for i, w := range walls {
		w.tour, w.rotation.further = t, i > 0
		w.Hang()
	}
	return t
}

// Shown is the place of the wall that is to be seen.
func (t *Tour) Shown() int { return t.shown }

// shows reports whether a wall is the one that is seen.
func (t *Tour) shows(w *Wall) bool { return t == nil || t.walls[t.shown] == w }

// step is the place of the wall that has its turn after one, or before it where by is -1.
// One that has no page of its own is left out.
func (t *Tour) step(by int) int {
	n := len(t.walls)
	for i := 1; i < n; i++ {
		if at := (t.shown + by*i + n*n) % n; t.walls[at].rotation.has() {
			return at
		}
	}
	return t.shown
}

// next is the name of the platform that is shown after the page of a wall, "" where it is
// the same one.
func (t *Tour) next(w *Wall) string {
	switch r := &w.rotation; {
	case t == nil:
	case r.front != nil && t.left != nil:
		return t.names[slices.Index(t.walls, t.left)]
	case r.front == nil && r.at == len(r.stops)-1 && t.step(1) != t.shown:
		return t.names[t.step(1)]
	}
	return ""
}

// turn gives the turn to the wall after the one that is shown, which begins with its first
// page, or to the one before it with its last.
func (t *Tour) turn(by int) {
	t.left = nil
	t.shown = t.step(by)
	r := &t.walls[t.shown].rotation
	r.at, r.paused = 0, false
	if by < 0 {
		r.at = len(r.stops) - 1
	}
	r.come()
}

// bring shows a wall for good: its rotation goes on from there.
func (t *Tour) bring(w *Wall) {
	if t != nil {
		t.shown, t.left = slices.Index(t.walls, w), nil
	}
}

// back has the wall go on that was interrupted, and reports whether there is one.
func (t *Tour) back() bool {
	if t == nil || t.left == nil {
		return false
	}
	r := &t.left.rotation
	t.bring(t.left)
	r.paused = true // a page comes before the next alert
	r.come()
	return true
}

// come shows the page whose turn it is, on a wall that was not shown.
func (r *rotation) come() {
	r.leaveFront()
	r.held = false
	r.goTo(r.stop().page)
}

// offer brings a wall that is not shown to the front where something is wrong on it that
// was not in front yet, and the one that is shown has nothing to finish before.
func (t *Tour) offer(w *Wall, wrong *situation.View) {
	if r := &t.walls[t.shown].rotation; r.front != nil || r.paused || r.held {
		return
	}
	r := &w.rotation
	r.paused, r.held, r.since = false, false, w.floor.Ours
	if w.bringToFront(wrong); r.front != nil {
		from := t.walls[t.shown]
		from.rotation.turned()
		t.bring(w)
		t.left = from
	}
}

// wake has every wall be seen for as long as one that somebody has woken, and the wall
// that is shown is.
func (t *Tour) wake(w *Wall) {
	if t == nil {
		return
	}
	t.left = nil
	for _, other := range t.walls {
		other.awake, other.dim = w.awake, w.dim
	}
}

// seen is the wall that is shown, of those that take turns with one.
func (w *Wall) seen() *Wall {
	if w.tour == nil {
		return w
	}
	return w.tour.walls[w.tour.shown]
}
