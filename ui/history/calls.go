package history

import (
	"context"
	"slices"
	"strconv"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/model"
	"wallboard/model/contact"
	"wallboard/ui/dialog"
	"wallboard/ui/form"
	"wallboard/ui/frame"
	"wallboard/ui/style"
	"wallboard/ui/table"
)

// callsView lists the contacts that a search found, and shows the steps of one of them.
type callsView struct {
	board  *Board
	chosen *chosen // defaults of the first search
	page   *Keys
	others SharedKeys

	asked *callQuestion // last search; nil: none
	table *foundTable
	open  string          // id of the open contact, "" for the list
	text  dialog.Scroller // of the steps
}

func newCallsView(c *chosen, keys *Keys, others SharedKeys) *callsView {
	return &callsView{
		board: c.board, chosen: c, page: keys, others: others,
		table: newFoundTable(c.board.look(), callColumns(), "start", true),
	}
}

// callQuestion requests the contacts that began within a period, or the one with an id.
type callQuestion struct {
	kind     contact.Kind
	id       string
	from, to time.Time
	most     int
}

func (q callQuestion) same(other question) bool {
	o, ok := other.(callQuestion)
	return ok && q.kind == o.kind && q.id == o.id && q.most == o.most && q.from.Equal(o.from) && q.to.Equal(o.to)
}

func (q callQuestion) ages(time.Time) bool { return false }

// callAnswer is the result of a search.
type callAnswer struct {
	kind  contact.Kind
	calls []contact.Call
	short *model.Incomplete // set if the result is incomplete
}

func (q callQuestion) read(ctx context.Context, r Reader, far func(contact.Progress)) (any, error) {
	a := callAnswer{kind: q.kind}
	if q.id != "" {
		call, err := r.Call(ctx, q.kind, q.id)
		a.calls = []contact.Call{call}
		return a, err
	}
	found, err := r.Calls(ctx, contact.Query{Kind: q.kind, Range: contact.Range{From: q.from, To: q.to}, Limit: q.most, Newest: true}, far)
	a.calls, a.short = found.Items, found.Short
	return a, err
}

// words describes the search.
func (q callQuestion) words(dot string) string {
	what := style.Capitalize(q.kind.String()) + " " + dot + " "
	if q.id != "" {
		return what + "with the id " + q.id
	}
	const day = "2 January 15:04"
	return what + q.from.Format(day) + " to " + q.to.Format(day)
}

func (v *callsView) question() question {
	if v.asked == nil {
		return nil
	}
	return *v.asked
}

func (v *callsView) took(answer any) {
	a, ok := answer.(callAnswer)
	if !ok {
		v.table.set(nil)
		v.text.Top()
		return
	}
	v.table.set(v.rows(a))
	if v.asked.id != "" && len(a.calls) == 1 {
		v.open = a.calls[0].ID
	}
}

func (v *callsView) about(int) string {
	if v.asked == nil {
		return "Search"
	}
	return v.asked.words(v.board.look().Glyphs.Dot)
}

func (v *callsView) invites() string {
	return "Past calls, video calls and chats are found by when they began, or by their id. " + v.board.hint("/ searches.")
}

func (v *callsView) empty(answer any) string {
	if a, _ := answer.(callAnswer); len(a.calls) > 0 || a.short != nil {
		return ""
	}
	return "Nothing was found: there were no " + v.asked.kind.String() + " in this time." + v.board.hint(" / searches again.")
}

func (v *callsView) forget() {
	v.text.Forget()
	v.table.forget()
}

func (v *callsView) top() {
	v.open = ""
	v.text.Top()
}

func (v *callsView) lines() *dialog.Scroller { return &v.text }
func (v *callsView) restyle()                { v.table.restyle(v.board.look()) }

func (v *callsView) back() bool {
	if v.open == "" {
		return false
	}
	v.top()
	return true
}

func (v *callsView) press(msg tea.KeyPressMsg) bool {
	if v.open != "" {
		return v.text.Scrolls(msg)
	}
	if key.Matches(msg, v.others.Open) {
		if id, ok := v.table.selected(); ok {
			v.open = id
			v.text.Top()
		}
		return true
	}
	return v.table.press(&v.others, msg)
}

func (v *callsView) point(msg tea.Msg) {
	if v.open == "" {
		v.table.table.Update(msg)
	} else if msg, ok := msg.(tea.MouseWheelMsg); ok {
		v.text.Wheel(msg)
	}
}

func (v *callsView) keys(found bool) []key.Binding {
	out := []key.Binding{style.WithHelp(v.page.Search, "search")}
	switch {
	case v.open != "":
		out = append(out, v.others.Back)
	case found:
		out = append(out, style.WithHelp(v.others.Open, "steps"))
	}
	return out
}

// search opens the search form.
func (v *callsView) search(again func() tea.Cmd) tea.Cmd {
	loc := v.board.zone()
	q := callQuestion{kind: v.chosen.kind, from: v.chosen.date(), to: contact.StartOfDay(v.chosen.date(), 1), most: mostFound}
	if v.asked != nil {
		q = *v.asked
	}
	const minute = "2006-01-02 15:04"
	kinds := make([]string, 0, len(contact.Kinds()))
	for _, k := range contact.Kinds() {
		kinds = append(kinds, k.String())
	}
	return v.board.ask("Search past contacts", "Search", func(d *dialog.Form) tea.Cmd {
		next := callQuestion{id: d.Fields.Value("id")}
		next.kind = contact.Kinds()[max(slices.Index(kinds, d.Fields.Value("kind")), 0)]
		next.from, _ = d.Fields.Date("from")
		next.to, _ = d.Fields.Date("to")
		next.most, _ = d.Fields.Int("most")
		switch {
		case next.id == "" && (next.from.IsZero() || next.to.IsZero()):
			return d.Say("Fill in both times, or an id.")
		case next.id == "" && !next.from.Before(next.to):
			return d.Say("The second time must be after the first.")
		}
		v.asked, v.open = &next, ""
		v.board.Dialogs.Close(d)
		return again()
	}, []form.Field{
		{ID: "kind", Label: "What", Kind: form.Choice, Choices: kinds, Value: q.kind.String(), Required: true},
		{ID: "from", Label: "Began from", Kind: form.Date, Value: q.from.In(loc).Format(minute), Check: v.board.notYetCome},
		{ID: "to", Label: "Began before", Kind: form.Date, Value: q.to.In(loc).Format(minute)},
		atMost(q.most),
		{ID: "id", Label: "Or its id", Value: q.id, Hint: "the times then have no part in it"},
	})
}

// local converts a time to the contact center's time zone.
func (v *callsView) local(t time.Time) time.Time { return t.In(v.board.zone()) }

func callColumns() []table.Column {
	return []table.Column{
		{ID: "start", Title: "Began", Min: 19, Ideal: 19, Priority: 5, SortDescending: true},
		{ID: "took", Title: "Took", Min: 7, Ideal: 9, Priority: 4, Align: table.Right, SortDescending: true},
		{ID: "steps", Title: "Steps", Min: 5, Ideal: 6, Priority: 3, Align: table.Right, SortDescending: true},
		{ID: "end", Title: "Ended", Min: 8, Ideal: 8, Priority: 1},
		{ID: "id", Title: "Id", Min: 10, Ideal: 24, Weight: 1, Max: 60, Priority: 2},
	}
}

// rows returns the rows of the list.
func (v *callsView) rows(a callAnswer) []foundRow {
	lk := v.board.look()
	unknown := string(lk.Format.Unknown(nil))
	rows := make([]foundRow, 0, len(a.calls))
	for _, c := range a.calls {
		start, took, end := foundCell{text: unknown}, foundCell{text: unknown, order: -1}, foundCell{text: unknown}
		if t := c.Start(); !t.IsZero() {
			start = foundCell{v.local(t).Format("2006-01-02 15:04:05"), t.UnixNano()}
		}
		if t := c.End(); !t.IsZero() {
			end = foundCell{v.local(t).Format("15:04:05"), t.UnixNano()}
		}
		if d, ok := c.Duration(); ok {
			took = foundCell{lk.Duration(d), int64(d)}
		}
		rows = append(rows, foundRow{c.ID, []foundCell{
			start, took, {lk.Count(len(c.Steps)), int64(len(c.Steps))}, end, {text: c.ID},
		}})
	}
	return rows
}

// draw draws the list or the open contact.
func (v *callsView) draw(answer any, x, y, w, h int) []string {
	a, _ := answer.(callAnswer)
	if c, ok := a.call(v.open); ok {
		return v.contact(a.kind, c, x, y, w, h)
	}
	lk := v.board.look()
	first := foundLine(lk, len(a.calls), a.short, "/ asks for more or for a shorter time", w)
	rows := max(h-1, 0)
	id, _ := v.table.selected()
	if c, ok := a.call(id); ok && w >= besideCalls { // steps of the selected contact
		left := w * 2 / 5
		at, right := x+left+frame.Gutter, w-left-frame.Gutter
		list := v.table.lines(lk, x, y+1, left, rows)
		return append([]string{first}, style.Beside(list, v.contact(a.kind, c, at, y+1, right, rows), left, right, rows)...)
	}
	return append([]string{first}, v.table.lines(lk, x, y+1, w, rows)...)
}

// besideCalls is the width from which the steps are drawn beside the list.
const besideCalls = 140

func (a callAnswer) call(id string) (contact.Call, bool) {
	for _, c := range a.calls {
		if id != "" && c.ID == id {
			return c, true
		}
	}
	return contact.Call{}, false
}

func (v *callsView) sheet(answer any) sheet {
	a, _ := answer.(callAnswer)
	name := "history-" + fileKind(a.kind) + "-"
	if c, ok := a.call(v.open); ok {
		a.calls = []contact.Call{c}
		name += safeFileName(c.ID)
	} else {
		name += v.local(v.board.Floor.Ours).Format(time.DateOnly) + partOf(a.short)
	}
	s := sheet{name: name, head: []string{"id", "step", "start", "end", "seconds"}, value: a.calls}
	when := func(t time.Time) string {
		if t.IsZero() {
			return ""
		}
		return v.local(t).Format(time.RFC3339)
	}
	for _, c := range a.calls {
		for _, step := range c.Steps {
			took := ""
			if !step.Start.IsZero() && !step.End.Before(step.Start) {
				took = strconv.FormatInt(int64(step.End.Sub(step.Start)/time.Second), 10)
			}
			s.rows = append(s.rows, []string{c.ID, strconv.Itoa(step.Number), when(step.Start), when(step.End), took})
		}
	}
	return s
}
