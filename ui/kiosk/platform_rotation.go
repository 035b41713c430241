package kiosk

import (
	"slices"

	"wallboard/internal/alert/situation"
)

// PlatformRotation shows the walls of several platforms in turn on one screen. Each wall shows all
// its pages before the next wall follows. A new situation on a hidden platform interrupts the
// current wall, which continues afterwards. A nil PlatformRotation means that there is a single
// platform.
type PlatformRotation struct {
	walls       []*Kiosk
	names       []string
	current     int
	interrupted *Kiosk // wall that was interrupted by a situation of another platform; nil: none
}

// NewPlatformRotation starts the rotation of at least two walls. names are the names of their
// platforms, in the order of walls.
func NewPlatformRotation(walls []*Kiosk, names []string) *PlatformRotation {
	t := &PlatformRotation{walls: walls, names: names}
	for i, w := range walls {
		w.platforms, w.rotation.notFirstPlatform = t, i > 0
		w.Start()
	}
	return t
}

// ShownIndex returns the index of the wall on the screen.
func (t *PlatformRotation) ShownIndex() int { return t.current }

func (t *PlatformRotation) isShown(w *Kiosk) bool { return t == nil || t.walls[t.current] == w }

// nextWall returns the index of the wall after the current wall, or before it if delta is -1. It
// skips walls without pages to show.
func (t *PlatformRotation) nextWall(delta int) int {
	n := len(t.walls)
	for i := 1; i < n; i++ {
		if index := (t.current + delta*i + n*n) % n; t.walls[index].rotation.hasOwnPage() {
			return index
		}
	}
	return t.current
}

// nextPlatform returns the name of the platform that is shown after the page on the screen. It
// returns "" if the platform stays the same.
func (t *PlatformRotation) nextPlatform(w *Kiosk) string {
	switch r := &w.rotation; {
	case t == nil:
	case r.front != nil && t.interrupted != nil:
		return t.names[slices.Index(t.walls, t.interrupted)]
	case r.front == nil && r.currentIndex == len(r.rotationPages)-1 && t.nextWall(1) != t.current:
		return t.names[t.nextWall(1)]
	}
	return ""
}

// showNextWall shows the first page of the next wall or, if delta is -1, the last page of the
// previous wall.
func (t *PlatformRotation) showNextWall(delta int) {
	t.interrupted = nil
	t.current = t.nextWall(delta)
	r := &t.walls[t.current].rotation
	r.currentIndex, r.pageDue = 0, false
	if delta < 0 {
		r.currentIndex = len(r.rotationPages) - 1
	}
	r.resume()
}

// selectWall makes w the current wall. The rotation continues from there.
func (t *PlatformRotation) selectWall(w *Kiosk) {
	if t != nil {
		t.current, t.interrupted = slices.Index(t.walls, w), nil
	}
}

// endInterruption returns to the wall that was interrupted by a situation of another platform. It
// returns false if no wall was interrupted.
func (t *PlatformRotation) endInterruption() bool {
	if t == nil || t.interrupted == nil {
		return false
	}
	r := &t.interrupted.rotation
	t.selectWall(t.interrupted)
	r.pageDue = true // a page must be shown before the next situation
	r.resume()
	return true
}

// resume shows the page of the rotation that is due.
func (r *rotation) resume() {
	r.endInterruption()
	r.shownByViewer = false
	r.showPage(r.currentPage().page)
}

// interruptForSituation brings the hidden wall w to the front if w has a new situation. It does nothing
// while the wall on the screen shows a situation, must first show another page, or shows a page
// that a viewer has selected.
func (t *PlatformRotation) interruptForSituation(w *Kiosk, situations *situation.View) {
	if r := &t.walls[t.current].rotation; r.front != nil || r.pageDue || r.shownByViewer {
		return
	}
	r := &w.rotation
	r.pageDue, r.shownByViewer, r.shownSince = false, false, w.floor.LocalNow
	if w.bringToFront(situations); r.front != nil {
		current := t.walls[t.current]
		current.rotation.recordScreenCount()
		t.selectWall(w)
		t.interrupted = current
	}
}

// wakeAll gives all walls the state of w: dark, or awake until the same time. It forgets the interrupted wall.
func (t *PlatformRotation) wakeAll(w *Kiosk) {
	if t == nil {
		return
	}
	t.interrupted = nil
	for _, other := range t.walls {
		other.awakeUntil, other.isDark = w.awakeUntil, w.isDark
	}
}

// shownWall returns the wall on the screen. If there is a single platform, it returns w.
func (w *Kiosk) shownWall() *Kiosk {
	if w.platforms == nil {
		return w
	}
	return w.platforms.walls[w.platforms.current]
}
