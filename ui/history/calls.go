package history

import (
	"context"
	"slices"
	"strconv"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/contact"
	"wallboard/ui/dialog"
	"wallboard/ui/frame"
	"wallboard/ui/style"
	"wallboard/ui/table"
)

// callsView lists the contacts found by a search and shows the steps of one of them.
type callsView struct {
	board     *Board
	selection *selection // provides the initial values of the first search form
	keyMap    *Keys
	shared    SharedKeys

	lastSearch *callQuery // nil: no search yet
	table      *resultTable
	openID     string          // ID of the contact whose steps are shown on the whole page; "": the list is shown
	text       dialog.Scroller // lines about the steps of the contact
}

func newCallsView(c *selection, keys *Keys, others SharedKeys) *callsView {
	return &callsView{
		board: c.board, selection: c, keyMap: keys, shared: others,
		table: newResultTable(c.board.look(), callColumns, "start", true),
	}
}

// callQuery requests the contacts that began within a period, or the contact with a given ID.
type callQuery struct {
	kind     contact.Kind
	id       string
	from, to time.Time
	limit    int
}

func (q callQuery) equals(other query) bool {
	o, ok := other.(callQuery)
	return ok && q.kind == o.kind && q.id == o.id && q.limit == o.limit && q.from.Equal(o.from) && q.to.Equal(o.to)
}

func (q callQuery) becomesOutdated(time.Time) bool { return false }

type callAnswer struct {
	kind       contact.Kind
	calls      []contact.Call
	incomplete *model.Incomplete // nil: the result is complete
}

func (q callQuery) read(ctx context.Context, r Reader, progress func(contact.Progress)) (any, error) {
	a := callAnswer{kind: q.kind}
	if q.id != "" {
		call, err := r.Call(ctx, q.kind, q.id)
		a.calls = []contact.Call{call}
		return a, err
	}
	found, err := r.Calls(ctx, contact.Query{Kind: q.kind, Range: contact.Range{From: q.from, To: q.to}, Limit: q.limit, Newest: true}, progress)
	a.calls, a.incomplete = found.Items, found.Short
	return a, err
}

// text describes the search in a few words.
func (q callQuery) text() words.Text {
	if q.id != "" {
		return words.HistorySearchId(kindNamesOf(q.kind).title, q.id)
	}
	at := func(t time.Time) words.Text { return words.DateClock(words.DayMonth(t), words.ClockOf(t, nil)) }
	return words.HistorySearchPeriod(kindNamesOf(q.kind).title, at(q.from), at(q.to))
}

func (v *callsView) query() query {
	if v.lastSearch == nil {
		return nil
	}
	return *v.lastSearch
}

func (v *callsView) setAnswer(answer any) {
	a, ok := answer.(callAnswer)
	if !ok {
		v.table.setRows(nil)
		v.text.ScrollToTop()
		return
	}
	v.table.setRows(v.tableRows(a))
	if v.lastSearch.id != "" && len(a.calls) == 1 {
		v.openID = a.calls[0].ID
	}
}

func (v *callsView) description(int) words.Text {
	if v.lastSearch == nil {
		return words.HistorySearch()
	}
	return v.lastSearch.text()
}

func (v *callsView) searchHint() words.Text {
	return v.board.withHint(words.HistorySearchHint(), words.HistoryPressSearch())
}

func (v *callsView) emptyText(answer any) words.Text {
	if a, _ := answer.(callAnswer); len(a.calls) > 0 || a.incomplete != nil {
		return words.Text{}
	}
	return v.board.withHint(words.HistoryNothingFound(kindNamesOf(v.lastSearch.kind).plural), words.HistoryPressSearchAgain())
}

func (v *callsView) clearClicks() {
	v.text.Disable()
	v.table.ignoreClicks()
}

func (v *callsView) scrollToTop() {
	v.openID = ""
	v.text.ScrollToTop()
}

func (v *callsView) scroller() *dialog.Scroller { return &v.text }
func (v *callsView) restyle()                   { v.table.restyle(v.board.look()) }

func (v *callsView) closeDetails() bool {
	if v.openID == "" {
		return false
	}
	v.scrollToTop()
	return true
}

func (v *callsView) handleKey(msg tea.KeyPressMsg) bool {
	if v.openID != "" {
		return v.text.HandleKey(msg)
	}
	if key.Matches(msg, v.shared.Open) {
		if id, ok := v.table.selected(); ok {
			v.openID = id
			v.text.ScrollToTop()
		}
		return true
	}
	return v.table.press(&v.shared, msg)
}

func (v *callsView) handleMouse(msg tea.Msg) {
	if v.openID == "" {
		v.table.table.Update(msg)
	} else if msg, ok := msg.(tea.MouseWheelMsg); ok {
		v.text.Wheel(msg)
	}
}

func (v *callsView) keys(hasAnswer bool) []key.Binding {
	out := []key.Binding{v.board.helpOf(v.keyMap.Search, words.HistoryKeyFind())}
	switch {
	case v.openID != "":
		out = append(out, v.board.helpOf(v.shared.Back, words.KeysBack()))
	case hasAnswer:
		out = append(out, v.board.helpOf(v.shared.Open, words.HistoryKeySteps()))
	}
	return out
}

// search opens the search form. After the viewer has submitted it, retry sends the new query.
func (v *callsView) search(retry func() tea.Cmd) tea.Cmd {
	loc, lk := v.board.zone(), v.board.look()
	q := callQuery{kind: v.selection.kind, from: v.selection.date(), to: contact.StartOfDay(v.selection.date(), 1), limit: defaultLimit}
	if v.lastSearch != nil {
		q = *v.lastSearch
	}
	const minute = "2006-01-02 15:04"
	kinds := make([]string, 0, len(contact.Kinds()))
	for _, k := range contact.Kinds() {
		kinds = append(kinds, lk.Translate(kindNamesOf(k).plural))
	}
	return v.board.openForm(words.HistorySearchTitle(), words.HistorySearchButton(), func(d *dialog.Form) tea.Cmd {
		next := callQuery{id: d.Fields.Value("id")}
		next.kind = contact.Kinds()[max(slices.Index(kinds, d.Fields.Value("kind")), 0)]
		next.from, _ = d.Fields.Date("from")
		next.to, _ = d.Fields.Date("to")
		next.limit, _ = d.Fields.Int("most")
		switch {
		case next.id == "" && (next.from.IsZero() || next.to.IsZero()):
			return d.ShowMessage(lk.Translate(words.HistoryFillIn()))
		case next.id == "" && !next.from.Before(next.to):
			return d.ShowMessage(lk.Translate(words.HistoryTimesOrder()))
		}
		v.lastSearch, v.openID = &next, ""
		v.board.Dialogs.Close(d)
		return retry()
	}, []dialog.Field{
		{ID: "kind", Label: lk.Translate(words.HistoryFieldWhat()), Kind: dialog.ChoiceField, Choices: kinds, Value: lk.Translate(kindNamesOf(q.kind).plural), Required: true},
		{ID: "from", Label: lk.Translate(words.HistoryFieldFrom()), Kind: dialog.DateField, Value: q.from.In(loc).Format(minute), Check: v.board.rejectFuture},
		{ID: "to", Label: lk.Translate(words.HistoryFieldTo()), Kind: dialog.DateField, Value: q.to.In(loc).Format(minute)},
		v.board.limitField(q.limit),
		{ID: "id", Label: lk.Translate(words.HistoryFieldId()), Value: q.id, Hint: lk.Translate(words.HistoryFieldIdHint())},
	})
}

// inContactCenterZone converts a time to the contact center's time zone.
func (v *callsView) inContactCenterZone(t time.Time) time.Time { return t.In(v.board.zone()) }

func callColumns(lk *style.Look) []table.Column {
	return withRoomForTitles([]table.Column{
		{ID: "start", Title: lk.Translate(words.HistoryBegan()), Min: 19, Ideal: 19, Priority: 5, SortDescending: true},
		{ID: "took", Title: lk.Translate(words.HistoryTook()), Min: 7, Ideal: 9, Priority: 4, Align: table.Right, SortDescending: true},
		{ID: "steps", Title: lk.Translate(words.HistorySteps()), Min: 5, Ideal: 6, Priority: 3, Align: table.Right, SortDescending: true},
		{ID: "end", Title: lk.Translate(words.HistoryEnded()), Min: 8, Ideal: 8, Priority: 1},
		{ID: "id", Title: lk.Translate(words.HistoryId()), Min: 10, Ideal: 24, Weight: 1, Max: 60, Priority: 2},
	})
}

func (v *callsView) tableRows(a callAnswer) []resultRow {
	lk := v.board.look()
	unknown := string(lk.Format.Unknown(nil))
	rows := make([]resultRow, 0, len(a.calls))
	for _, c := range a.calls {
		start, duration, end := resultCell{text: unknown}, resultCell{text: unknown, sortKey: -1}, resultCell{text: unknown}
		if t := c.Start(); !t.IsZero() {
			start = resultCell{v.inContactCenterZone(t).Format("2006-01-02 15:04:05"), t.UnixNano()}
		}
		if t := c.End(); !t.IsZero() {
			end = resultCell{v.inContactCenterZone(t).Format(time.TimeOnly), t.UnixNano()}
		}
		if d, ok := c.Duration(); ok {
			duration = resultCell{lk.FormatDuration(d), int64(d)}
		}
		rows = append(rows, resultRow{c.ID, []resultCell{
			start, duration, {lk.FormatCount(len(c.Steps)), int64(len(c.Steps))}, end, {text: c.ID},
		}})
	}
	return rows
}

// draw draws the open contact. If none is open, it draws the list and, if there is room, beside it
// the steps of the selected contact.
func (v *callsView) draw(answer any, x, y, w, h int) []string {
	a, _ := answer.(callAnswer)
	if c, ok := a.callByID(v.openID); ok {
		return v.drawContact(a.kind, c, x, y, w, h)
	}
	lk := v.board.look()
	first := resultCountLines(lk, len(a.calls), a.incomplete, words.HistoryRemedyContacts(), w)
	rows := max(h-len(first), 0)
	id, _ := v.table.selected()
	if c, ok := a.callByID(id); ok && w >= minWidthForSteps { // there is room for the steps of the selected contact
		left := w * 2 / 5
		index, right := x+left+frame.Gutter, w-left-frame.Gutter
		list := v.table.lines(lk, x, y+len(first), left, rows)
		return append(first, style.JoinBlocks(list, v.drawContact(a.kind, c, index, y+len(first), right, rows), left, right, rows)...)
	}
	return append(first, v.table.lines(lk, x, y+len(first), w, rows)...)
}

// minWidthForSteps is the minimum width of the page, in cells, for showing the steps beside the
// list.
const minWidthForSteps = 140

func (a callAnswer) callByID(id string) (contact.Call, bool) {
	for _, c := range a.calls {
		if id != "" && c.ID == id {
			return c, true
		}
	}
	return contact.Call{}, false
}

func (v *callsView) exportTable(answer any) exportTable {
	a, _ := answer.(callAnswer)
	name := "history-" + kindFileName(a.kind) + "-"
	if c, ok := a.callByID(v.openID); ok {
		a.calls = []contact.Call{c}
		name += safeFileName(c.ID)
	} else {
		name += v.inContactCenterZone(v.board.Floor.LocalNow).Format(time.DateOnly) + incompleteSuffix(a.incomplete)
	}
	s := exportTable{name: name, header: []string{"id", "step", "start", "end", "seconds"}, jsonValue: a.calls}
	when := func(t time.Time) string {
		if t.IsZero() {
			return ""
		}
		return v.inContactCenterZone(t).Format(time.RFC3339)
	}
	for _, c := range a.calls {
		for _, step := range c.Steps {
			duration := ""
			if !step.Start.IsZero() && !step.End.Before(step.Start) {
				duration = strconv.FormatInt(int64(step.End.Sub(step.Start)/time.Second), 10)
			}
			s.rows = append(s.rows, []string{c.ID, strconv.Itoa(step.Number), when(step.Start), when(step.End), duration})
		}
	}
	return s
}
