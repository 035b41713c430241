package actions

import (
	"context"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/style"
)

// openPeopleSearch opens the form for searching the people of tickets: agents if agents is true,
// otherwise customers.
func (a *ticketActions) openPeopleSearch(agents bool) tea.Cmd {
	name, tell := words.ActContactCustomersSearch(), a.orders.translate
	fields := []dialog.Field{
		{ID: "key", Label: tell(words.ActFieldNamePart()), Hint: tell(words.ActFieldHintAll())},
		{ID: "index", Label: tell(words.ActFieldFirstResult()), Kind: dialog.NumberField, Hidden: true, Hint: tell(words.ActFieldHintFirstResult())},
		{ID: "size", Label: tell(words.ActFieldResults()), Kind: dialog.NumberField, Value: strconv.Itoa(pageSize), Hidden: true, Check: dialog.CheckPositive},
	}
	if agents {
		name = words.ActContactAgentsSearch()
		fields = append(fields, dialog.Field{ID: "services", Label: tell(words.ActFieldServices()), Hidden: true})
	}
	d, cmd := a.orders.openSearch(name, words.HistorySearchButton(), fields)
	d.OnSubmit = func() tea.Cmd {
		q := resource.PersonQuery{SearchKey: d.Fields.Value("key"), Services: d.Fields.Value("services")}
		if n, ok := d.Fields.Int("index"); ok {
			q.Index = &n
		}
		if n, ok := d.Fields.Int("size"); ok {
			q.Size = &n
		}
		return a.showPeople(q, agents)
	}
	return cmd
}

func (a *ticketActions) showPeople(q resource.PersonQuery, agents bool) tea.Cmd {
	name := words.ActContactCustomers()
	if agents {
		name = words.ActContactAgents()
	}
	asking := func(q resource.PersonQuery) func(context.Context) (model.FetchedList[resource.Person], error) {
		return withController(a.orders, func(ctx context.Context, c *Controller) (model.FetchedList[resource.Person], error) {
			if agents {
				return c.Tickets.TicketAgents(ctx, q)
			}
			return c.Tickets.TicketCustomers(ctx, q)
		})
	}
	s := &dialog.Sheet[model.FetchedList[resource.Person]]{
		Dialogs: a.orders.dialogs, Name: a.orders.translate(name), EmptyText: a.orders.translate(words.ActContactPeopleNone()), Read: asking(q),
		Draw: func(lk *style.Look, people model.FetchedList[resource.Person], w int) []dialog.Line {
			out := incompleteWarning(lk, people.Short, words.ActIncompleteAll, w)
			for _, p := range people.Items {
				out = append(out, dialog.Line{Text: personLine(lk, p, w), Open: func() tea.Cmd { return a.showPerson(p) }})
			}
			return out
		},
	}
	s.Keys = []dialog.SheetKey[model.FetchedList[resource.Person]]{
		{Key: "a", Description: a.orders.translate(words.ActKeyAll()), Run: func(model.FetchedList[resource.Person]) tea.Cmd {
			all := q
			all.Index, all.Size = nil, nil
			s.Read = asking(all)
			return s.Load()
		}},
	}
	return a.orders.dialogs.Open(s)
}

func personLine(lk *style.Look, p resource.Person, w int) string {
	const id = 10
	l := style.NewLine(w, lk.Glyphs.Ellipsis)
	l.Add(lk.Style(themes.Dim), style.Fit(orDefault(p.UID, p.Username), id, lk.Glyphs.Ellipsis)).Space(themes.Style{}, 2)
	l.Add(lk.Style(themes.Text), style.Fit(personName(lk, p), l.RemainingWidth()*2/5, lk.Glyphs.Ellipsis)).Space(themes.Style{}, 2)
	l.Add(lk.Style(themes.Dim), orDefault(p.Email, p.Value))
	return l.String()
}

// personName returns the best available name of a person. As everywhere on the board, the surname
// precedes the first name.
func personName(lk *style.Look, p resource.Person) string {
	full := ""
	if p.Name != "" && p.Surname != "" {
		full = p.Surname + " " + p.Name
	}
	for _, name := range []string{full, p.DisplayName, p.Surname, p.Name, p.PublicUsername, p.Username, p.Value, p.UID} {
		if name != "" {
			return name
		}
	}
	return translate(lk, words.ActContactPersonUnknown())
}

func (a *ticketActions) showPerson(p resource.Person) tea.Cmd {
	s := &dialog.Sheet[resource.Person]{
		Dialogs: a.orders.dialogs, Name: personName(a.orders.look(), p), EmptyText: a.orders.translate(words.ActContactPersonEmpty()),
		Draw: func(lk *style.Look, p resource.Person, w int) []dialog.Line {
			return labeledValueLines(lk, w,
				labeledValue{words.ActFieldDisplayName(), p.DisplayName}, labeledValue{words.ActFieldName(), p.Name}, labeledValue{words.ActFieldSurname(), p.Surname},
				labeledValue{words.ActFieldId(), p.UID}, labeledValue{words.ActFieldUserName(), p.Username}, labeledValue{words.ActFieldPublicName(), p.PublicUsername},
				labeledValue{words.ActFieldAddress(), p.Value}, labeledValue{words.ActFieldEmail(), p.Email}, labeledValue{words.ActFieldType(), p.Type}, labeledValue{words.ActFieldLanguage(), p.Language},
				labeledValue{words.ActFieldServices(), strings.Join(p.ServiceCodes, ", ")}, labeledValue{words.ActFieldOldUserId(), resource.IntText(p.UserIDMc1002)})
		},
	}
	return a.orders.dialogs.Open(s.SetValue(p))
}
