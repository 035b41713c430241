package history

import (
	"context"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/contact"
	"wallboard/ui/dialog"
	"wallboard/ui/style"
	"wallboard/ui/table"
)

// peopleView lists the people found by a search in the address book.
type peopleView struct {
	board  *Board
	keyMap *Keys
	shared SharedKeys

	lastSearch *peopleQuery // nil: no search yet
	table      *resultTable
}

func newPeopleView(b *Board, keys *Keys, others SharedKeys) *peopleView {
	return &peopleView{board: b, keyMap: keys, shared: others, table: newResultTable(b.look(), peopleColumns, "name", false)}
}

type peopleQuery struct {
	uuid               string
	mail, organization string
	limit              int
}

func (q peopleQuery) equals(other query) bool { return other == query(q) }

func (q peopleQuery) becomesOutdated(time.Time) bool { return false }

// text describes the search in a few words.
func (q peopleQuery) text() words.Text {
	switch {
	case q.uuid != "":
		return words.HistoryPerson(q.uuid)
	case q.mail != "" && q.organization != "":
		return words.HistoryPeopleBoth(q.mail, q.organization)
	case q.mail != "":
		return words.HistoryPeopleMail(q.mail)
	case q.organization != "":
		return words.HistoryPeopleOrganization(q.organization)
	}
	return words.HistoryPeopleAll()
}

func (q peopleQuery) read(ctx context.Context, r Reader, progress func(contact.Progress)) (any, error) {
	if q.uuid != "" {
		c, err := r.Contact(ctx, q.uuid)
		return model.FetchedList[contact.Contact]{Items: []contact.Contact{c}}, err
	}
	list, err := r.Contacts(ctx, contact.AddressQuery{MailEnd: q.mail, Organization: q.organization, Limit: q.limit}, progress)
	return list, err
}

func (v *peopleView) query() query {
	if v.lastSearch == nil {
		return nil
	}
	return *v.lastSearch
}

func (v *peopleView) setAnswer(answer any) {
	found, _ := answer.(model.FetchedList[contact.Contact])
	v.table.setRows(peopleRows(found.Items))
}

func (v *peopleView) description(int) words.Text {
	if v.lastSearch == nil {
		return words.HistoryPeople()
	}
	return v.lastSearch.text()
}

func (v *peopleView) searchHint() words.Text {
	return v.board.withHint(words.HistoryPeopleHint(), words.HistoryPressSearch())
}

func (v *peopleView) emptyText(answer any) words.Text {
	if found, _ := answer.(model.FetchedList[contact.Contact]); len(found.Items) > 0 || found.Short != nil {
		return words.Text{}
	}
	return v.board.withHint(words.HistoryNoOneFound(), words.HistoryPressSearchAgain())
}

func (v *peopleView) clearClicks()               { v.table.ignoreClicks() }
func (v *peopleView) scrollToTop()               {}
func (v *peopleView) closeDetails() bool         { return false }
func (v *peopleView) scroller() *dialog.Scroller { return nil }
func (v *peopleView) restyle()                   { v.table.restyle(v.board.look()) }
func (v *peopleView) handleMouse(msg tea.Msg)    { v.table.table.Update(msg) }

func (v *peopleView) handleKey(msg tea.KeyPressMsg) bool { return v.table.press(&v.shared, msg) }

func (v *peopleView) keys(bool) []key.Binding {
	return []key.Binding{v.board.helpOf(v.keyMap.Search, words.HistoryKeyFind())}
}

// search opens the search form. After the viewer has submitted it, retry sends the new query.
func (v *peopleView) search(retry func() tea.Cmd) tea.Cmd {
	q := peopleQuery{limit: defaultLimit}
	if v.lastSearch != nil {
		q = *v.lastSearch
	}
	lk := v.board.look()
	return v.board.openForm(words.HistoryPeopleTitle(), words.HistorySearchButton(), func(d *dialog.Form) tea.Cmd {
		next := peopleQuery{uuid: d.Fields.Value("uuid"), mail: d.Fields.Value("mail"), organization: d.Fields.Value("organization")}
		next.limit, _ = d.Fields.Int("most")
		v.lastSearch = &next
		v.board.Dialogs.Close(d)
		return retry()
	}, []dialog.Field{
		{ID: "organization", Label: lk.Translate(words.HistoryFieldOrganization()), Value: q.organization, Hint: lk.Translate(words.HistoryFieldOrganizationHint())},
		{ID: "mail", Label: lk.Translate(words.HistoryFieldMail()), Value: q.mail, Hint: lk.Translate(words.HistoryFieldMailHint())},
		v.board.limitField(q.limit),
		{ID: "uuid", Label: lk.Translate(words.HistoryFieldPerson()), Value: q.uuid, Hint: lk.Translate(words.HistoryFieldPersonHint())},
	})
}

func peopleColumns(lk *style.Look) []table.Column {
	return withRoomForTitles([]table.Column{
		{ID: "name", Title: lk.Translate(words.HistoryName()), Min: 14, Ideal: 24, Weight: 1, Max: 40, Priority: 4},
		{ID: "organization", Title: lk.Translate(words.HistoryFieldOrganization()), Min: 12, Ideal: 24, Weight: 1, Max: 40, Priority: 3},
		{ID: "mail", Title: lk.Translate(words.HistoryMail()), Min: 16, Ideal: 30, Weight: 1, Max: 60, Priority: 2},
		{ID: "uuid", Title: lk.Translate(words.HistoryId()), Min: 12, Ideal: 36, Priority: 1},
	})
}

func peopleRows(list []contact.Contact) []resultRow {
	rows := make([]resultRow, 0, len(list))
	for _, c := range list {
		rows = append(rows, resultRow{c.UUID, []resultCell{
			{text: personName(c)}, {text: c.Organization}, {text: strings.Join(c.Mail, ", ")}, {text: c.UUID},
		}})
	}
	return rows
}

func personName(c contact.Contact) string {
	if c.FullName != "" {
		return c.FullName
	}
	return strings.TrimSpace(c.Name + " " + c.Surname)
}

func (v *peopleView) draw(answer any, x, y, w, h int) []string {
	found, _ := answer.(model.FetchedList[contact.Contact])
	lk := v.board.look()
	out := resultCountLines(lk, len(found.Items), found.Short, words.HistoryRemedyPeople(), w)
	var about []string
	if id, ok := v.table.selected(); ok && h >= 14 {
		for _, c := range found.Items {
			if c.UUID == id {
				about = personLines(lk, c, w)
			}
		}
	}
	out = append(out, v.table.lines(lk, x, y+len(out), w, max(h-len(out)-len(about), 0))...)
	return append(out, about...)
}

func personLines(lk *style.Look, c contact.Contact, w int) []string {
	out := []string{style.Blanks(w)}
	for _, l := range dialog.LabeledValueLines(lk, w-2, dialog.LabeledValue{Label: lk.Translate(words.HistoryLabelName()), Value: personName(c)}, dialog.LabeledValue{Label: lk.Translate(words.HistoryLabelOrganization()), Value: c.Organization},
		dialog.LabeledValue{Label: lk.Translate(words.HistoryLabelMail()), Value: strings.Join(c.Mail, ", ")}, dialog.LabeledValue{Label: lk.Translate(words.HistoryLabelId()), Value: c.UUID}) {
		out = append(out, " "+l.Text)
	}
	return out
}

func (v *peopleView) exportTable(answer any) exportTable {
	found, _ := answer.(model.FetchedList[contact.Contact])
	s := exportTable{name: "history-contacts" + incompleteSuffix(found.Short), header: []string{"uuid", "name", "organization", "mail"}, jsonValue: found.Items}
	for _, c := range found.Items {
		s.rows = append(s.rows, []string{c.UUID, personName(c), c.Organization, strings.Join(c.Mail, " ")})
	}
	return s
}
