package history

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/model"
	"wallboard/model/contact"
	"wallboard/ui/dialog"
	"wallboard/ui/panes"
	"wallboard/ui/snapshot"
	"wallboard/ui/style"
)

// shown is a view with the asker of its requests.
type shown struct {
	view
	asker *asker
}

// Page is the page History. Its data comes from the statistical data service, so it never
// becomes stale and does not freeze.
type Page struct {
	board  *Board
	keys   *Keys
	others SharedKeys
	chosen *chosen
	budget contact.Budget // request budget, as of the last answer

	views []shown
	at    int // index of the current view

	tabs tabs
}

// New returns the page of a board. keys are the page's own, others those that it shares
// with other pages.
func New(b Board, keys *Keys, others SharedKeys) *Page {
	c := &chosen{board: &b}
	p := &Page{board: &b, keys: keys, others: others, chosen: c}
	names := viewNames()
	for i, v := range []view{
		&dayView{chosen: c, page: keys, others: others},
		&weeksView{chosen: c, page: keys, others: others},
		&groupsView{chosen: c, page: keys, others: others},
		newCallsView(c, keys, others),
		newPeopleView(&b, keys, others),
		&intervalsView{chosen: c, page: keys, others: others},
	} {
		recorded := names[i] == intervalsName
		if recorded && b.Recording != nil || !recorded && (b.Reader != nil || b.empty()) {
			p.views = append(p.views, shown{v, &asker{board: &b, budget: &p.budget, took: v.took}})
			p.tabs.names = append(p.tabs.names, names[i])
		}
	}
	return p
}

var (
	_ panes.Page       = (*Page)(nil)
	_ panes.KeyHandler = (*Page)(nil)
)

// Crumb implements [panes.Page].
func (p *Page) Crumb(*panes.Scene) string { return "History" }

// Status implements [panes.Page]: the visible lines if not all are, else the used request
// budget if it is more than half.
func (p *Page) Status(*panes.Scene) style.Position {
	if text := p.now().lines(); text != nil {
		if s := text.Position(p.board.look()); s.Text != "" {
			return s
		}
	}
	lk, b := p.board.look(), p.budget
	switch {
	case b.Limit == 0:
		return style.Position{}
	case !b.Slow.IsZero():
		return style.Position{Text: "the platform allows fewer requests just now"}
	case b.Used < b.Limit/2: // there is room
		return style.Position{}
	}
	return style.Position{Text: lk.Count(b.Used) + " of the platform's " + lk.Count(b.Limit) + " requests used"}
}

// Subs implements [panes.Page]: there are no live figures.
func (p *Page) Subs() []model.Op { return nil }

// Refresh implements [panes.Page].
func (p *Page) Refresh(*panes.Scene) {}

// Focused implements [panes.Page]: there are no tables of records.
func (p *Page) Focused() *panes.RecordTable { return nil }

// Charted implements [panes.Page].
func (p *Page) Charted(*panes.Scene) (k alert.Key, ok, known bool) { return k, false, true }

// Carry implements [panes.Page]: there is nothing to carry over from another history.
func (p *Page) Carry(*panes.Scene, panes.Page) {}

// Pointed implements [panes.Page].
func (p *Page) Pointed() (of snapshot.Kind, key string, on model.Channel, ok bool) {
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

// Turn selects another kind of contact.
func (p *Page) Turn(by int) { p.chosen.turnKind(by) }

// ShowNamed opens the view with a name, if it exists.
func (p *Page) ShowNamed(name string) tea.Cmd {
	if at := slices.Index(p.tabs.names, name); at >= 0 {
		return p.choose(at)
	}
	return nil
}

// choose opens a view by name or click. A view that needs a search opens its form.
func (p *Page) choose(at int) tea.Cmd {
	p.show(at)
	if p.invites() {
		return p.now().search(p.again)
	}
	return nil
}

// show opens a view and cancels the request of the previous one. It opens no form, which
// would interrupt stepping through the views.
func (p *Page) show(at int) {
	p.leave()
	n := len(p.views)
	p.at = (at + n) % n
	p.now().top()
}

// invites reports whether the view is empty until a search.
func (p *Page) invites() bool {
	now := p.now()
	return !p.board.empty() && now.question() == nil && now.invites() != ""
}

// Tend requests the data of the current view while the page is in front, else it cancels
// requests. It runs before every frame; one request runs at a time.
func (p *Page) Tend(front bool) tea.Cmd {
	if !front {
		p.leave()
		return nil
	}
	if p.board.empty() {
		return nil
	}
	return p.now().asker.tend(p.now().question())
}

// leave cancels all requests.
func (p *Page) leave() {
	for _, v := range p.views {
		v.asker.stop()
	}
}

// again repeats the request of the current view.
func (p *Page) again() tea.Cmd { return p.now().asker.again(p.now().question()) }

// Update implements [panes.Page]: it handles the mouse. Keys arrive through [Page.Press].
func (p *Page) Update(_ *panes.Scene, msg tea.Msg) tea.Cmd {
	if click, ok := msg.(tea.MouseClickMsg); ok {
		if tab, hit := p.tabs.at(click); hit {
			return p.choose(tab)
		}
	}
	p.now().point(msg)
	return nil
}

// Press implements [panes.KeyHandler].
func (p *Page) Press(_ *panes.Scene, msg tea.KeyPressMsg) (tea.Cmd, bool) {
	if p.board.empty() {
		return nil, false
	}
	now := p.now()
	switch k := p.keys; {
	case key.Matches(msg, k.NextView):
		p.show(p.at + 1)
	case key.Matches(msg, k.PrevView):
		p.show(p.at - 1)
	case p.others.Turn.Direction(msg) != 0:
		return p.board.Dialogs.Say("There is one pane here: " + k.NextView.Keys()[0] + " goes to the next view."), true
	case key.Matches(msg, p.others.Back):
		return nil, p.back()
	case key.Matches(msg, p.others.Open) && p.invites():
		return now.search(p.again), true // there is nothing else to open
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

// back cancels the running request, or closes what is open.
func (p *Page) back() bool {
	if a := p.now().asker; a.phase == asking {
		a.stop()
		return true
	}
	return p.now().back()
}

// Help returns the keys for the footer.
func (p *Page) Help() []key.Binding {
	if p.board.empty() {
		return nil
	}
	k, a := p.keys, p.now().asker
	out := []key.Binding{style.WithHelp(p.keys.NextView, "view")}
	if a.phase == asking {
		out = append(out, style.WithHelp(p.others.Back, "call off"))
	}
	out = append(out, p.now().keys(a.answer != nil)...)
	if p.board.Save != nil && a.answer != nil {
		out = append(out, style.WithHelp(k.CSV, "CSV"), style.WithHelp(k.JSON, "JSON"))
	}
	return append(out, k.Again)
}

// export writes the content of the view to a file.
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
