package kiosk

import (
	"slices"

	"wallboard/internal/alert/situation"
)

// PlatformRotation lets the walls of several platforms take turns: each shows all its pages. A
// situation on a hidden platform interrupts the current one, which continues afterwards. A
// nil Tour means a single platform.
type PlatformRotation struct {
	walls       []*Kiosk
	names       []string
	shown       int
	interrupted *Kiosk // interrupted wall; nil: none
}

// NewTour returns a tour of at least two walls, with the names of their platforms.
func NewTour(walls []*Kiosk, names []string) *PlatformRotation {
	t := &PlatformRotation{walls: walls, names: names}
	for i, w := range walls {
		w.tour, w.rotation.secondary = t, i > 0
		w.Start()
	}
	return t
}

// Shown returns the index of the wall on the screen.
func (t *PlatformRotation) Shown() int { return t.shown }

// shows reports whether a wall is on the screen.
func (t *PlatformRotation) shows(w *Kiosk) bool { return t == nil || t.walls[t.shown] == w }

// step returns the index of the next wall, or of the previous one if by is -1. Walls
// without own pages are skipped.
func (t *PlatformRotation) step(by int) int {
	n := len(t.walls)
	for i := 1; i < n; i++ {
		if at := (t.shown + by*i + n*n) % n; t.walls[at].rotation.has() {
			return at
		}
	}
	return t.shown
}

// next returns the name of the platform that follows the current page of a wall, "" if it
// stays the same.
func (t *PlatformRotation) next(w *Kiosk) string {
	switch r := &w.rotation; {
	case t == nil:
	case r.front != nil && t.interrupted != nil:
		return t.names[slices.Index(t.walls, t.interrupted)]
	case r.front == nil && r.at == len(r.stops)-1 && t.step(1) != t.shown:
		return t.names[t.step(1)]
	}
	return ""
}

// turn moves to the next wall's first page, or to the previous wall's last page.
func (t *PlatformRotation) turn(by int) {
	t.interrupted = nil
	t.shown = t.step(by)
	r := &t.walls[t.shown].rotation
	r.at, r.paused = 0, false
	if by < 0 {
		r.at = len(r.stops) - 1
	}
	r.come()
}

// bring selects a wall; the rotation continues there.
func (t *PlatformRotation) bring(w *Kiosk) {
	if t != nil {
		t.shown, t.interrupted = slices.Index(t.walls, w), nil
	}
}

// back returns to the interrupted wall and reports whether there was one.
func (t *PlatformRotation) back() bool {
	if t == nil || t.interrupted == nil {
		return false
	}
	r := &t.interrupted.rotation
	t.bring(t.interrupted)
	r.paused = true // a page comes before the next situation
	r.come()
	return true
}

// come shows the current page of a wall that was hidden.
func (r *rotation) come() {
	r.leaveFront()
	r.held = false
	r.goTo(r.stop().page)
}

// offer brings a hidden wall to the front if it has a new situation and the current wall is
// not interrupted already.
func (t *PlatformRotation) offer(w *Kiosk, wrong *situation.View) {
	if r := &t.walls[t.shown].rotation; r.front != nil || r.paused || r.held {
		return
	}
	r := &w.rotation
	r.paused, r.held, r.since = false, false, w.floor.Ours
	if w.bringToFront(wrong); r.front != nil {
		from := t.walls[t.shown]
		from.rotation.turned()
		t.bring(w)
		t.interrupted = from
	}
}

// wake wakes all walls together with one.
func (t *PlatformRotation) wake(w *Kiosk) {
	if t == nil {
		return
	}
	t.interrupted = nil
	for _, other := range t.walls {
		other.awake, other.dim = w.awake, w.dim
	}
}

// seen returns the wall on the screen.
func (w *Kiosk) seen() *Kiosk {
	if w.tour == nil {
		return w
	}
	return w.tour.walls[w.tour.shown]
}
