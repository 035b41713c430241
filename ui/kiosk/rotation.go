package kiosk

import (
	"slices"
	"strings"
	"time"

	"wallboard/ui/floor"
	"wallboard/ui/table"
)

// defaultDwell is how long a page stays when nobody says otherwise.
const defaultDwell = 20 * time.Second

// stop is a page that the board rotates through.
type stop struct {
	page  int
	dwell time.Duration
}

// rotation is where a kiosk is among its pages.
type rotation struct {
	floor  *floor.View // has the clock
	pages  Pages
	page   int // in front
	stops  []stop
	at     int         // the stop that is shown, or was before an alert came
	since  time.Time   // when the page came to the front, on our clock
	turns  map[int]int // how many screens of a page's tables were shown before
	front  *frontage   // the alert whose page is shown; nil: the rotation's
	paused bool        // a page of the rotation comes before the next alert
	held   bool        // somebody elsewhere has turned to the page
	begun  bool
	// further says that the floor is not of the first of several platforms: the page
	// about all of them is among the first one's.
	further bool
}

// follow takes the pages to rotate over, and begins with the first of them; a
// rotation that runs goes on with the present one if it is among them.
func (r *rotation) follow(o *Setup) {
	r.stops = r.stopsOf(o)
	r.at = 0
	if r.begun {
		r.at = max(slices.IndexFunc(r.stops, func(s stop) bool { return s.page == r.pages.Current() }), 0)
	}
	r.begun = true
	if page := r.stop().page; page != r.pages.Current() || r.front != nil {
		r.leaveFront()
		r.goTo(page)
	}
	r.page = r.pages.Current()
}

// stopsOf returns the pages to rotate over.
func (r *rotation) stopsOf(o *Setup) []stop {
	var out []stop
	add := func(p int) {
		d, ok := o.Dwells[strings.ToLower(r.pages.Name(p))]
		if !ok {
			d = o.Dwell
		}
		if d <= 0 {
			d = defaultDwell
		}
		out = append(out, stop{p, d})
	}
	for _, name := range o.Pages {
		if p, ok := r.pages.Named(name); ok {
			add(p)
		}
	}
	if own := slices.DeleteFunc(slices.Clone(out), r.elsewhere); len(own) > 0 {
		return own
	}
	if len(out) > 0 {
		return out
	}
	if o.Standard {
		for _, name := range afar {
			if p, ok := r.standard(name); ok {
				add(p)
			}
		}
		return out
	}
	first := r.first(o)
	add(first)
	for p := range r.pages.Len() {
		empty := o.NoHistory && r.pages.Is(p, pageHistory)
		if p != first && !r.pages.Is(p, pageFeed) && !empty {
			add(p)
		}
	}
	return slices.DeleteFunc(out, r.elsewhere)
}

// elsewhere reports whether a page is shown on the wall of another platform.
func (r *rotation) elsewhere(s stop) bool { return r.further && r.pages.Is(s.page, pageSites) }

// has reports whether there is a page of its own to show.
func (r *rotation) has() bool { return !slices.ContainsFunc(r.stops, r.elsewhere) }

// first is the page to begin with: the one that was asked for, or the one that is
// made for walls.
func (r *rotation) first(o *Setup) int {
	if o.Start == "" {
		if p, ok := r.standard(pageWall); ok {
			return p
		}
	}
	p, _ := r.pages.Named(o.Start)
	return p
}

// standard returns the place of a standard page.
func (r *rotation) standard(name string) (int, bool) {
	for p := range r.pages.Len() {
		if r.pages.Is(p, name) {
			return p, true
		}
	}
	return 0, false
}

// stop is the stop that is shown, or was before an alert came.
func (r *rotation) stop() stop { return r.stops[r.at] }

// next is the stop that follows.
func (r *rotation) next() stop {
	if r.front != nil {
		return r.stop()
	}
	return r.stops[(r.at+1)%len(r.stops)]
}

// dwell is how long what is in front stays there.
func (r *rotation) dwell() time.Duration {
	if r.front != nil {
		return r.front.dwell
	}
	if r.held {
		return heldFor
	}
	return r.stop().dwell
}

// heldFor is how long a page stays that somebody elsewhere has turned to.
const heldFor = 2 * time.Minute

// elapsed is how long what is in front has been there.
func (r *rotation) elapsed() time.Duration {
	return min(max(r.floor.Ours.Sub(r.since), 0), r.dwell())
}

// goTo brings a page to the front, at its beginning.
func (r *rotation) goTo(page int) {
	r.pages.ShowTop(page)
	r.page, r.since = page, r.floor.Ours
}

// steady follows a clock that was set back.
func (r *rotation) steady() {
	if r.floor.Ours.Before(r.since) {
		r.since = r.floor.Ours
	}
}

// rotate goes on by so many stops.
func (r *rotation) rotate(by int) {
	r.turned()
	r.paused, r.held = false, false
	r.at = (r.at + by + len(r.stops)) % len(r.stops)
	r.goTo(r.stop().page)
}

// turned notes how many screens of long tables were shown, so that those that
// follow are when the page comes again.
func (r *rotation) turned() {
	if r.elapsed() == 0 {
		return
	}
	r.turns[r.page] += r.screen(r.screens()) + 1
}

// leaveFront gives the rotation back what an alert has shown.
func (r *rotation) leaveFront() {
	if r.front == nil {
		return
	}
	r.floor.Channel = r.front.back
	r.front, r.paused = nil, true
}

// leastScreen is how long a screen of a long table stays at least.
const leastScreen = 4 * time.Second

// screens is how many screens of a long table are shown while its page is in
// front.
func (r *rotation) screens() int { return max(int(r.dwell()/leastScreen), 1) }

// screen is the number of the screen that is shown now, of n in a dwell.
func (r *rotation) screen(n int) int {
	return min(int(r.elapsed()*time.Duration(n)/r.dwell()), n-1)
}

// scroll has a table show the rows whose turn it is, or the one that an alert is
// about. A table with more screens than its page has time for goes on with the
// others at the next turn.
func (r *rotation) scroll(t *table.Model) {
	if r.front != nil && t.Reveal(r.front.key) {
		return
	}
	h := t.Height() - 1 - t.Kept()
	_, rows, _ := t.Position()
	rows -= t.Kept()
	if h <= 0 || rows <= h {
		t.ScrollTo(0)
		return
	}
	n := (rows + h - 1) / h
	if n <= r.screens() {
		t.ScrollTo(r.screen(n) * h)
		return
	}
	t.ScrollTo((r.turns[r.page] + r.screen(r.screens())) % n * h)
}
