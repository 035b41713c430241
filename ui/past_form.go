package ui

import (
	"errors"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/model/past"
	"wallboard/ui/dialog"
	"wallboard/ui/form"
)

// askPast asks what to look for: a day, contacts, or people.
func (m *Model) askPast(p *pastPage) tea.Cmd {
	switch p.showing {
	case pastCalls:
		return m.askCalls(p)
	case pastPeople:
		return m.askPeople(p)
	case pastDay, pastHeat, pastGroups, numPastViews:
	}
	loc := m.scene.History.Location()
	d, cmd := m.openPastForm("Go to a day", "Show", []form.Field{{
		ID: "day", Label: "Day", Kind: form.Date, Value: p.date(m.scene).Format(time.DateOnly), Required: true,
		Hint: "like 2026-01-31; the weeks and the month end with it or hold it", Check: notYetCome(m.scene, loc),
	}})
	d.Done = func() tea.Cmd {
		at, _ := d.Fields.Date("day") // the form has checked it
		p.day = time.Time{}
		if day := past.StartOfDay(at.In(loc), 0); day.Before(p.today(m.scene)) {
			p.day = day
		}
		m.dialogs.Close(d)
		return nil
	}
	return cmd
}

// notYetCome refuses times that are to come.
func notYetCome(sc *scene, loc *time.Location) func(string) error {
	return func(text string) error {
		at, err := form.ParseDate(text, loc)
		if err != nil {
			return err //nolint:wrapcheck // it is for whoever types
		}
		if at.After(sc.floor.Server(sc.floor.Ours)) {
			return errors.New("a day that has come")
		}
		return nil
	}
}

// openPastForm opens a form whose times are those of the contact center.
func (m *Model) openPastForm(name, button string, fields []form.Field) (*dialog.Form, tea.Cmd) {
	d := dialog.NewSearch(m.dialogs, name, button, fields, m.scene.History.Location())
	return d, m.dialogs.Open(d)
}

// mostFound is how many are read when nobody says otherwise: a page of the
// platform.
const mostFound = 1000

func (m *Model) askCalls(p *pastPage) tea.Cmd {
	sc, q, loc := m.scene, p.search, m.scene.History.Location()
	if !q.given {
		q = callQuery{kind: p.kind, from: p.date(sc), to: past.StartOfDay(p.date(sc), 1), most: mostFound}
	}
	const minute = "2006-01-02 15:04"
	kinds := make([]string, 0, len(past.Kinds()))
	for _, k := range past.Kinds() {
		kinds = append(kinds, k.String())
	}
	d, cmd := m.openPastForm("Search past contacts", "Search", []form.Field{
		{ID: "kind", Label: "What", Kind: form.Choice, Choices: kinds, Value: q.kind.String(), Required: true},
		{ID: "from", Label: "Began from", Kind: form.Date, Value: q.from.In(loc).Format(minute), Check: notYetCome(sc, loc)},
		{ID: "to", Label: "Began before", Kind: form.Date, Value: q.to.In(loc).Format(minute)},
		{ID: "most", Label: "At most", Kind: form.Number, Value: itoa(q.most), Check: form.NotNegative, Hint: "0: all of them; the platform gives 1000 at a time"},
		{ID: "id", Label: "Or its id", Value: q.id, Hint: "the times then have no part in it"},
	})
	d.Done = func() tea.Cmd {
		next := callQuery{given: true, id: d.Fields.Value("id")}
		next.kind = past.Kinds()[max(slices.Index(kinds, d.Fields.Value("kind")), 0)]
		next.from, _ = d.Fields.Date("from")
		next.to, _ = d.Fields.Date("to")
		next.most, _ = d.Fields.Int("most")
		switch {
		case next.id == "" && (next.from.IsZero() || next.to.IsZero()):
			return d.Say("Fill in both times, or an id.")
		case next.id == "" && !next.from.Before(next.to):
			return d.Say("The second time must be after the first.")
		}
		p.search, p.open = next, ""
		m.dialogs.Close(d)
		return p.again(m.scene)
	}
	return cmd
}

func (m *Model) askPeople(p *pastPage) tea.Cmd {
	q := p.people
	if !q.given {
		q.most = mostFound
	}
	d, cmd := m.openPastForm("Search the address book", "Search", []form.Field{
		{ID: "organization", Label: "Organization", Value: q.organization, Hint: "its name contains this"},
		{ID: "mail", Label: "Mail ends with", Value: q.mail, Hint: "for example @example.com"},
		{ID: "most", Label: "At most", Kind: form.Number, Value: itoa(q.most), Check: form.NotNegative, Hint: "0: all of them; the platform gives 1000 at a time"},
		{ID: "uuid", Label: "Or the id", Value: q.uuid, Hint: "the others then have no part in it"},
	})
	d.Done = func() tea.Cmd {
		next := peopleQuery{given: true, uuid: d.Fields.Value("uuid"), mail: d.Fields.Value("mail"), organization: d.Fields.Value("organization")}
		next.most, _ = d.Fields.Int("most")
		p.people = next
		m.dialogs.Close(d)
		return p.again(m.scene)
	}
	return cmd
}
