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

// Kiosk is the kiosk mode of a board. A nil Kiosk means an interactive board.
type Kiosk struct {
	setup     Setup
	floor     *snapshot.View
	rotation  rotation
	front     frontTracker
	calm      calmTracker
	platforms *PlatformRotation // nil with a single platform

	isDark         bool      // the screen is dark, because the active hours are over
	awakeUntil     time.Time // end of the time for which a key has switched the screen on
	lastSnapshotAt time.Time // time of the last snapshot, on the local clock
}

// New returns a kiosk for the pages of a board. The pages must exist before [Kiosk.Start].
func New(s Setup, view *snapshot.View, pages Pages) *Kiosk {
	return &Kiosk{
		setup: s, floor: view,
		rotation: rotation{floor: view, pages: pages, since: view.LocalNow, screensShown: make(map[int]int)},
		front:    frontTracker{shownLevels: make(map[string]alert.Level)},
	}
}

// ApplySetup applies a new setup after a change of the configuration or the pages.
func (w *Kiosk) ApplySetup(s Setup) {
	w.setup = s
	w.Start()
}

// Start reads the pages and starts the rotation.
func (w *Kiosk) Start() { w.rotation.setPages(&w.setup) }

// SnapshotArrived stores when the last snapshot arrived.
func (w *Kiosk) SnapshotArrived(at time.Time) { w.lastSnapshotAt = at }

// Tick advances the kiosk; it is called once a second.
func (w *Kiosk) Tick(situations *situation.View, zone *time.Location) {
	now := w.floor.LocalNow
	w.calm.observe(situations, now)
	w.rotation.handleClockSetBack()
	w.isDark = w.setup.IsActive != nil && !now.Before(w.awakeUntil) && !w.setup.IsActive(now.In(zone))
	if w.isDark {
		return
	}
	if !w.platforms.isShown(w) {
		w.platforms.offerSituation(w, situations)
		return
	}
	w.advance()
	if w.platforms.isShown(w) {
		w.bringToFront(situations)
	}
}

// advance shows the next page when the dwell time is over.
func (w *Kiosk) advance() {
	r := &w.rotation
	switch isOver := w.floor.LocalNow.Sub(r.since) >= r.dwell(); {
	case isOver && r.front != nil:
		r.leaveFront()
		if !w.platforms.endInterruption() {
			r.showPage(r.stop().page)
		}
	case isOver:
		w.rotate(1)
	}
}

// rotate moves by delta stops; beyond the first or the last stop, to another platform.
func (w *Kiosk) rotate(delta int) {
	r := &w.rotation
	if to := r.currentStop + delta; w.platforms != nil && (to < 0 || to >= len(r.stops)) {
		r.countScreens()
		r.pageDue, r.heldByViewer = false, false
		w.platforms.turnToWall(delta)
		return
	}
	r.rotate(delta)
}

// bringToFront shows the page of a new situation. Between two such pages, a page of the rotation
// is shown, so that many situations do not stop the rotation.
func (w *Kiosk) bringToFront(situations *situation.View) {
	open := urgentSituations(situations, w.setup.FrontLevel)
	w.front.dropEnded(open)
	if w.rotation.front != nil || w.rotation.pageDue {
		return
	}
	if s, target := w.front.nextSituation(open, &w.rotation); s != nil {
		w.rotation.showSituation(s, target)
	}
}

// Press handles a key. Keys turn pages, wake the screen and quit.
func (w *Kiosk) Press(msg tea.KeyPressMsg) tea.Cmd {
	r, name := &w.rotation, msg.String()
	if w.setup.QuitKey != "" && name == w.setup.QuitKey {
		return tea.Quit
	}
	delta := slices.Index([]string{"left", "", "right"}, name) - 1
	if name == "space" {
		delta = 1
	}
	to := r.currentStop + delta
	if len(name) == 1 && name >= "1" && name <= "9" {
		if to = int(name[0] - '1'); to >= len(r.stops) {
			return nil
		}
	} else if delta != 1 && delta != -1 {
		return nil
	}
	const wakes = time.Minute
	w.awakeUntil = w.floor.LocalNow.Add(wakes)
	if w.isDark {
		w.isDark = false
		to = r.currentStop
	}
	r.leaveFront()
	w.platforms.wakeAll(w)
	w.rotate(to - r.currentStop)
	w.shownWall().rotation.pageDue = true // so that no situation replaces the selected page
	return nil
}

// ShowPage opens a page by name for [heldDuration]. It reports whether the page exists.
func (w *Kiosk) ShowPage(name string) bool {
	r := &w.rotation
	page, ok := r.pages.Named(name)
	if !ok {
		return false
	}
	r.leaveFront()
	r.countScreens()
	if index := slices.IndexFunc(r.stops, func(s rotationStop) bool { return s.page == page }); index >= 0 {
		r.currentStop = index
	}
	r.heldByViewer, r.pageDue = true, true
	r.showPage(page)
	w.platforms.selectWall(w)
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

// HolderText implements [panes.Wall].
func (w *Kiosk) HolderText(by string) string {
	if !w.setup.FullNames || by == "" {
		return "taken"
	}
	return by + " has it"
}

// Scroll implements [panes.Wall].
func (w *Kiosk) Scroll(t *table.Model) { w.rotation.scroll(t) }

// FeedIsAlive reports whether snapshots arrive as expected. It is true while the connection is down.
func (w *Kiosk) FeedIsAlive() bool {
	const silence = 2 * time.Minute // a connected feed sends every 15 s
	return w.floor.Newest == nil || !w.floor.IsLinkUp() || w.floor.LocalNow.Sub(w.lastSnapshotAt) <= silence
}
