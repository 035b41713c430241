package kiosk

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/internal/words"
	"wallboard/ui/floorview"
	"wallboard/ui/panes"
	"wallboard/ui/table"
)

// Kiosk implements the kiosk mode of a board. A nil Kiosk means that the board is interactive.
type Kiosk struct {
	setup         Setup
	floor         *floorview.View
	rotation      rotation
	interruptions interruptionTracker
	allClear      allClearTracker
	platforms     *PlatformRotation // nil if there is a single platform

	isDark         bool      // the screen is dark because the time is outside the active hours
	awakeUntil     time.Time // time until which a key press keeps the screen awake
	lastSnapshotAt time.Time // when the last snapshot arrived, on the local clock
}

// New returns a kiosk for the board with the given pages. The caller must create the pages before
// it calls [Kiosk.Start].
func New(s Setup, view *floorview.View, pages Pages) *Kiosk {
	return &Kiosk{
		setup: s, floor: view,
		rotation:      rotation{floor: view, pages: pages, shownSince: view.LocalNow, screensShown: make(map[int]int)},
		interruptions: interruptionTracker{shownLevels: make(map[string]alert.Level)},
	}
}

// ApplySetup replaces the setup after the configuration or the pages have changed.
func (w *Kiosk) ApplySetup(s Setup) {
	w.setup = s
	w.Start()
}

// Start starts the rotation with the current pages of the board.
func (w *Kiosk) Start() { w.rotation.setPages(&w.setup) }

// SnapshotArrived records that a snapshot has arrived. at is on the local clock.
func (w *Kiosk) SnapshotArrived(at time.Time) { w.lastSnapshotAt = at }

// Tick advances the rotation, brings the page of a new situation to the front, and darkens the screen
// outside the active hours. It must be called once per second. zone is the time zone of the active hours.
func (w *Kiosk) Tick(situations *situation.View, zone *time.Location) {
	now := w.floor.LocalNow
	w.allClear.observe(situations, now)
	w.rotation.handleClockSetBack()
	w.isDark = w.setup.IsActive != nil && !now.Before(w.awakeUntil) && !w.setup.IsActive(now.In(zone))
	if w.isDark {
		return
	}
	if !w.platforms.isShown(w) {
		w.platforms.interruptForSituation(w, situations)
		return
	}
	w.advance()
	if w.platforms.isShown(w) {
		w.bringToFront(situations)
	}
}

// advance shows the next page if the time of the page on the screen is over.
func (w *Kiosk) advance() {
	r := &w.rotation
	switch isOver := w.floor.LocalNow.Sub(r.shownSince) >= r.dwell(); {
	case isOver && r.front != nil:
		r.endInterruption()
		if !w.platforms.endInterruption() {
			r.showPage(r.currentPage().page)
		}
	case isOver:
		w.rotate(1)
	}
}

// rotate moves the rotation by delta pages. Beyond the first or the last page, it continues with
// another platform.
func (w *Kiosk) rotate(delta int) {
	r := &w.rotation
	if to := r.currentIndex + delta; w.platforms != nil && (to < 0 || to >= len(r.rotationPages)) {
		r.recordScreenCount()
		r.pageDue, r.shownByViewer = false, false
		w.platforms.showNextWall(delta)
		return
	}
	r.rotate(delta)
}

// bringToFront shows the page of a new situation. After the page of a situation, it does nothing
// until a page of the rotation has been shown, so that many situations do not stop the rotation.
func (w *Kiosk) bringToFront(situations *situation.View) {
	open := urgentSituations(situations, w.setup.FrontLevel)
	w.interruptions.dropEnded(open)
	if w.rotation.front != nil || w.rotation.pageDue {
		return
	}
	if s, target := w.interruptions.nextSituation(open, &w.rotation); s != nil {
		w.rotation.showSituation(s, target)
	}
}

// Press handles a key press. Keys can only turn pages, wake the screen and quit the program.
func (w *Kiosk) Press(msg tea.KeyPressMsg) tea.Cmd {
	r, name := &w.rotation, msg.String()
	if w.setup.QuitKey != "" && name == w.setup.QuitKey {
		return tea.Quit
	}
	delta := slices.Index([]string{"left", "", "right"}, name) - 1
	if name == "space" {
		delta = 1
	}
	to := r.currentIndex + delta
	if len(name) == 1 && name >= "1" && name <= "9" {
		if to = int(name[0] - '1'); to >= len(r.rotationPages) {
			return nil
		}
	} else if delta != 1 && delta != -1 {
		return nil
	}
	const wakes = time.Minute
	w.awakeUntil = w.floor.LocalNow.Add(wakes)
	if w.isDark {
		w.isDark = false
		to = r.currentIndex
	}
	r.endInterruption()
	w.platforms.wakeAll(w)
	w.rotate(to - r.currentIndex)
	w.shownWall().rotation.pageDue = true // prevents a situation from replacing the selected page
	return nil
}

// ShowPage shows the page with the given name for [viewerPageDuration]. It returns false if there is no
// such page.
func (w *Kiosk) ShowPage(name string) bool {
	r := &w.rotation
	page, ok := r.pages.FindPage(name)
	if !ok {
		return false
	}
	r.endInterruption()
	r.recordScreenCount()
	if index := slices.IndexFunc(r.rotationPages, func(s rotationPage) bool { return s.page == page }); index >= 0 {
		r.currentIndex = index
	}
	r.shownByViewer, r.pageDue = true, true
	r.showPage(page)
	w.platforms.selectWall(w)
	return true
}

// IgnoresMessage reports whether the board must ignore a message because it is a kiosk. A kiosk ignores
// the mouse, pasted text, and messages that open a page.
func (w *Kiosk) IgnoresMessage(msg tea.Msg) bool {
	if w == nil {
		return false
	}
	switch msg.(type) {
	case tea.PasteMsg, tea.MouseMsg, panes.OpenMsg, panes.OpenSubjectMsg:
		return true
	}
	return false
}

// TakenOverText implements [panes.Wall].
func (w *Kiosk) TakenOverText(by string) string {
	if !w.setup.FullNames || by == "" {
		return words.PaneTaken().In(w.floor.Words)
	}
	return words.PaneHasIt(by).In(w.floor.Words)
}

// Scroll implements [panes.Wall].
func (w *Kiosk) Scroll(t *table.Model) { w.rotation.scroll(t) }

// FeedIsAlive reports whether snapshots arrive as often as expected. It also returns true while the
// connection is down, because no snapshots are expected then.
func (w *Kiosk) FeedIsAlive() bool {
	const silence = 2 * time.Minute // a connected feed sends a snapshot every 15 seconds
	return w.floor.Newest == nil || !w.floor.IsLinkUp() || w.floor.LocalNow.Sub(w.lastSnapshotAt) <= silence
}
