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
	"wallboard/ui/style"
)

// listActions implements the actions on dialer lists and their items.
type listActions struct{ orders *orderSender }

// listNumberField describes a form field for a numeric field of a dialer list.
type listNumberField struct {
	id, label string
	field     func(*resource.List) **int // returns a pointer to the field of the list
}

// listNumberFields returns the form fields for the numeric fields of a dialer list, in the order of
// document 1.
func listNumberFields() []listNumberField {
	type list = *resource.List
	return []listNumberField{
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
	errListDeleted    = errors.New("The list is not there any more. Search again.")
	errListIncomplete = errors.New("The list did not come, and neither did all others: it may be there. Read it again.")
)

func listFields(l resource.List, known bool) []dialog.Field {
	var fields []dialog.Field
	if known {
		fields = append(fields, dialog.Field{ID: "id", Label: "Id", Kind: dialog.NumberField, Value: resource.IntText(l.ID), ReadOnly: true})
	}
	fields = append(fields,
		dialog.Field{ID: "name", Label: "Name", Value: l.Name, Required: true},
		dialog.Field{ID: "voicemail", Label: "Voicemail enabled", Kind: dialog.ToggleField, Value: yesNo(l.VoicemailEnabled, dialog.Yes, dialog.No)})
	for _, n := range listNumberFields() {
		fields = append(fields, dialog.Field{ID: n.id, Label: n.label, Kind: dialog.NumberField, Value: resource.IntText(*n.field(&l)), Check: dialog.CheckNotNegative})
	}
	return fields
}

// listFromForm returns a copy of before with the changes that the viewer made in the form.
func listFromForm(f *dialog.Fields, before resource.List) resource.List {
	after := before
	for _, id := range f.Changed() {
		switch id {
		case "name":
			after.Name = f.Value(id)
		case "voicemail":
			after.VoicemailEnabled = f.Bool(id)
		default:
			for _, n := range listNumberFields() {
				if n.id == id {
					*n.field(&after) = optionalInt(f, id)
				}
			}
		}
	}
	return after
}

// optionalInt returns the number in the form field with the given ID, or nil if the field is empty.
func optionalInt(f *dialog.Fields, id string) *int {
	if n, ok := f.Int(id); ok {
		return &n
	}
	return nil
}

// openLists opens the form for searching dialer lists.
func (a *listActions) openLists() tea.Cmd {
	d, cmd := a.orders.openSearch("Search lists", "Search", []dialog.Field{
		{ID: "term", Label: "Id or name", Hint: "empty: all of them"},
	})
	d.OnSubmit = func() tea.Cmd { return a.showLists(d.Fields.Value("term")) }
	return cmd
}

func (a *listActions) showLists(term string) tea.Cmd {
	s := &dialog.Sheet[model.Found[resource.List]]{
		Dialogs: a.orders.dialogs, Name: "Lists", EmptyText: "No list is called that.",
		Read: withController(a.orders, func(ctx context.Context, c *Controller) (model.Found[resource.List], error) {
			return c.Lists.FindLists(ctx, term)
		}),
	}
	s.Draw = func(lk *style.Look, lists model.Found[resource.List], w int) []dialog.Line {
		out := incompleteWarning(lk, lists.Short, hintReadAgain, w)
		for _, l := range lists.Items {
			out = append(out, dialog.Line{Text: listLine(lk, l, w), Open: func() tea.Cmd { return a.showList(l, s.Reload) }})
		}
		return out
	}
	return a.orders.dialogs.Open(s)
}

func listLine(lk *style.Look, l resource.List, w int) string {
	const id = 8
	line := style.NewLine(w, lk.Glyphs.Ellipsis)
	line.Add(lk.Style(themes.Dim), style.Fit("#"+orDefault(resource.IntText(l.ID), "?"), id, lk.Glyphs.Ellipsis)).Space(themes.Style{}, 2)
	line.Add(lk.Style(themes.Text), orDefault(l.Name, "without a name"))
	return line.String()
}

// showList shows the settings of a list. onChange is called after the list has been changed.
func (a *listActions) showList(l resource.List, onChange func() tea.Cmd) tea.Cmd {
	s := &dialog.Sheet[resource.List]{
		Dialogs: a.orders.dialogs, Name: "List " + joinNonEmpty(" ", resource.IntText(l.ID), l.Name), EmptyText: "The platform says nothing about this list.",
		Draw: listLines,
	}
	s.SetValue(l)
	if l.ID != nil {
		id := *l.ID
		s.Read = withController(a.orders, func(ctx context.Context, c *Controller) (resource.List, error) { return listByID(ctx, c, id) })
	}
	s.Keys = []dialog.SheetKey[resource.List]{
		{Key: "e", Description: "edit", Problem: a.orders.refusalOf(resource.OpListUpdate), Run: func(l resource.List) tea.Cmd {
			return a.editList(l, func() tea.Cmd { return tea.Batch(s.Reload(), onChange()) })
		}},
		{Key: "i", Description: "add items", Problem: a.orders.refusalOf(resource.OpItemsAdd), Run: func(l resource.List) tea.Cmd {
			return a.addItems(l.ID)
		}},
		{Key: "d", Description: "delete items", Problem: a.orders.refusalOf(resource.OpItemsDelete), Run: func(l resource.List) tea.Cmd {
			return a.deleteItems(l.ID)
		}},
	}
	return a.orders.dialogs.Open(s)
}

// listByID returns the list with the given ID. It searches for the list, because the platform has
// no operation that returns a single list.
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
		err = errListIncomplete
	default:
		err = errListDeleted
	}
	return resource.List{}, err
}

func listLines(lk *style.Look, l resource.List, w int) []dialog.Line {
	list := []dialog.Pair{pair("id", resource.IntText(l.ID)), pair("name", l.Name), pair("voicemail enabled", yesNo(l.VoicemailEnabled, dialog.Yes, dialog.No))}
	numbers := listNumberFields()
	for i := 0; i+1 < len(numbers); i += 2 { // attempts and timeout of the same outcome are neighbors
		label, _, _ := strings.Cut(strings.ToLower(numbers[i].label), ":")
		attempts, timeout := resource.IntText(*numbers[i].field(&l)), resource.IntText(*numbers[i+1].field(&l))
		value := ""
		if attempts != "" {
			value = attempts + " attempts"
		}
		if attempts == "1" {
			value = "1 attempt"
		}
		if timeout != "" {
			value = joinNonEmpty(", ", value, "timeout "+timeout)
		}
		list = append(list, pair(label, value))
	}
	return dialog.Pairs(lk, w, list...)
}

func (a *listActions) editList(before resource.List, onSuccess func() tea.Cmd) tea.Cmd {
	d, cmd := a.orders.openForm("Edit list "+joinNonEmpty(" ", resource.IntText(before.ID), before.Name), "Save"+a.orders.look().Glyphs.Ellipsis, listFields(before, true))
	d.OnSubmit = func() tea.Cmd {
		after := listFromForm(d.Fields, before)
		diff := resource.Diff(before, after)
		if len(diff) == 0 {
			return d.Say("Nothing was changed.")
		}
		return a.orders.confirmForm(d, order{
			operation: resource.OpListUpdate, target: "list " + joinNonEmpty(" ", resource.IntText(before.ID), before.Name),
			execute: func(ctx context.Context, c *Controller) resource.Report {
				return c.Lists.UpdateList(ctx, before, after)
			},
			onSuccess: onSuccess,
		}, dialog.Question{
			Text: "Save these changes?", Lines: changeLines(a.orders.look(), diff), YesLabel: "Save",
		})
	}
	return cmd
}

func (a *listActions) createList() tea.Cmd {
	d, cmd := a.orders.openForm("New list", "Create"+a.orders.look().Glyphs.Ellipsis, listFields(resource.List{}, false))
	d.OnSubmit = func() tea.Cmd {
		l := listFromForm(d.Fields, resource.List{})
		return a.orders.confirmForm(d, order{
			operation: resource.OpListCreate, target: "list " + l.Name,
			execute: func(ctx context.Context, c *Controller) resource.Report { return c.Lists.CreateList(ctx, l) },
		}, dialog.Question{
			Text: "Create this list?", Lines: changeLines(a.orders.look(), resource.Diff(resource.List{}, l)), YesLabel: "Create",
		})
	}
	return cmd
}

// commands returns the palette commands for lists.
func (a *listActions) commands() []dialog.Command {
	return []dialog.Command{
		{Name: "search lists", Run: a.openLists},
		{Name: "create a list", Run: a.createList},
		{Name: "add items to a list", Run: func() tea.Cmd { return a.addItems(nil) }},
		{Name: "delete items of a list", Acts: true, Run: func() tea.Cmd { return a.deleteItems(nil) }},
		{Name: "reset ALL items of all lists", Acts: true, Run: a.resetItems},
	}
}
