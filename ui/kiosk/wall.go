package kiosk

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/ui/panes"
	"wallboard/ui/snapshot"
	"wallboard/ui/table"
)

// Kiosk is the kiosk mode of a board. A nil Wall means an interactive board.
type Kiosk struct {
	setup    Setup
	floor    *snapshot.View
	rotation rotation
	front    frontTracker
	tour     *PlatformRotation // nil with a single platform

	dim   bool      // the screen is dark, outside the active hours
	awake time.Time // end of a manual wake-up
	heard time.Time // time of the last snapshot, on the local clock
}

// New returns a kiosk for the pages of a board. The pages must exist before [Kiosk.Start].
func New(s Setup, view *snapshot.View, pages Pages) *Kiosk {
	return &Kiosk{
		setup: s, floor: view,
		rotation: rotation{floor: view, pages: pages, since: view.Ours, turns: make(map[int]int)},
		front:    frontTracker{met: make(map[string]alert.Level)},
	}
}

// Follow applies a new setup after a change of the configuration or the pages.
func (w *Kiosk) Follow(s Setup) {
	w.setup = s
	w.Start()
}

// Start reads the pages and starts the rotation.
func (w *Kiosk) Start() { w.rotation.follow(&w.setup) }

// SnapshotArrived stores when the last snapshot arrived.
func (w *Kiosk) SnapshotArrived(at time.Time) { w.heard = at }

// Tick advances the kiosk; it is called once a second.
func (w *Kiosk) Tick(wrong *situation.View, zone *time.Location) {
	now := w.floor.Ours
	w.rotation.followClock()
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

// turn moves on when the dwell time is over.
func (w *Kiosk) turn() {
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

// rotate moves by some stops, and at the end to another platform.
func (w *Kiosk) rotate(by int) {
	r := &w.rotation
	if to := r.at + by; w.tour != nil && (to < 0 || to >= len(r.stops)) {
		r.turned()
		r.paused, r.held = false, false
		w.tour.turn(by)
		return
	}
	r.rotate(by)
}

// bringToFront shows the page of a new situation. Between two of them a page of the
// rotation is shown, so that many situations do not block it.
func (w *Kiosk) bringToFront(wrong *situation.View) {
	open := urgentSituations(wrong, w.setup.Front)
	w.front.forget(open)
	if w.rotation.front != nil || w.rotation.paused {
		return
	}
	if s, at := w.front.next(open, &w.rotation); s != nil {
		w.rotation.bring(s, at)
	}
}

// Press handles a key: keys turn pages.
func (w *Kiosk) Press(msg tea.KeyPressMsg) tea.Cmd {
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
	w.seen().rotation.paused = true // keep the selected page
	return nil
}

// Show opens a page by name for two minutes. It reports whether the page exists.
func (w *Kiosk) Show(name string) bool {
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

// Ignores reports whether a message must be ignored on a kiosk.
func (w *Kiosk) Ignores(msg tea.Msg) bool {
	if w == nil {
		return false
	}
	switch msg.(type) {
	case tea.PasteMsg, tea.MouseMsg, panes.OpenMsg, panes.OpenSubjectMsg:
		return true
	}
	return false
}

// Scroll implements [panes.Wall].
func (w *Kiosk) Scroll(t *table.Model) { w.rotation.scroll(t) }

// Alive reports whether the feed delivers as expected.
func (w *Kiosk) Alive() bool {
	const silence = 2 * time.Minute // a connected feed sends every 15 s
	return w.floor.Newest == nil || !w.floor.LinkUp() || w.floor.Ours.Sub(w.heard) <= silence
}
