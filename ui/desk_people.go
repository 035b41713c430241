package ui

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/themes"
	"wallboard/ui/form"
	"wallboard/ui/look"
)

// openPeople asks which agents or customers of tickets to look for.
func openPeople(m *Model, agents bool) tea.Cmd {
	name := "Search customers of tickets"
	fields := []form.Field{
		{ID: "key", Label: "Name or part of it", Hint: "empty: all of them"},
		{ID: "index", Label: "Start with", Kind: form.Number, More: true, Hint: "as the platform counts"},
		{ID: "size", Label: "Results", Kind: form.Number, Value: itoa(pageSize), More: true, Check: positive},
	}
	if agents {
		name = "Search agents of tickets"
		fields = append(fields, form.Field{ID: "services", Label: "Services", More: true})
	}
	d, cmd := openSearch(m, name, "Search", fields)
	d.done = func(m *Model) tea.Cmd {
		q := resource.PersonQuery{SearchKey: d.form.Value("key"), Services: d.form.Value("services")}
		if n, ok := d.form.Int("index"); ok {
			q.Index = &n
		}
		if n, ok := d.form.Int("size"); ok {
			q.Size = &n
		}
		return showPeople(m, q, agents)
	}
	return cmd
}

func showPeople(m *Model, q resource.PersonQuery, agents bool) tea.Cmd {
	c, sc := m.scene.Controller, m.scene
	name, read := "Customers", c.TicketCustomers
	if agents {
		name, read = "Agents", c.TicketAgents
	}
	asking := func(q resource.PersonQuery) func(context.Context) (model.Found[resource.Person], error) {
		return func(ctx context.Context) (model.Found[resource.Person], error) { return read(ctx, q) }
	}
	s := &sheet[model.Found[resource.Person]]{
		name: name, none: "The platform knows nobody of that name.", read: asking(q),
		draw: func(people model.Found[resource.Person], w int) []sheetLine {
			out := sc.short(people.Short, toAll, w)
			for _, p := range people.Items {
				out = append(out, sheetLine{text: sc.personLine(p, w), open: func(m *Model) tea.Cmd { return showPerson(m, p) }})
			}
			return out
		},
	}
	s.keys = []sheetKey[model.Found[resource.Person]]{
		{key: "a", does: "all", run: func(m *Model, _ model.Found[resource.Person]) tea.Cmd {
			all := q
			all.Index, all.Size = nil, nil
			s.read = asking(all)
			return s.load(m)
		}},
	}
	return openSheet(m, s)
}

func (sc *scene) personLine(p resource.Person, w int) string {
	const id = 10
	l := look.NewLine(w, sc.look.Glyphs.Ellipsis)
	l.Add(sc.look.Style(themes.Dim), look.Fit(or(p.UID, p.Username), id, sc.look.Glyphs.Ellipsis)).Space(themes.Style{}, 2)
	l.Add(sc.look.Style(themes.Text), look.Fit(personName(p), l.Room()*2/5, sc.look.Glyphs.Ellipsis)).Space(themes.Style{}, 2)
	l.Add(sc.look.Style(themes.Dim), or(p.Email, p.Value))
	return l.String()
}

// personName is what somebody is called, by whatever is known of him: as on the
// board, his surname comes first.
func personName(p resource.Person) string {
	full := ""
	if p.Name != "" && p.Surname != "" {
		full = p.Surname + " " + p.Name
	}
	for _, name := range []string{full, p.DisplayName, p.Surname, p.Name, p.PublicUsername, p.Username, p.Value, p.UID} {
		if name != "" {
			return name
		}
	}
	return "nobody known"
}

func showPerson(m *Model, p resource.Person) tea.Cmd {
	sc := m.scene
	return openSheet(m, &sheet[resource.Person]{
		name: personName(p), none: "The platform says nothing about this person.", phase: phaseReady, value: p,
		draw: func(p resource.Person, w int) []sheetLine {
			return sc.pairs(w,
				pair{"display name", p.DisplayName}, pair{"name", p.Name}, pair{"surname", p.Surname},
				pair{"id", p.UID}, pair{"user name", p.Username}, pair{"public name", p.PublicUsername},
				pair{"address", p.Value}, pair{"e-mail", p.Email}, pair{"type", p.Type}, pair{"language", p.Language},
				pair{"services", strings.Join(p.ServiceCodes, ", ")}, pair{"old user id", number(p.UserIDMc1002)})
		},
	})
}
