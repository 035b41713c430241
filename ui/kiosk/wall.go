package kiosk

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/alert"
	"wallboard/situation"
	"wallboard/ui/floor"
	"wallboard/ui/panes"
	"wallboard/ui/table"
)

// Wall is a board on a wall. A nil Wall is none: somebody operates the board.
type Wall struct {
	setup    Setup
	floor    *floor.View
	rotation rotation
	front    front
	tour     *Tour // of the walls of several platforms; nil: there is one

	dim   bool      // the screen is dark: nobody is there
	awake time.Time // until when somebody has woken it
	heard time.Time // when the last snapshot came, on our clock
}

// New returns a kiosk that turns the pages of a floor. There must be pages before
// [Wall.Hang].
func New(s Setup, view *floor.View, pages Pages) *Wall {
	return &Wall{
		setup: s, floor: view,
		rotation: rotation{floor: view, pages: pages, since: view.Ours, turns: make(map[int]int)},
		front:    front{met: make(map[string]alert.Level)},
	}
}

// Follow has the kiosk go by another setup, and other pages.
func (w *Wall) Follow(s Setup) {
	w.setup = s
	w.Hang()
}

// Hang takes the pages to rotate over.
func (w *Wall) Hang() { w.rotation.follow(&w.setup) }

// Heard notes when the feed spoke last: when a snapshot came.
func (w *Wall) Heard(at time.Time) { w.heard = at }

// Tick moves the kiosk on: once a second.
func (w *Wall) Tick(wrong *situation.View, zone *time.Location) {
	now := w.floor.Ours
	w.rotation.steady()
	w.dim = w.setup.Active != nil && !now.Before(w.awake) && !w.setup.Active(now.In(zone))
	if w.dim {
		return
	}
	if !w.tour.shows(w) {
		w.tour.offer(w, wrong)
		return
	}
	w.turn()
	if w.tour.shows(w) {
		w.bringToFront(wrong)
	}
}

// turn goes on when the time of what is in front is over.
func (w *Wall) turn() {
	r := &w.rotation
	switch over := w.floor.Ours.Sub(r.since) >= r.dwell(); {
	case over && r.front != nil:
		r.leaveFront()
		if !w.tour.back() {
			r.goTo(r.stop().page)
		}
	case over:
		w.rotate(1)
	}
}

// rotate goes on by so many stops. After the last one another platform has its turn.
func (w *Wall) rotate(by int) {
	r := &w.rotation
	if to := r.at + by; w.tour != nil && (to < 0 || to >= len(r.stops)) {
		r.turned()
		r.paused, r.held = false, false
		w.tour.turn(by)
		return
	}
	r.rotate(by)
}

// bringToFront shows the page about a situation that has not been in front yet. The
// rotation has a page between two of them, so that a storm does not stop it.
func (w *Wall) bringToFront(wrong *situation.View) {
	open := pressing(wrong, w.setup.Front)
	w.front.forget(open)
	if w.rotation.front != nil || w.rotation.paused {
		return
	}
	if s, at := w.front.next(open, &w.rotation); s != nil {
		w.rotation.bring(s, at)
	}
}

// Press obeys the keys of a kiosk: they turn the page.
func (w *Wall) Press(msg tea.KeyPressMsg) tea.Cmd {
	r, name := &w.rotation, msg.String()
	if w.setup.Quit != "" && name == w.setup.Quit {
		return tea.Quit
	}
	by := slices.Index([]string{"left", "", "right"}, name) - 1
	if name == "space" {
		by = 1
	}
	to := r.at + by
	if len(name) == 1 && name >= "1" && name <= "9" {
		if to = int(name[0] - '1'); to >= len(r.stops) {
			return nil
		}
	} else if by != 1 && by != -1 {
		return nil
	}
	const wakes = time.Minute
	w.awake = w.floor.Ours.Add(wakes)
	if w.dim {
		w.dim = false
		to = r.at
	}
	r.leaveFront()
	w.tour.wake(w)
	w.rotate(to - r.at)
	w.seen().rotation.paused = true // who has turned the page wants to see it
	return nil
}

// Show turns to a page, by name, for two minutes; then the rotation goes on. It reports
// whether there is one.
func (w *Wall) Show(name string) bool {
	r := &w.rotation
	page, is := r.pages.Named(name)
	if !is {
		return false
	}
	r.leaveFront()
	r.turned()
	if at := slices.IndexFunc(r.stops, func(s stop) bool { return s.page == page }); at >= 0 {
		r.at = at
	}
	r.held, r.paused = true, true
	r.goTo(page)
	w.tour.bring(w)
	return true
}

// Deaf reports whether a message is what nobody may do at a kiosk.
func (w *Wall) Deaf(msg tea.Msg) bool {
	if w == nil {
		return false
	}
	switch msg.(type) {
	case tea.PasteMsg, tea.MouseMsg, panes.OpenMsg, panes.CauseMsg:
		return true
	}
	return false
}

// Scroll implements [panes.Wall].
func (w *Wall) Scroll(t *table.Model) { w.rotation.scroll(t) }

// Alive reports whether the feed speaks when it should.
func (w *Wall) Alive() bool {
	const silence = 2 * time.Minute // a connection that is up brings news every 15 s
	return w.floor.Newest == nil || !w.floor.LinkUp() || w.floor.Ours.Sub(w.heard) <= silence
}
