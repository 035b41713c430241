package ui

import (
	"cmp"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/ui/panes"
	"wallboard/ui/table"
)

// Kiosk makes a board that hangs on a wall: its pages rotate, alerts bring theirs
// to the front, nobody can do anything but turn the page, and no name stands on
// it that may not.
type Kiosk struct {
	// Pages are the names of the pages to rotate; nil: the start page, then the
	// others but the feed's, and the history's where there is none.
	Pages []string
	// Dwell is how long a page stays; 0 is 20 s.
	Dwell time.Duration
	// Dwells is how long a page stays instead, by its name in lower case.
	Dwells map[string]time.Duration
	// Front is the lowest level of an alert that brings the page about it to the
	// front; Normal: none does.
	Front alert.Level
	// Active reports whether the board is to be seen at a time, of Options.Location;
	// nil: always.
	Active func(time.Time) bool
	// Names says how agents are named.
	Names model.NameMode
	// Salt and Secrets are those of [model.NewMask].
	Salt    string
	Secrets []string
	// Quit is the key that ends the board, such as "ctrl+alt+q"; "": none does.
	Quit string
}

// defaultDwell is how long a page stays when nobody says otherwise.
const defaultDwell = 20 * time.Second

// stop is a page that the board rotates through.
type stop struct {
	page  pageID
	dwell time.Duration
}

// rotation is where a kiosk is. It moves on the clock of the board only.
type rotation struct {
	scene   *scene
	page    pageID // in front
	stops   []stop
	at      int                    // the stop that is shown, or was before an alert came
	since   time.Time              // when the page came to the front, on our clock
	turns   map[pageID]int         // how many screens of a page's tables were shown before
	front   *frontage              // the alert whose page is shown; nil: the rotation's
	met     map[string]alert.Level // alerts that were in front, and how grave they were
	urgent  urgent                 // those that are grave enough for the front
	paused  bool                   // a page of the rotation comes before the next alert
	running bool                   // it has begun
	dim     bool                   // the screen is dark: nobody is there
	awake   time.Time              // until when somebody has woken it
	taken   time.Time              // when the last snapshot came, on our clock
	names   model.NameMode         // what the engine knows people by
	mask    *model.Mask
	raw     *model.Snapshot // the last one, with the names
}

// newRotation returns that of a kiosk, nil for a board that is none.
func newRotation(sc *scene) *rotation {
	if sc.Kiosk == nil {
		return nil
	}
	k := &rotation{
		scene: sc, since: sc.floor.Ours, names: model.NamesFull,
		turns: make(map[pageID]int), met: make(map[string]alert.Level),
	}
	k.hideNames()
	return k
}

// hideNames has the names treated as the options say. Who is hidden keeps his
// number. What the engine knows of people, alerts of boards before this one
// included, goes by the names that it knew them by: if they are called otherwise,
// it is forgotten.
func (k *rotation) hideNames() {
	sc := k.scene
	o := sc.Kiosk
	words := append([]string{sc.User}, o.Secrets...)
	mode := cmp.Or(o.Names, model.NamesFull)
	if k.mask == nil || mode == model.NamesFull {
		k.mask = model.NewMask(mode, o.Salt, sc.Names, words...)
	} else {
		k.mask.Follow(mode, sc.Names, words...)
	}
	if mode != k.names {
		k.names = mode
		sc.Alerts.Forget(alert.User)
	}
	if k.raw != nil {
		sc.floor.Replace(k.mask.Apply(k.raw))
	}
}

// public is a text without the names that must not stand on a kiosk.
func (sc *scene) public(text string) string {
	if sc.wall == nil {
		return text
	}
	return sc.wall.mask.Text(text)
}

// stopsOf returns the pages to rotate over; first is the one to begin with where
// nobody says which.
func (m *Model) stopsOf(o *Kiosk, first pageID) []stop {
	var out []stop
	add := func(p pageID) {
		d, ok := o.Dwells[strings.ToLower(m.pages.specs[p].Name)]
		if !ok {
			d = o.Dwell
		}
		if d <= 0 {
			d = defaultDwell
		}
		out = append(out, stop{p, d})
	}
	for _, name := range o.Pages {
		if p, ok := m.pages.named(name); ok {
			add(p)
		}
	}
	if len(out) > 0 {
		return out
	}
	add(first)
	for p := range pageID(len(m.pages.specs)) {
		empty := m.pages.is(p, pageHistory) && m.scene.History == nil
		if p != first && !m.pages.is(p, pageFeed) && !empty {
			add(p)
		}
	}
	return out
}

// firstPage is the page that a kiosk begins with: the one that it was told, or
// the one that is made for walls.
func (m *Model) firstPage() pageID {
	if m.scene.StartPage == "" {
		if p, ok := m.pages.standard(pageWall); ok {
			return p
		}
	}
	p, _ := m.pages.named(m.scene.StartPage)
	return p
}

// stop is the stop of the rotation that is shown, or was before an alert came.
func (k *rotation) stop() stop { return k.stops[k.at] }

// dwell is how long what is in front stays there.
func (k *rotation) dwell() time.Duration {
	if k.front != nil {
		return k.front.dwell
	}
	return k.stop().dwell
}

// elapsed is how long what is in front has been there.
func (k *rotation) elapsed(now time.Time) time.Duration {
	return min(max(now.Sub(k.since), 0), k.dwell())
}

// next is the stop that follows.
func (k *rotation) next() stop {
	if k.front != nil {
		return k.stop()
	}
	return k.stops[(k.at+1)%len(k.stops)]
}

// hang takes the pages to rotate over, and begins with the first of them; a
// kiosk that runs goes on with the present one if it is among them.
func (m *Model) hang() {
	k := m.scene.wall
	if k == nil {
		return
	}
	k.stops = m.stopsOf(m.scene.Kiosk, m.firstPage())
	k.at = 0
	if k.running {
		k.at = max(slices.IndexFunc(k.stops, func(s stop) bool { return s.page == m.pages.current }), 0)
	}
	k.running = true
	if page := k.stop().page; page != m.pages.current || k.front != nil {
		m.leaveFront()
		m.goTo(page)
	}
	k.page = m.pages.current
}

// goTo brings a page to the front, at its beginning.
func (m *Model) goTo(p pageID) {
	k := m.scene.wall
	m.pages.showTop(p)
	k.page = p
	k.since = m.scene.floor.Ours
	m.dirty = true
}

// turnKiosk moves the rotation on: once a second.
func (m *Model) turnKiosk() {
	k, sc := m.scene.wall, m.scene
	if k == nil {
		return
	}
	if sc.floor.Ours.Before(k.since) { // the clock was set back
		k.since = sc.floor.Ours
	}
	k.dim = sc.Kiosk.Active != nil && !sc.floor.Ours.Before(k.awake) && !sc.Kiosk.Active(sc.local(sc.floor.Ours))
	if k.dim {
		return
	}
	over := sc.floor.Ours.Sub(k.since) >= k.dwell()
	switch {
	case k.front != nil && over:
		m.leaveFront()
		m.goTo(k.stop().page)
	case over:
		m.rotate(1)
	}
	m.bringToFront()
}

// local is a time in the zone of the board.
func (sc *scene) local(t time.Time) time.Time { return t.In(sc.look.Zone()) }

// rotate goes on by so many stops.
func (m *Model) rotate(by int) {
	k := m.scene.wall
	m.turned()
	k.paused = false
	k.at = (k.at + by + len(k.stops)) % len(k.stops)
	m.goTo(k.stop().page)
}

// turned notes how many screens of long tables were shown, so that those that
// follow are when the page comes again.
func (m *Model) turned() {
	k := m.scene.wall
	if k.elapsed(k.scene.floor.Ours) == 0 {
		return
	}
	k.turns[k.page] += k.screen(k.screens()) + 1
}

// pressKiosk obeys the keys of a kiosk: they turn the page.
func (m *Model) pressKiosk(msg tea.KeyPressMsg) tea.Cmd {
	k, sc := m.scene.wall, m.scene
	name := msg.String()
	if sc.Kiosk.Quit != "" && name == sc.Kiosk.Quit {
		return tea.Quit
	}
	by := slices.Index([]string{"left", "", "right"}, name) - 1
	if name == "space" {
		by = 1
	}
	to := k.at + by
	if len(name) == 1 && name >= "1" && name <= "9" {
		if to = int(name[0] - '1'); to >= len(k.stops) {
			return nil
		}
	} else if by != 1 && by != -1 {
		return nil
	}
	const wakes = time.Minute
	k.awake = sc.floor.Ours.Add(wakes)
	if k.dim {
		k.dim = false
		to = k.at
	}
	m.leaveFront()
	m.rotate(to - k.at)
	k.paused = true // who has turned the page wants to see it
	return nil
}

// deaf reports whether a message is what nobody may do at a kiosk.
func (m *Model) deaf(msg tea.Msg) bool {
	if m.scene.wall == nil {
		return false
	}
	switch msg.(type) {
	case tea.PasteMsg, tea.MouseMsg, panes.OpenMsg, panes.CauseMsg:
		return true
	}
	return false
}

// leastScreen is how long a screen of a long table stays at least.
const leastScreen = 4 * time.Second

// screens is how many screens of a long table are shown while its page is in
// front.
func (k *rotation) screens() int { return max(int(k.dwell()/leastScreen), 1) }

// screen is the number of the screen that is shown now, of n in a dwell.
func (k *rotation) screen(n int) int {
	return min(int(k.elapsed(k.scene.floor.Ours)*time.Duration(n)/k.dwell()), n-1)
}

// Scroll implements [Wall]: it has a table show the rows whose turn it is, or the one that an alert is
// about. A table with more screens than its page has time for goes on with the
// others at the next turn.
func (k *rotation) Scroll(t *table.Model) {
	if k.front != nil && t.Reveal(k.front.key) {
		return
	}
	h := t.Height() - 1
	_, rows, _ := t.Position()
	if h <= 0 || rows <= h {
		t.ScrollTo(0)
		return
	}
	n := (rows + h - 1) / h
	if n <= k.screens() {
		t.ScrollTo(k.screen(n) * h)
		return
	}
	t.ScrollTo((k.turns[k.page] + k.screen(k.screens())) % n * h)
}

// beat tells who watches over the board that it is alive: that it draws, and that
// the feed speaks when it should.
func (m *Model) beat() {
	k, sc := m.scene.wall, m.scene
	if k == nil || sc.Beat == nil {
		return
	}
	const silence = 2 * time.Minute // a connection that is up brings news every 15 s
	if sc.floor.Newest != nil && sc.floor.LinkUp() && sc.floor.Ours.Sub(k.taken) > silence {
		return
	}
	sc.Beat()
}

// take takes the names out of a snapshot before anything looks at it.
func (k *rotation) take(s *model.Snapshot) *model.Snapshot {
	k.taken = k.scene.Now()
	if s != nil {
		k.raw = s
	}
	return k.mask.Apply(s)
}

// rehang has a kiosk go by other options.
func (m *Model) rehang() {
	if k := m.scene.wall; k != nil {
		k.hideNames()
		m.hang()
	}
}

// hint is a remark about a key, which nobody at a kiosk can press.
func (sc *scene) hint(text string) string {
	if sc.wall != nil {
		return ""
	}
	return text
}
