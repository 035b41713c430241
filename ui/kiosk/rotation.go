package kiosk

import (
	"slices"
	"time"

	"wallboard/internal/lib/textnorm"
	"wallboard/ui/snapshot"
	"wallboard/ui/table"
)

// defaultDwell is how long a page stays by default.
const defaultDwell = 20 * time.Second

// rotationStop is a page in the rotation and how long it stays.
type rotationStop struct {
	page  int
	dwell time.Duration
}

// rotation is the state of a kiosk's rotation.
type rotation struct {
	floor        *snapshot.View // contains the clock
	pages        Pages
	shownPage    int // the page on the screen
	stops        []rotationStop
	currentStop  int         // index of the current stop, also while a situation's page is in front
	since        time.Time   // time at which the page came to the front, on the local clock
	screensShown map[int]int // by page: number of screens of its tables shown so far
	front        *frontPage  // page in front because of a situation; nil: none
	pageDue      bool        // a page of the rotation comes before the next situation
	heldByViewer bool        // another viewer has selected the page
	started      bool
	// notFirstPlatform is true on all but the first of several platforms. Only the first one shows
	// the page Sites.
	notFirstPlatform bool
}

// setPages sets the pages of the rotation. A running rotation continues with the current page
// if it is still included.
func (r *rotation) setPages(o *Setup) {
	r.stops = r.stopsOf(o)
	r.currentStop = 0
	if r.started {
		r.currentStop = max(slices.IndexFunc(r.stops, func(s rotationStop) bool { return s.page == r.pages.Current() }), 0)
	}
	r.started = true
	if page := r.stop().page; page != r.pages.Current() || r.front != nil {
		r.leaveFront()
		r.showPage(page)
	}
	r.shownPage = r.pages.Current()
}

// stopsOf returns the stops for a setup.
func (r *rotation) stopsOf(o *Setup) []rotationStop {
	var out []rotationStop
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
		out = append(out, rotationStop{p, d})
	}
	for _, name := range o.Pages {
		if p, ok := r.pages.Named(name); ok {
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
		for _, name := range farPages {
			if p, ok := r.standardIndex(name); ok {
				add(p)
			}
		}
		return out
	}
	first := r.firstPage(o)
	add(first)
	for p := range r.pages.Len() {
		empty := o.NoHistory && r.pages.IsStandard(p, pageHistory)
		if p != first && !r.pages.IsStandard(p, pageFeed) && !empty {
			add(p)
		}
	}
	return slices.DeleteFunc(out, r.isOnOtherWall)
}

// isOnOtherWall reports whether only the wall of another platform shows a page.
func (r *rotation) isOnOtherWall(s rotationStop) bool {
	return r.notFirstPlatform && r.pages.IsStandard(s.page, pageSites)
}

// hasOwnPage reports whether the wall has a page of its own.
func (r *rotation) hasOwnPage() bool { return !slices.ContainsFunc(r.stops, r.isOnOtherWall) }

// firstPage returns the first page: the configured one or the page Wall.
func (r *rotation) firstPage(o *Setup) int {
	if o.StartPage == "" {
		if p, ok := r.standardIndex(pageWall); ok {
			return p
		}
	}
	p, _ := r.pages.Named(o.StartPage)
	return p
}

// standardIndex returns the index of a standard page.
func (r *rotation) standardIndex(name string) (int, bool) {
	for p := range r.pages.Len() {
		if r.pages.IsStandard(p, name) {
			return p, true
		}
	}
	return 0, false
}

// stop returns the current stop, also while a situation's page is in front.
func (r *rotation) stop() rotationStop { return r.stops[r.currentStop] }

// next returns the stop after the page on the screen.
func (r *rotation) next() rotationStop {
	if r.front != nil {
		return r.stop()
	}
	return r.stops[(r.currentStop+1)%len(r.stops)]
}

// dwell returns how long the page in front stays.
func (r *rotation) dwell() time.Duration {
	if r.front != nil {
		return r.front.dwell
	}
	if r.heldByViewer {
		return heldDuration
	}
	return r.stop().dwell
}

// heldDuration is how long a page stays after another viewer has selected it.
const heldDuration = 2 * time.Minute

// elapsed returns how long the page has been in front.
func (r *rotation) elapsed() time.Duration {
	return min(max(r.floor.LocalNow.Sub(r.since), 0), r.dwell())
}

// showPage brings a page to the front, scrolled to its top.
func (r *rotation) showPage(page int) {
	r.pages.ShowTop(page)
	r.shownPage, r.since = page, r.floor.LocalNow
}

// handleClockSetBack restarts the dwell time of the page if the clock was set back.
func (r *rotation) handleClockSetBack() {
	if r.floor.LocalNow.Before(r.since) {
		r.since = r.floor.LocalNow
	}
}

// rotate moves by delta stops.
func (r *rotation) rotate(delta int) {
	r.countScreens()
	r.pageDue, r.heldByViewer = false, false
	r.currentStop = (r.currentStop + delta + len(r.stops)) % len(r.stops)
	r.showPage(r.stop().page)
}

// countScreens counts the shown screens of long tables, so that the page continues with the next
// screens at its next turn.
func (r *rotation) countScreens() {
	if r.elapsed() == 0 {
		return
	}
	r.screensShown[r.shownPage] += r.currentScreen(r.screensPerTurn()) + 1
}

// leaveFront returns from a situation's page to the rotation. It does not show a page.
func (r *rotation) leaveFront() {
	if r.front == nil {
		return
	}
	r.floor.Channel = r.front.returnChannel
	r.front, r.pageDue = nil, true
}

// minScreenTime is the minimum time for a screen of a long table.
const minScreenTime = 4 * time.Second

// screensPerTurn returns the number of screens of a long table that fit into the dwell time.
func (r *rotation) screensPerTurn() int { return max(int(r.dwell()/minScreenTime), 1) }

// currentScreen returns the index of the current one of n screens.
func (r *rotation) currentScreen(n int) int {
	return min(int(r.elapsed()*time.Duration(n)/r.dwell()), n-1)
}

// scroll scrolls a table to its current screen, or to the row of the situation in front. A
// table with too many screens continues at the next turn of its page.
func (r *rotation) scroll(t *table.Model) {
	if r.front != nil && t.Reveal(r.front.rowKey) {
		return
	}
	h := t.Height() - 1 - t.KeptRows()
	_, rows, _ := t.Position()
	rows -= t.KeptRows()
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
