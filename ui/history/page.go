package history

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/model/past"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/floor"
	"wallboard/ui/look"
	"wallboard/ui/panes"
)

// view is one view of the page. What it draws is an answer to a question of its own.
type view interface {
	// question returns what there is to ask now, nil for nothing.
	question() question
	// took is told of another answer, nil: of none.
	took(answer any)
	// about says what is shown, in the line above it.
	about(w int) string
	// invites says how to ask for something, "" where the page asks by itself.
	invites() string
	// empty says why there is nothing to see in an answer, "" when there is.
	empty(answer any) string
	// draw draws an answer at a place on the screen.
	draw(answer any, x, y, w, h int) []string
	// forget has no mouse and no key find what is not drawn this time.
	forget()
	// top goes back to where the view begins.
	top()
	// lines are those that are scrolled, nil where none are.
	lines() *dialog.Scroller
	// press obeys a key, and reports whether it did.
	press(msg tea.KeyPressMsg) bool
	// point obeys the mouse.
	point(msg tea.Msg)
	// back closes what is open, and reports whether anything was.
	back() bool
	// search opens the form that asks what to look for. again asks for it.
	search(again func() tea.Cmd) tea.Cmd
	// keys are those that matter now; found reports whether there is an answer.
	keys(found bool) []key.Binding
	// sheet is an answer as a table for other programs.
	sheet(answer any) sheet
	restyle()
}

// viewNames are the names on the views' tabs.
func viewNames() []string {
	return []string{"Day", "Weeks", "By organization", "Search", "Address book"}
}

// shown is a view, and who asks its questions.
type shown struct {
	view
	asker *asker
}

// Page is the page about what has been. What it shows was asked of the statistical
// data service, so it is never stale and does not freeze.
type Page struct {
	board  *Board
	keys   *Keys
	others Others
	chosen *chosen
	budget past.Budget // as of the last answer

	views []shown
	at    int // the one that is shown

	tabs []span // where the views' names stand
	y    int
}

// span is where something stands on a line: from x to before another place.
type span struct{ from, to int }

// New returns the page of a board. The keys are those of the page, others those that
// mean the same on other pages.
func New(b Board, keys *Keys, others Others) *Page {
	c := &chosen{board: &b}
	p := &Page{board: &b, keys: keys, others: others, chosen: c}
	for _, v := range []view{
		&dayView{chosen: c, page: keys, others: others},
		&weeksView{chosen: c, page: keys, others: others},
		&groupsView{chosen: c, page: keys, others: others},
		newCallsView(c, keys, others),
		newPeopleView(&b, keys, others),
	} {
		p.views = append(p.views, shown{v, &asker{board: &b, budget: &p.budget, took: v.took}})
	}
	return p
}

var (
	_ panes.Page    = (*Page)(nil)
	_ panes.Presser = (*Page)(nil)
)

// Crumb implements [panes.Page].
func (p *Page) Crumb(*panes.Scene) string { return "History" }

// Status implements [panes.Page]: it says which lines are in view, where they are not
// all, else how much of the platform's limit of requests is used.
func (p *Page) Status(*panes.Scene) look.Position {
	if text := p.now().lines(); text != nil {
		if s := panes.PlaceIn(p.board.look(), text); s.Text != "" {
			return s
		}
	}
	if p.board.Reader == nil || p.budget.Limit == 0 {
		return look.Position{}
	}
	lk := p.board.look()
	text := lk.Count(p.budget.Used) + " of " + lk.Count(p.budget.Limit) + " requests"
	if !p.budget.Slow.IsZero() {
		text += " (slowed down)"
	}
	return look.Position{Text: text}
}

// Subs implements [panes.Page]: it shows no live figures.
func (p *Page) Subs() []model.Op { return nil }

// Refresh implements [panes.Page].
func (p *Page) Refresh(*panes.Scene) {}

// Focused implements [panes.Page]: what it lists are no records.
func (p *Page) Focused() *panes.RecordTable { return nil }

// Charted implements [panes.Page].
func (p *Page) Charted(*panes.Scene) (k alert.Key, ok, known bool) { return k, false, true }

// Carry implements [panes.Page]: nothing of another history is worth keeping.
func (p *Page) Carry(*panes.Scene, panes.Page) {}

// Pointed implements [panes.Page].
func (p *Page) Pointed() (of floor.Kind, key string, on model.Channel, ok bool) {
	return 0, "", "", false
}

// Tables implements [panes.Page].
func (p *Page) Tables() int { return 1 }

// Flashing implements [panes.Page].
func (p *Page) Flashing() bool { return false }

// Restyle implements [panes.Page].
func (p *Page) Restyle(*panes.Scene) {
	for _, v := range p.views {
		v.restyle()
	}
}

func (p *Page) now() *shown { return &p.views[p.at] }

// Turn goes to another kind of contact.
func (p *Page) Turn(by int) { p.chosen.turnKind(by) }

// Show goes to a view. What the present one waits for is called off.
func (p *Page) Show(at int) {
	p.leave()
	n := len(p.views)
	p.at = (at + n) % n
	p.now().top()
}

// Tend asks what the view that is shown needs to know, while the page is in front,
// else it calls off what the page waits for. It runs before every view; one question
// is under way at a time.
func (p *Page) Tend(front bool) tea.Cmd {
	if !front {
		p.leave()
		return nil
	}
	if p.board.Reader == nil {
		return nil
	}
	return p.now().asker.tend(p.now().question())
}

// leave calls off what the page waits for.
func (p *Page) leave() {
	for _, v := range p.views {
		v.asker.stop()
	}
}

// again asks anew what the view shows.
func (p *Page) again() tea.Cmd { return p.now().asker.again(p.now().question()) }

// Update implements [panes.Page]: it obeys the mouse. Keys come by [Page.Press].
func (p *Page) Update(_ *panes.Scene, msg tea.Msg) tea.Cmd {
	if msg, ok := msg.(tea.MouseClickMsg); ok {
		for i, tab := range p.tabs {
			if msg.Button == tea.MouseLeft && msg.Y == p.y && msg.X >= tab.from && msg.X < tab.to {
				p.Show(i)
				return nil
			}
		}
	}
	p.now().point(msg)
	return nil
}

// lowPage is the height below which no line is left blank.
const lowPage = 12

// View implements [panes.Page]: the views' names, and the present view below them.
func (p *Page) View(_ *panes.Scene, x, y, w, h int) []string {
	lk := p.board.look()
	if p.board.Reader == nil {
		return look.FitLines(noHistory(lk, w), w, h, lk.Glyphs.Ellipsis)
	}
	var out []string
	if !p.board.Kiosk {
		p.y = y
		out = append(out, p.viewLine(lk, x, w))
	}
	out = append(out, p.note(lk, w))
	if h >= lowPage {
		out = append(out, look.Blanks(w))
	}
	now := p.now()
	now.forget()
	if why := p.why(); why != "" {
		out = append(out, paragraph(lk, themes.Text, why, w)...)
	} else {
		out = append(out, now.draw(now.asker.answer, x, y+len(out), w, h-len(out))...)
	}
	return look.FitLines(out, w, h, lk.Glyphs.Ellipsis)
}

// noHistory says that there is nothing to ask, and what to do about it.
func noHistory(lk *look.Look, w int) []string {
	var out []string
	for _, text := range []string{
		"[history] is not configured: this board knows only what it has seen since it was started.",
		"With it, this page shows the day against the same weekday's last four, the weeks by hour, who had how many contacts, " +
			"searches for past calls, and the address book.",
		"To have it, write url and api_key under [history] in the configuration. The key is in the platform's administration " +
			"console, Advanced, data model. The board has it from then on.",
	} {
		out = append(out, "")
		out = append(out, paragraph(lk, themes.Text, text, w)...)
	}
	return out
}

// viewLine names the views. Where there is no room for all, the present one
// stays.
func (p *Page) viewLine(lk *look.Look, x, w int) string {
	l := look.NewLine(w, lk.Glyphs.Ellipsis)
	p.tabs = p.tabs[:0]
	names, first := viewNames(), 0
	for width := w + 1; width > w && first <= p.at; first++ {
		width = 0
		for _, name := range names[first : p.at+1] {
			width += look.Width(name) + 2
		}
		if width <= w {
			break
		}
	}
	for i, name := range names {
		text := " " + name + " "
		if i < first || look.Width(text) > l.Room() {
			p.tabs = append(p.tabs, span{})
			continue
		}
		p.tabs = append(p.tabs, span{x + l.Used(), x + l.Used() + look.Width(text)})
		switch {
		case i != p.at:
			l.Add(lk.Style(themes.Dim), text)
		case lk.Mono:
			l.Add(lk.Style(themes.Selection), "["+strings.TrimSpace(text)+"]")
		default:
			l.Add(lk.Style(themes.Selection), text)
		}
	}
	return l.End(themes.Style{})
}

// note is the line below the views' names: what is shown, and how far the asking is.
func (p *Page) note(lk *look.Look, w int) string {
	a := p.now().asker
	l := look.NewLine(w, lk.Glyphs.Ellipsis).Add(lk.Style(themes.Title), " "+p.now().about(w))
	state := a.state()
	switch {
	case state == "":
	case a.phase == asking && a.answer != nil:
		l.Space(themes.Style{}, 2).Add(lk.Style(themes.Accent), state)
	case a.phase != asking && look.Width(state)+2 <= l.Room(): // half of a time is none
		l.Space(themes.Style{}, 2).Add(lk.Style(themes.Dim), state)
	}
	return l.End(themes.Style{})
}

// why says why there is nothing to see, "" when there is.
func (p *Page) why() string {
	now := p.now()
	a := now.asker
	switch a.phase {
	case failed:
		return a.err + p.board.hint(" r asks again.")
	case calledOff:
		return "Called off before there was an answer." + p.board.hint(" r asks again.")
	case asking:
		if a.answer == nil {
			return look.Capital(a.state()) + "."
		}
	case idle:
		if text := now.invites(); text != "" {
			return text
		}
		return "Asking the platform" + p.board.look().Glyphs.Ellipsis
	case ready:
	}
	return strings.TrimSpace(now.empty(a.answer))
}

// Press implements [panes.Presser].
func (p *Page) Press(_ *panes.Scene, msg tea.KeyPressMsg) (tea.Cmd, bool) {
	if p.board.Reader == nil {
		return nil, false
	}
	now := p.now()
	switch k := p.keys; {
	case key.Matches(msg, k.View) && msg.String() == "tab":
		p.Show(p.at + 1)
	case key.Matches(msg, k.View):
		p.Show(p.at - 1)
	case key.Matches(msg, p.others.Back):
		return nil, p.back()
	case now.press(msg):
	case key.Matches(msg, k.Search):
		return now.search(p.again), true
	case key.Matches(msg, k.Again):
		return p.again(), true
	case key.Matches(msg, k.CSV):
		return p.export(".csv", (*sheet).csv), true
	case key.Matches(msg, k.JSON):
		return p.export(".json", (*sheet).json), true
	default:
		return nil, false
	}
	return nil, true
}

// back calls off what is asked, else closes what is open.
func (p *Page) back() bool {
	if a := p.now().asker; a.phase == asking {
		a.stop()
		return true
	}
	return p.now().back()
}

// Help returns the keys that matter on the page now.
func (p *Page) Help() []key.Binding {
	if p.board.Reader == nil {
		return nil
	}
	k, a := p.keys, p.now().asker
	out := []key.Binding{look.Doing(k.View, "view")}
	if a.phase == asking {
		out = append(out, look.Doing(p.others.Back, "call off"))
	}
	out = append(out, p.now().keys(a.answer != nil)...)
	if p.board.Save != nil && a.answer != nil {
		out = append(out, look.Doing(k.CSV, "CSV"), look.Doing(k.JSON, "JSON"))
	}
	return append(out, k.Again)
}

// export writes what the view shows to a file, in a form.
func (p *Page) export(end string, form func(*sheet) ([]byte, error)) tea.Cmd {
	on, now := p.board.Dialogs, p.now()
	if now.asker.answer == nil {
		return on.Say("There is nothing to export yet.")
	}
	s := now.sheet(now.asker.answer)
	data, err := form(&s)
	if err != nil {
		return on.Say("It could not be written: " + err.Error())
	}
	return dialog.Save(on, p.board.Save, s.name+end, data)
}
