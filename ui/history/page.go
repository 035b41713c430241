package history

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/contact"
	"wallboard/ui/dialog"
	"wallboard/ui/floorview"
	"wallboard/ui/panes"
	"wallboard/ui/style"
)

// viewState is a view of the page with the requester of its data.
type viewState struct {
	view
	id        viewID
	requester *requester
}

// Page is the page History. Its data does not come from the live feed, so it never becomes stale
// and is not affected when the board is frozen.
type Page struct {
	board     *Board
	keys      *Keys
	shared    SharedKeys
	selection *selection
	budget    contact.Budget // request budget at the time of the last answer

	views   []viewState
	current int // index of the current view

	tabs viewTabs
}

// New returns the page History for a board. keys are the key bindings of the page. others are key
// bindings of the board that also work on the page.
func New(b Board, keys *Keys, others SharedKeys) *Page {
	c := &selection{board: &b}
	p := &Page{board: &b, keys: keys, shared: others, selection: c}
	for i, v := range []view{
		&dayView{selection: c, keyMap: keys, shared: others},
		&weeksView{selection: c, keyMap: keys, shared: others},
		&groupsView{selection: c, keyMap: keys, shared: others},
		newCallsView(c, keys, others),
		newPeopleView(&b, keys, others),
		&intervalsView{selection: c, keyMap: keys, shared: others},
	} {
		id := viewID(i)
		recorded := id == intervalsID
		if recorded && b.Recording != nil || !recorded && (b.Reader != nil || b.hasNoSource()) {
			p.views = append(p.views, viewState{v, id, &requester{board: &b, budget: &p.budget, onAnswer: v.setAnswer}})
		}
	}
	return p
}

var (
	_ panes.Page       = (*Page)(nil)
	_ panes.KeyHandler = (*Page)(nil)
)

// Breadcrumb implements [panes.Page].
func (p *Page) Breadcrumb(*panes.Scene) string { return p.board.look().Translate(words.HistoryTitle()) }

// Status implements [panes.Page]. It returns the range of visible lines if not all lines are
// visible. Otherwise it returns a note if the platform has lowered its request limit, or if at
// least half of the allowed requests have been used.
func (p *Page) Status(*panes.Scene) style.HeadingStatus {
	if text := p.currentView().scroller(); text != nil {
		if s := text.HeadingStatus(p.board.look()); s.Text != "" {
			return s
		}
	}
	var text words.Text
	switch b := p.budget; {
	case b.Limit == 0:
	case !b.LoweredUntil.IsZero():
		text = words.HistoryFewerRequests()
	case b.Used >= b.Limit/2:
		text = words.HistoryRequestsUsed(b.Used, b.Limit)
	}
	return style.HeadingStatus{Text: p.board.look().Translate(text)}
}

// Subscriptions implements [panes.Page]. It returns nil, because the page has no live figures.
func (p *Page) Subscriptions() []model.Op { return nil }

// Refresh implements [panes.Page].
func (p *Page) Refresh(*panes.Scene) {}

// Focused implements [panes.Page]. It returns nil, because the page has no record tables.
func (p *Page) Focused() *panes.RecordTable { return nil }

// ChartSubject implements [panes.Page]. A chart opened from this page shows the whole floor.
func (p *Page) ChartSubject(*panes.Scene) (k alert.Key, ok, known bool) { return k, false, true }

// CopyStateFrom implements [panes.Page]. It does nothing.
func (p *Page) CopyStateFrom(*panes.Scene, panes.Page) {}

// RecordUnderCursor implements [panes.Page]. It returns no record, because the page has no records.
func (p *Page) RecordUnderCursor() (kind floorview.RecordKind, key string, channel model.Channel, ok bool) {
	return 0, "", "", false
}

// FocusableCount implements [panes.Page].
func (p *Page) FocusableCount() int { return 1 }

// IsFlashing implements [panes.Page].
func (p *Page) IsFlashing() bool { return false }

// Restyle implements [panes.Page].
func (p *Page) Restyle(*panes.Scene) {
	for _, v := range p.views {
		v.restyle()
	}
}

func (p *Page) currentView() *viewState { return &p.views[p.current] }

// SelectKind selects the kind of contact that is delta positions after the selected one.
func (p *Page) SelectKind(delta int) { p.selection.selectKind(delta) }

// showView opens a view. It does nothing if the page does not have the view.
func (p *Page) showView(id viewID) tea.Cmd {
	if index := slices.IndexFunc(p.views, func(v viewState) bool { return v.id == id }); index >= 0 {
		return p.openView(index)
	}
	return nil
}

// openView opens the view with the given index after a command or a click. If the view needs a
// search, openView also opens the search form.
func (p *Page) openView(index int) tea.Cmd {
	p.selectView(index)
	if p.needsSearch() {
		return p.currentView().search(p.requestAgain)
	}
	return nil
}

// selectView opens the view with the given index and cancels the requests of the previous view. It
// does not open a search form, because that would interrupt a viewer who steps through the views.
func (p *Page) selectView(index int) {
	p.cancelAll()
	n := len(p.views)
	p.current = (index + n) % n
	p.currentView().scrollToTop()
}

// needsSearch reports whether the current view is empty until the viewer searches.
func (p *Page) needsSearch() bool {
	view := p.currentView()
	return !p.board.hasNoSource() && view.query() == nil && !view.searchHint().IsZero()
}

// UpdateRequests returns a command that requests the data of the current view. If the page is not
// in front, it cancels all requests instead. It must be called before each frame.
func (p *Page) UpdateRequests(front bool) tea.Cmd {
	if !front {
		p.cancelAll()
		return nil
	}
	if p.board.hasNoSource() {
		return nil
	}
	return p.currentView().requester.request(p.currentView().query())
}

func (p *Page) cancelAll() {
	for _, v := range p.views {
		v.requester.stop()
	}
}

// requestAgain requests the data of the current view again.
func (p *Page) requestAgain() tea.Cmd {
	return p.currentView().requester.requestAgain(p.currentView().query())
}

// Update implements [panes.Page]. It handles the mouse; keys are handled by [Page.Press].
func (p *Page) Update(_ *panes.Scene, msg tea.Msg) tea.Cmd {
	if click, ok := msg.(tea.MouseClickMsg); ok {
		if tab, hit := p.tabs.viewAt(click); hit {
			return p.openView(tab)
		}
	}
	p.currentView().handleMouse(msg)
	return nil
}

// Press implements [panes.KeyHandler].
func (p *Page) Press(_ *panes.Scene, msg tea.KeyPressMsg) (tea.Cmd, bool) {
	if p.board.hasNoSource() {
		return nil, false
	}
	view := p.currentView()
	switch k := p.keys; {
	case key.Matches(msg, k.NextView):
		p.selectView(p.current + 1)
	case key.Matches(msg, k.PrevView):
		p.selectView(p.current - 1)
	case p.shared.Pane.DirectionOf(msg) != 0:
		return p.board.Dialogs.ShowMessage(p.board.look().Translate(words.HistoryOnePane(k.NextView.Keys()[0]))), true
	case key.Matches(msg, p.shared.Back):
		return nil, p.back()
	case key.Matches(msg, p.shared.Open) && p.needsSearch():
		return view.search(p.requestAgain), true // in a view without results, there is nothing else to open
	case view.handleKey(msg):
	case key.Matches(msg, k.Search):
		return view.search(p.requestAgain), true
	case key.Matches(msg, k.RequestAgain):
		return p.requestAgain(), true
	case key.Matches(msg, k.CSV):
		return p.export(".csv", (*exportTable).csv), true
	case key.Matches(msg, k.JSON):
		return p.export(".json", (*exportTable).json), true
	default:
		return nil, false
	}
	return nil, true
}

// back cancels the running request. If there is none, it closes the open contact. It returns false
// if there is neither.
func (p *Page) back() bool {
	if a := p.currentView().requester; a.phase == phaseRequesting {
		a.stop()
		return true
	}
	return p.currentView().closeDetails()
}

// Help returns the key bindings that the footer shows.
func (p *Page) Help() []key.Binding {
	if p.board.hasNoSource() {
		return nil
	}
	k, a := p.keys, p.currentView().requester
	out := []key.Binding{p.board.helpOf(p.keys.NextView, words.HistoryKeyView())}
	if a.phase == phaseRequesting {
		out = append(out, p.board.helpOf(p.shared.Back, words.HistoryKeyCancel()))
	}
	out = append(out, p.currentView().keys(a.answer != nil)...)
	if p.board.Save != nil && a.answer != nil {
		out = append(out, style.WithHelp(k.CSV, "CSV"), style.WithHelp(k.JSON, "JSON"))
	}
	return append(out, k.RequestAgain)
}

// export saves the answer that the view shows to a file with the given extension. encode returns
// the content of the file.
func (p *Page) export(extension string, encode func(*exportTable) ([]byte, error)) tea.Cmd {
	dialogs, view := p.board.Dialogs, p.currentView()
	if view.requester.answer == nil {
		return dialogs.ShowMessage(dialogs.Look().Translate(words.HistoryNothingToExport()))
	}
	s := view.exportTable(view.requester.answer)
	data, err := encode(&s)
	if err != nil {
		return dialogs.ShowMessage(dialogs.Look().Translate(words.HistoryExportFailed(words.TextOf(err))))
	}
	return dialog.Save(dialogs, p.board.Save, s.name+extension, data)
}
