package actions

import (
	"context"
	"errors"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/form"
	"wallboard/ui/style"
)

// lists holds the actions on dialer lists and their items.
type lists struct{ do *orders }

// listNumber is a numeric field of a dialer list.
type listNumber struct {
	id, label string
	of        func(*resource.List) **int
}

// listNumbers returns the numeric fields in the order of document 1.
func listNumbers() []listNumber {
	type list = *resource.List
	return []listNumber{
		{"noAnswerAttempts", "No answer: attempts", func(l list) **int { return &l.NoAnswerAttempts }},
		{"noAnswerTimeout", "No answer: timeout", func(l list) **int { return &l.NoAnswerTimeout }},
		{"busyAttempts", "Busy: attempts", func(l list) **int { return &l.BusyAttempts }},
		{"busyTimeout", "Busy: timeout", func(l list) **int { return &l.BusyTimeout }},
		{"cancelAttempts", "Cancelled: attempts", func(l list) **int { return &l.CancelAttempts }},
		{"cancelTimeout", "Cancelled: timeout", func(l list) **int { return &l.CancelTimeout }},
		{"congestionAttempts", "Congestion: attempts", func(l list) **int { return &l.CongestionAttempts }},
		{"congestionTimeout", "Congestion: timeout", func(l list) **int { return &l.CongestionTimeout }},
		{"voicemailAttempts", "Voicemail: attempts", func(l list) **int { return &l.VoicemailAttempts }},
		{"voicemailTimeout", "Voicemail: timeout", func(l list) **int { return &l.VoicemailTimeout }},
		{"vendorClosedAttempts", "Closed: attempts", func(l list) **int { return &l.VendorClosedAttempts }},
		{"vendorClosedTimeout", "Closed: timeout", func(l list) **int { return &l.VendorClosedTimeout }},
	}
}

//nolint:revive,staticcheck // sentences for the viewer
var (
	errListGone   = errors.New("The list is not there any more. Search again.")
	errListUnseen = errors.New("The list did not come, and neither did all others: it may be there. Read it again.")
)

func listFields(l resource.List, known bool) []form.Field {
	var fields []form.Field
	if known {
		fields = append(fields, form.Field{ID: "id", Label: "Id", Kind: form.Number, Value: resource.IntText(l.ID), ReadOnly: true})
	}
	fields = append(fields,
		form.Field{ID: "name", Label: "Name", Value: l.Name, Required: true},
		form.Field{ID: "voicemail", Label: "Voicemail enabled", Kind: form.Toggle, Value: yesNo(l.VoicemailEnabled, form.Yes, form.No)})
	for _, n := range listNumbers() {
		fields = append(fields, form.Field{ID: n.id, Label: n.label, Kind: form.Number, Value: resource.IntText(*n.of(&l)), Check: form.NotNegative})
	}
	return fields
}

// listOf returns before with the changes of the form.
func listOf(f *form.Form, before resource.List) resource.List {
	after := before
	for _, id := range f.Changed() {
		switch id {
		case "name":
			after.Name = f.Value(id)
		case "voicemail":
			after.VoicemailEnabled = f.Bool(id)
		default:
			for _, n := range listNumbers() {
				if n.id == id {
					*n.of(&after) = given(f, id)
				}
			}
		}
	}
	return after
}

// given returns the number in a field, nil if it is empty.
func given(f *form.Form, id string) *int {
	if n, ok := f.Int(id); ok {
		return &n
	}
	return nil
}

// openLists opens the search for dialer lists.
func (a *lists) openLists() tea.Cmd {
	d, cmd := a.do.search("Search lists", "Search", []form.Field{
		{ID: "term", Label: "Id or name", Hint: "empty: all of them"},
	})
	d.Done = func() tea.Cmd { return a.showLists(d.Fields.Value("term")) }
	return cmd
}

func (a *lists) showLists(term string) tea.Cmd {
	c := a.do.platform
	s := &dialog.Sheet[model.Found[resource.List]]{
		On: a.do.dialogs, Name: "Lists", None: "No list is called that.",
		Read: func(ctx context.Context) (model.Found[resource.List], error) { return c.Lists.FindLists(ctx, term) },
	}
	s.Draw = func(lk *style.Look, lists model.Found[resource.List], w int) []dialog.Line {
		out := short(lk, lists.Short, again, w)
		for _, l := range lists.Items {
			out = append(out, dialog.Line{Text: listLine(lk, l, w), Open: func() tea.Cmd { return a.showList(l, s.Reload) }})
		}
		return out
	}
	return a.do.dialogs.Open(s)
}

func listLine(lk *style.Look, l resource.List, w int) string {
	const id = 8
	line := style.NewLine(w, lk.Glyphs.Ellipsis)
	line.Add(lk.Style(themes.Dim), style.Fit("#"+or(resource.IntText(l.ID), "?"), id, lk.Glyphs.Ellipsis)).Space(themes.Style{}, 2)
	line.Add(lk.Style(themes.Text), or(l.Name, "without a name"))
	return line.String()
}

// showList shows a list. then runs after a change.
func (a *lists) showList(l resource.List, then func() tea.Cmd) tea.Cmd {
	c := a.do.platform
	s := &dialog.Sheet[resource.List]{
		On: a.do.dialogs, Name: "List " + joined(" ", resource.IntText(l.ID), l.Name), None: "The platform says nothing about this list.",
		Draw: listLines,
	}
	s.SetValue(l)
	if l.ID != nil {
		id := *l.ID
		s.Read = func(ctx context.Context) (resource.List, error) { return listByID(ctx, c, id) }
	}
	s.Keys = []dialog.SheetKey[resource.List]{
		{Key: "e", Does: "edit", Off: a.do.refused(resource.OpListUpdate), Run: func(l resource.List) tea.Cmd {
			return a.editList(l, func() tea.Cmd { return tea.Batch(s.Reload(), then()) })
		}},
		{Key: "i", Does: "add items", Off: a.do.refused(resource.OpItemsAdd), Run: func(l resource.List) tea.Cmd {
			return a.addItems(l.ID)
		}},
		{Key: "d", Does: "delete items", Off: a.do.refused(resource.OpItemsDelete), Run: func(l resource.List) tea.Cmd {
			return a.deleteItems(l.ID)
		}},
	}
	return a.do.dialogs.Open(s)
}

// listByID reads the list with an id; the platform only offers a search by id or name.
func listByID(ctx context.Context, c *Controller, id int) (resource.List, error) {
	lists, err := c.Lists.FindLists(ctx, strconv.Itoa(id))
	for _, l := range lists.Items {
		if l.ID != nil && *l.ID == id {
			return l, nil
		}
	}
	switch {
	case err != nil:
	case lists.Short != nil:
		err = errListUnseen
	default:
		err = errListGone
	}
	return resource.List{}, err
}

func listLines(lk *style.Look, l resource.List, w int) []dialog.Line {
	list := []dialog.Pair{pair("id", resource.IntText(l.ID)), pair("name", l.Name), pair("voicemail enabled", yesNo(l.VoicemailEnabled, form.Yes, form.No))}
	numbers := listNumbers()
	for i := 0; i+1 < len(numbers); i += 2 { // attempts and timeout of the same outcome
		label, _, _ := strings.Cut(strings.ToLower(numbers[i].label), ":")
		attempts, timeout := resource.IntText(*numbers[i].of(&l)), resource.IntText(*numbers[i+1].of(&l))
		value := ""
		if attempts != "" {
			value = attempts + " attempts"
		}
		if attempts == "1" {
			value = "1 attempt"
		}
		if timeout != "" {
			value = joined(", ", value, "timeout "+timeout)
		}
		list = append(list, pair(label, value))
	}
	return dialog.Pairs(lk, w, list...)
}

func (a *lists) editList(before resource.List, then func() tea.Cmd) tea.Cmd {
	d, cmd := a.do.form("Edit list "+joined(" ", resource.IntText(before.ID), before.Name), "Save"+a.do.look().Glyphs.Ellipsis, listFields(before, true))
	d.Done = func() tea.Cmd {
		after := listOf(d.Fields, before)
		diff := resource.Diff(before, after)
		if len(diff) == 0 {
			return d.Say("Nothing was changed.")
		}
		return a.do.askFrom(d, order{
			verb: resource.OpListUpdate, target: "list " + joined(" ", resource.IntText(before.ID), before.Name),
			do: func(ctx context.Context, c *Controller) resource.Report {
				return c.Lists.UpdateList(ctx, before, after)
			},
			then: then,
		}, dialog.Question{
			Text: "Save these changes?", Lines: changes(a.do.look(), diff), Yes: "Save",
		})
	}
	return cmd
}

func (a *lists) createList() tea.Cmd {
	d, cmd := a.do.form("New list", "Create"+a.do.look().Glyphs.Ellipsis, listFields(resource.List{}, false))
	d.Done = func() tea.Cmd {
		l := listOf(d.Fields, resource.List{})
		return a.do.askFrom(d, order{
			verb: resource.OpListCreate, target: "list " + l.Name,
			do: func(ctx context.Context, c *Controller) resource.Report { return c.Lists.CreateList(ctx, l) },
		}, dialog.Question{
			Text: "Create this list?", Lines: changes(a.do.look(), resource.Diff(resource.List{}, l)), Yes: "Create",
		})
	}
	return cmd
}

// commands returns the palette's commands.
func (a *lists) commands() []dialog.Command {
	return []dialog.Command{
		{Name: "search lists", Run: a.openLists},
		{Name: "create a list", Run: a.createList},
		{Name: "add items to a list", Run: func() tea.Cmd { return a.addItems(nil) }},
		{Name: "delete items of a list", Run: func() tea.Cmd { return a.deleteItems(nil) }},
		{Name: "reset ALL items of all lists", Run: a.resetItems},
	}
}
