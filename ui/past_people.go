package ui

import (
	"context"
	"strings"

	"wallboard/model"
	"wallboard/model/past"
	"wallboard/ui/dialog"
	"wallboard/ui/look"
	"wallboard/ui/table"
)

// peopleQuery is whom to look for in the address book.
type peopleQuery struct {
	given              bool
	uuid               string
	mail, organization string
	most               int
}

// words says who was looked for.
func (q peopleQuery) words() string {
	var parts []string
	if q.mail != "" {
		parts = append(parts, "a mail address ends with \""+q.mail+"\"")
	}
	if q.organization != "" {
		parts = append(parts, "the organization contains \""+q.organization+"\"")
	}
	switch {
	case q.uuid != "":
		return "The person with the id " + q.uuid
	case len(parts) > 0:
		return "People: " + strings.Join(parts, " and ")
	case q.given:
		return "People: all"
	}
	return "Address book"
}

func (q peopleQuery) read(ctx context.Context, r HistoryReader, far func(past.Progress)) (model.Found[past.Contact], error) {
	if q.uuid != "" {
		c, err := r.Contact(ctx, q.uuid)
		if err != nil {
			return model.Found[past.Contact]{}, err //nolint:wrapcheck // a sentence for people
		}
		return model.Found[past.Contact]{Items: []past.Contact{c}}, nil
	}
	list, err := r.Contacts(ctx, past.ContactQuery{MailEnd: q.mail, Organization: q.organization, Limit: q.most}, far)
	return list, err //nolint:wrapcheck // a sentence for people
}

func peopleColumns() []table.Column {
	return []table.Column{
		{ID: "name", Title: "Name", Min: 14, Ideal: 24, Weight: 1, Max: 40, Priority: 4},
		{ID: "organization", Title: "Organization", Min: 12, Ideal: 24, Weight: 1, Max: 40, Priority: 3},
		{ID: "mail", Title: "Mail", Min: 16, Ideal: 30, Weight: 1, Max: 60, Priority: 2},
		{ID: "uuid", Title: "Id", Min: 12, Ideal: 36, Priority: 1},
	}
}

func peopleRows(list []past.Contact) []pastRow {
	rows := make([]pastRow, 0, len(list))
	for _, c := range list {
		rows = append(rows, pastRow{c.UUID, []pastCell{
			{text: nameOf(c)}, {text: c.Organization}, {text: strings.Join(c.Mail, ", ")}, {text: c.UUID},
		}})
	}
	return rows
}

// nameOf is what a person is called.
func nameOf(c past.Contact) string {
	if c.FullName != "" {
		return c.FullName
	}
	return strings.TrimSpace(c.Name + " " + c.Surname)
}

// drawPeople draws who was found, and all that is known of the selected one.
func (p *pastPage) drawPeople(sc *scene, x, y, w, h int) []string {
	found, _ := p.panel().value.(model.Found[past.Contact])
	list := found.Items
	out := []string{sc.foundLine(len(list), found.Short, "/ asks for more or for fewer of them", w)}
	t := p.lists[pastPeople]
	var about []string
	if id, ok := t.selected(); ok && h >= 14 {
		for _, c := range list {
			if c.UUID == id {
				about = sc.personLines(c, w)
			}
		}
	}
	out = append(out, t.lines(sc, x, y+1, w, max(h-1-len(about), 0))...)
	return append(out, about...)
}

func (sc *scene) personLines(c past.Contact, w int) []string {
	out := []string{look.Blanks(w)}
	for _, l := range dialog.Pairs(sc.look, w-2, dialog.Pair{Label: "name", Value: nameOf(c)}, dialog.Pair{Label: "organization", Value: c.Organization},
		dialog.Pair{Label: "mail", Value: strings.Join(c.Mail, ", ")}, dialog.Pair{Label: "id", Value: c.UUID}) {
		out = append(out, " "+l.Text)
	}
	return out
}
