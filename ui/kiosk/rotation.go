package kiosk

import (
	"slices"
	"time"

	"wallboard/internal/lib/textnorm"
	"wallboard/ui/floorview"
	"wallboard/ui/table"
)

// defaultDwell is how long a page stays on the screen by default.
const defaultDwell = 20 * time.Second

// rotationPage is a page of the rotation, with the time that it stays on the screen.
type rotationPage struct {
	page  int
	dwell time.Duration
}

type rotation struct {
	floor         *floorview.View // also provides the local clock
	pages         Pages
	shownPage     int // the page on the screen
	rotationPages []rotationPage
	currentIndex  int               // index in rotationPages of the page that is due, even while another page is in front
	shownSince    time.Time         // when the page came to the front, on the local clock
	screensShown  map[int]int       // number of screens of its tables that each page has shown so far
	front         *interruptingPage // page in front because of a situation; nil: none
	pageDue       bool              // a page of the rotation must be shown before another situation
	shownByViewer bool              // a viewer of another board has selected the page
	started       bool
	// notFirstPlatform is true for all platforms except the first. The page Sites is shown only on
	// the wall of the first platform.
	notFirstPlatform bool
}

// setPages determines the pages of the rotation from a setup. A running rotation continues with the
// page on the screen if that is one of them. Otherwise the rotation starts with the first page.
func (r *rotation) setPages(o *Setup) {
	r.rotationPages = r.pagesOf(o)
	r.currentIndex = 0
	if r.started {
		r.currentIndex = max(slices.IndexFunc(r.rotationPages, func(s rotationPage) bool { return s.page == r.pages.Current() }), 0)
	}
	r.started = true
	if page := r.currentPage().page; page != r.pages.Current() || r.front != nil {
		r.endInterruption()
		r.showPage(page)
	}
	r.shownPage = r.pages.Current()
}

// pagesOf returns the pages of the rotation for a setup.
func (r *rotation) pagesOf(o *Setup) []rotationPage {
	var out []rotationPage
	add := func(p int) {
		d := o.Dwell
		for page, other := range o.DwellByPage {
			if textnorm.SameName(page, r.pages.Name(p)) {
				d = other
			}
		}
		if d <= 0 {
			d = defaultDwell
		}
		out = append(out, rotationPage{p, d})
	}
	for _, name := range o.Pages {
		if p, ok := r.pages.FindPage(name); ok {
			add(p)
		}
	}
	if ownStops := slices.DeleteFunc(slices.Clone(out), r.isOnOtherWall); len(ownStops) > 0 {
		return ownStops
	}
	if len(out) > 0 {
		return out
	}
	if o.HasStandardPages {
		for _, name := range distanceReadablePages {
			if p, ok := r.standardIndex(name); ok {
				add(p)
			}
		}
		return out
	}
	first := r.firstPage(o)
	add(first)
	for p := range r.pages.Len() {
		empty := o.HasNoHistory && r.pages.IsStandard(p, pageHistory)
		if p != first && !r.pages.IsStandard(p, pageFeed) && !empty {
			add(p)
		}
	}
	return slices.DeleteFunc(out, r.isOnOtherWall)
}

// isOnOtherWall reports whether the page s is shown only on the wall of the first platform, because
// it looks the same for all platforms.
func (r *rotation) isOnOtherWall(s rotationPage) bool {
	return r.notFirstPlatform && r.pages.IsStandard(s.page, pageSites)
}

// hasOwnPage reports whether this wall has pages to show. It returns false if its pages are shown
// only on the wall of another platform.
func (r *rotation) hasOwnPage() bool { return !slices.ContainsFunc(r.rotationPages, r.isOnOtherWall) }

// firstPage returns the index of the configured start page. If none is configured, it returns the
// index of the page Wall.
func (r *rotation) firstPage(o *Setup) int {
	if o.StartPage == "" {
		if p, ok := r.standardIndex(pageWall); ok {
			return p
		}
	}
	p, _ := r.pages.FindPage(o.StartPage)
	return p
}

// standardIndex returns the index of the standard page with the given name. The bool result is
// false if the board does not have this page.
func (r *rotation) standardIndex(name string) (int, bool) {
	for p := range r.pages.Len() {
		if r.pages.IsStandard(p, name) {
			return p, true
		}
	}
	return 0, false
}

// currentPage returns the current page of the rotation, even while the page of a situation is in front.
func (r *rotation) currentPage() rotationPage { return r.rotationPages[r.currentIndex] }

// next returns the page of the rotation that follows the page on the screen.
func (r *rotation) next() rotationPage {
	if r.front != nil {
		return r.currentPage()
	}
	return r.rotationPages[(r.currentIndex+1)%len(r.rotationPages)]
}

// dwell returns how long the page on the screen stays there.
func (r *rotation) dwell() time.Duration {
	if r.front != nil {
		return r.front.dwell
	}
	if r.shownByViewer {
		return viewerPageDuration
	}
	return r.currentPage().dwell
}

// viewerPageDuration is how long a page stays on the screen after a viewer of another board has selected
// it.
const viewerPageDuration = 2 * time.Minute

// elapsed returns how long the page has been on the screen, but at most the result of dwell.
func (r *rotation) elapsed() time.Duration {
	return min(max(r.floor.LocalNow.Sub(r.shownSince), 0), r.dwell())
}

// showPage brings a page to the front, without its detail pages.
func (r *rotation) showPage(page int) {
	r.pages.ShowTop(page)
	r.shownPage, r.shownSince = page, r.floor.LocalNow
}

// handleClockSetBack restarts the time of the page on the screen if the clock was set back.
func (r *rotation) handleClockSetBack() {
	if r.floor.LocalNow.Before(r.shownSince) {
		r.shownSince = r.floor.LocalNow
	}
}

// rotate moves the rotation by delta pages and shows the new page.
func (r *rotation) rotate(delta int) {
	r.recordScreenCount()
	r.pageDue, r.shownByViewer = false, false
	r.currentIndex = (r.currentIndex + delta + len(r.rotationPages)) % len(r.rotationPages)
	r.showPage(r.currentPage().page)
}

// recordScreenCount records how many screens of its long tables the page now shown has displayed, so
// that its next turn continues with the following screens.
func (r *rotation) recordScreenCount() {
	if r.elapsed() == 0 {
		return
	}
	r.screensShown[r.shownPage] += r.currentScreen(r.screensPerTurn()) + 1
}

// endInterruption ends the interruption by the page of a situation and restores the channel. The caller
// must then show a page of the rotation.
func (r *rotation) endInterruption() {
	if r.front == nil {
		return
	}
	r.floor.Channel = r.front.returnChannel
	r.front, r.pageDue = nil, true
}

// minScreenTime is the minimum time that a screen of a long table stays visible.
const minScreenTime = 4 * time.Second

// screensPerTurn returns how many screens of a long table are shown each time the page is shown.
func (r *rotation) screensPerTurn() int { return max(int(r.dwell()/minScreenTime), 1) }

// currentScreen returns the index of the screen that must now be visible if n screens share the
// time of the page.
func (r *rotation) currentScreen(n int) int {
	return min(int(r.elapsed()*time.Duration(n)/r.dwell()), n-1)
}

// scroll scrolls a table to the row of the situation in front or, if there is none, to the current
// screen of the table. If the table has more screens than can be shown in the time of the page, the
// next turn of the page continues with the following screens.
func (r *rotation) scroll(t *table.Model) {
	if r.front != nil && t.Reveal(r.front.rowKey) {
		return
	}
	h := t.Height() - 1 - t.FrozenRows()
	_, rows, _ := t.Position()
	rows -= t.FrozenRows()
	if h <= 0 || rows <= h {
		t.ScrollTo(0)
		return
	}
	n := (rows + h - 1) / h
	if n <= r.screensPerTurn() {
		t.ScrollTo(r.currentScreen(n) * h)
		return
	}
	t.ScrollTo((r.screensShown[r.shownPage] + r.currentScreen(r.screensPerTurn())) % n * h)
}
