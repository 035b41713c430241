package ui

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/model/past"
	"wallboard/themes"
	"wallboard/ui/chrome"
	"wallboard/ui/dialog"
	"wallboard/ui/floor"
	"wallboard/ui/look"
	"wallboard/ui/panes"
)

// pastView is one view of the page about what has been.
type pastView int

const (
	pastDay    pastView = iota // a day by the hour, against what is usual
	pastHeat                   // weekdays by the hour, over some weeks
	pastGroups                 // who had how many
	pastCalls                  // contacts that were searched for
	pastPeople                 // the address book

	numPastViews
)

// String returns the name on the view's tab.
func (v pastView) String() string {
	return [...]string{"Day", "Weeks", "By organization", "Search", "Address book"}[v]
}

// pastPage is the page about what has been. What it shows was asked of the
// statistical data service; the live figures have no part in it, so it is never
// stale and does not freeze.
type pastPage struct {
	sc      *scene
	keys    *KeyMap
	showing pastView
	kind    past.Kind
	day     time.Time // a day to look at; zero: today, whatever day that is
	// Of some views only.
	weeks  int  // of pastWeeks
	by     int  // of what the platform groups by
	month  bool // the groups of the whole month
	search callQuery
	people peopleQuery
	open   string // the contact whose steps are shown, "" for the list

	panels [numPastViews]pastPanel
	lists  [numPastViews]*pastTable // nil: the view has none
	text   dialog.Scroller          // of the groups, and of the steps
	jobs   uint64
	budget past.Budget // as of the last answer

	tabs []chrome.Tab // where the views' names stand
	y    int
}

func newPastPage(sc *scene, keys *KeyMap) *pastPage {
	p := &pastPage{sc: sc, keys: keys}
	p.lists[pastCalls] = newPastTable(sc, callColumns(), "start", true)
	p.lists[pastPeople] = newPastTable(sc, peopleColumns(), "name", false)
	return p
}

func (p *pastPage) Crumb(*panes.Scene) string { return pageHistory.String() }

// Status says which lines are in view, where they are not all, else how much of
// the platform's limit of requests is used.
func (p *pastPage) Status(*panes.Scene) look.Position {
	sc := p.sc
	if s := panes.PlaceIn(sc.look, &p.text); s.Text != "" {
		return s
	}
	if sc.History == nil || p.budget.Limit == 0 {
		return look.Position{}
	}
	text := sc.look.Count(p.budget.Used) + " of " + sc.look.Count(p.budget.Limit) + " requests"
	if !p.budget.Slow.IsZero() {
		text += " (slowed down)"
	}
	return look.Position{Text: text}
}

func (p *pastPage) Subs() []model.Op     { return nil }
func (p *pastPage) Refresh(*panes.Scene) {}

func (p *pastPage) Focused() *panes.RecordTable { return nil }

func (p *pastPage) Charted(*panes.Scene) (k alert.Key, ok, known bool) { return k, false, true }

// Carry implements page: nothing of another past is worth keeping.
func (p *pastPage) Carry(*panes.Scene, panes.Page) {}

func (p *pastPage) Pointed() (of floor.Kind, key string, on model.Channel, ok bool) {
	return 0, "", "", false
}

func (p *pastPage) Tables() int       { return 1 }
func (p *pastPage) Flashing() bool    { return false }
func (p *pastPage) panel() *pastPanel { return &p.panels[p.showing] }

func (p *pastPage) Restyle(*panes.Scene) {
	for _, t := range p.lists {
		if t != nil {
			t.restyle(p.sc)
		}
	}
}

// today is when the present day of the contact center began.
func (p *pastPage) today(sc *scene) time.Time {
	return past.StartOfDay(sc.floor.Server(sc.floor.Ours).In(sc.History.Location()), 0)
}

// date is the day that is looked at.
func (p *pastPage) date(sc *scene) time.Time {
	if p.day.IsZero() {
		return p.today(sc)
	}
	return p.day
}

// turnDay goes to an earlier day, or a later one, but none that is to come.
func (p *pastPage) turnDay(sc *scene, by int) {
	step := func(t time.Time) time.Time { return past.StartOfDay(t, by) }
	switch {
	case p.showing == pastHeat && !p.ofMonth():
		step = func(t time.Time) time.Time { return past.StartOfDay(t, 7*by*pastWeeks()[p.weeks]) }
	case p.ofMonth():
		step = func(t time.Time) time.Time { return past.StartOfMonth(t, by) }
	}
	if p.day = step(p.date(sc)); !p.day.Before(p.today(sc)) {
		p.day = time.Time{}
	}
}

// ofMonth reports whether the view is of a whole month of the calendar.
func (p *pastPage) ofMonth() bool {
	return p.showing == pastGroups && p.month || p.showing == pastHeat && pastWeeks()[p.weeks] == aMonth
}

// turnKind goes to another kind of contact.
func (p *pastPage) turnKind(by int) {
	n := len(past.Kinds())
	p.kind = past.Kinds()[(int(p.kind)+by+n)%n]
}

// turnView goes to another view. What the present one waits for is called off.
func (p *pastPage) turnView(to int) {
	p.leave()
	p.showing = pastView((to + int(numPastViews)) % int(numPastViews))
	p.open = ""
	p.text.Top()
}

// leave calls off what the page waits for.
func (p *pastPage) leave() {
	for v := range p.panels {
		p.panels[v].stop()
	}
}

// Update obeys the mouse; keys come by [Model.pressPast].
func (p *pastPage) Update(_ *panes.Scene, msg tea.Msg) tea.Cmd {
	t := p.lists[p.showing]
	switch msg := msg.(type) {
	case tea.MouseClickMsg:
		for i, tab := range p.tabs {
			if msg.Button == tea.MouseLeft && msg.Y == p.y && msg.X >= tab.X && msg.X < tab.To {
				p.turnView(i)
				return nil
			}
		}
		if t != nil && p.open == "" {
			t.table.Update(msg)
		}
	case tea.MouseWheelMsg:
		if t != nil && p.open == "" {
			t.table.Update(msg)
		} else {
			p.text.Wheel(msg)
		}
	}
	return nil
}

// lowPage is the height below which no line is left blank.
const lowPage = 12

// View draws the views' names, and the present view below them.
func (p *pastPage) View(_ *panes.Scene, x, y, w, h int) []string {
	sc := p.sc
	if sc.History == nil {
		return look.FitLines(sc.noHistory(w), w, h, sc.look.Glyphs.Ellipsis)
	}
	var out []string
	if sc.wall == nil {
		p.y = y
		out = append(out, p.viewLine(sc, x, w))
	}
	note := p.note(sc, w)
	if h < lowPage {
		note = note[:1] // without the blank line
	}
	out = append(out, note...)
	room := h - len(out)
	p.text.Forget() // unless the view is one that scrolls
	if t := p.lists[p.showing]; t != nil {
		t.table.SetSize(0, 0) // so that no click finds one that is not shown
	}
	if why := p.why(sc); why != "" {
		out = append(out, inParagraph(sc, themes.Text, why, w)...)
		return look.FitLines(out, w, h, sc.look.Glyphs.Ellipsis)
	}
	switch p.showing {
	case pastDay:
		out = append(out, p.drawDay(sc, w, room)...)
	case pastHeat:
		out = append(out, p.drawHeat(sc, x, y+len(out), w, room)...)
	case pastGroups:
		out = append(out, p.drawGroups(sc, x, y+len(out), w, room)...)
	case pastCalls:
		out = append(out, p.drawCalls(sc, x, y+len(out), w, room)...)
	case pastPeople:
		out = append(out, p.drawPeople(sc, x, y+len(out), w, room)...)
	case numPastViews:
	}
	return look.FitLines(out, w, h, sc.look.Glyphs.Ellipsis)
}

// noHistory says that there is nothing to ask, and what to do about it.
func (sc *scene) noHistory(w int) []string {
	var out []string
	for _, text := range []string{
		"[history] is not configured: this board knows only what it has seen since it was started.",
		"With it, this page shows the day against the same weekday's last four, the weeks by hour, who had how many contacts, " +
			"searches for past calls, and the address book.",
		"To have it, write url and api_key under [history] in the configuration. The key is in the platform's administration " +
			"console, Advanced, data model. The board has it from then on.",
	} {
		out = append(out, "")
		out = append(out, inParagraph(sc, themes.Text, text, w)...)
	}
	return out
}

// inParagraph returns a sentence in lines that are easy to read, off the edge.
func inParagraph(sc *scene, t themes.Token, text string, w int) []string {
	lines := sc.look.Said(t, text, max(min(w-2, dialog.SheetWidth), 1))
	for i := range lines {
		lines[i] = " " + lines[i]
	}
	return lines
}

// viewLine names the views. Where there is no room for all, the present one
// stays.
func (p *pastPage) viewLine(sc *scene, x, w int) string {
	l := look.NewLine(w, sc.look.Glyphs.Ellipsis)
	p.tabs = p.tabs[:0]
	first := 0
	for width := w + 1; width > w && first <= int(p.showing); first++ {
		width = 0
		for v := first; v <= int(p.showing); v++ {
			width += look.Width(pastView(v).String()) + 2
		}
		if width <= w {
			break
		}
	}
	for v := range numPastViews {
		text := " " + v.String() + " "
		if int(v) < first || look.Width(text) > l.Room() {
			p.tabs = append(p.tabs, chrome.Tab{})
			continue
		}
		p.tabs = append(p.tabs, chrome.Tab{X: x + l.Used(), To: x + l.Used() + look.Width(text)})
		switch {
		case v != p.showing:
			l.Add(sc.look.Style(themes.Dim), text)
		case sc.look.Mono:
			l.Add(sc.look.Style(themes.Selection), "["+strings.TrimSpace(text)+"]")
		default:
			l.Add(sc.look.Style(themes.Selection), text)
		}
	}
	return l.End(themes.Style{})
}
