package actions

import (
	"context"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/words"
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
	id        string
	outcome   words.Text                 // outcome of a call, to which the field applies
	isTimeout bool                       // the field is a timeout, not a number of attempts
	field     func(*resource.List) **int // returns a pointer to the field of the list
}

func (f *listNumberField) label() words.Text {
	if f.isTimeout {
		return words.ActFieldTimeout(f.outcome)
	}
	return words.ActFieldAttempts(f.outcome)
}

// listNumberFields returns the form fields for the numeric fields of a dialer list, in the order of
// document 1.
func listNumberFields() []listNumberField {
	type list = *resource.List
	return []listNumberField{
		{"noAnswerAttempts", words.ActFieldNoAnswer(), false, func(l list) **int { return &l.NoAnswerAttempts }},
		{"noAnswerTimeout", words.ActFieldNoAnswer(), true, func(l list) **int { return &l.NoAnswerTimeout }},
		{"busyAttempts", words.ActFieldBusy(), false, func(l list) **int { return &l.BusyAttempts }},
		{"busyTimeout", words.ActFieldBusy(), true, func(l list) **int { return &l.BusyTimeout }},
		{"cancelAttempts", words.ActFieldCancelled(), false, func(l list) **int { return &l.CancelAttempts }},
		{"cancelTimeout", words.ActFieldCancelled(), true, func(l list) **int { return &l.CancelTimeout }},
		{"congestionAttempts", words.ActFieldCongestion(), false, func(l list) **int { return &l.CongestionAttempts }},
		{"congestionTimeout", words.ActFieldCongestion(), true, func(l list) **int { return &l.CongestionTimeout }},
		{"voicemailAttempts", words.ActFieldVoicemail(), false, func(l list) **int { return &l.VoicemailAttempts }},
		{"voicemailTimeout", words.ActFieldVoicemail(), true, func(l list) **int { return &l.VoicemailTimeout }},
		{"vendorClosedAttempts", words.ActFieldClosed(), false, func(l list) **int { return &l.VendorClosedAttempts }},
		{"vendorClosedTimeout", words.ActFieldClosed(), true, func(l list) **int { return &l.VendorClosedTimeout }},
	}
}

var (
	errListDeleted    = words.NewError(words.ActListDeleted(), nil)
	errListIncomplete = words.NewError(words.ActListMissing(), nil)
)

func listFields(tell func(words.Text) string, l resource.List, known bool) []dialog.Field {
	var fields []dialog.Field
	if known {
		fields = append(fields, dialog.Field{ID: "id", Label: tell(words.ActFieldId()), Kind: dialog.NumberField, Value: resource.IntText(l.ID), ReadOnly: true})
	}
	fields = append(fields,
		dialog.Field{ID: "name", Label: tell(words.ActFieldName()), Value: l.Name, Required: true},
		dialog.Field{ID: "voicemail", Label: tell(words.ActFieldVoicemailEnabled()), Kind: dialog.ToggleField, Value: chooseYesNo(l.VoicemailEnabled, dialog.Yes, dialog.No)})
	for _, n := range listNumberFields() {
		fields = append(fields, dialog.Field{ID: n.id, Label: tell(n.label()), Kind: dialog.NumberField, Value: resource.IntText(*n.field(&l)), Check: dialog.CheckNotNegative})
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

// openListSearch opens the form for searching dialer lists.
func (a *listActions) openListSearch() tea.Cmd {
	d, cmd := a.orders.openSearch(words.ActListSearch(), words.HistorySearchButton(), []dialog.Field{
		{ID: "term", Label: a.orders.translate(words.ActFieldIdOrName()), Hint: a.orders.translate(words.ActFieldHintAll())},
	})
	d.OnSubmit = func() tea.Cmd { return a.showLists(d.Fields.Value("term")) }
	return cmd
}

func (a *listActions) showLists(term string) tea.Cmd {
	s := &dialog.Sheet[model.FetchedList[resource.List]]{
		Dialogs: a.orders.dialogs, Name: a.orders.translate(words.ActListLists()), EmptyText: a.orders.translate(words.ActListListsNone()),
		Read: withController(a.orders, func(ctx context.Context, c *Controller) (model.FetchedList[resource.List], error) {
			return c.Lists.FindLists(ctx, term)
		}),
	}
	s.Draw = func(lk *style.Look, lists model.FetchedList[resource.List], w int) []dialog.Line {
		out := incompleteWarning(lk, lists.Short, words.ActIncompleteAgain, w)
		for _, l := range lists.Items {
			out = append(out, dialog.Line{Text: listLine(lk, l, w), Open: func() tea.Cmd { return a.showList(l, s.Reload) }})
		}
		return out
	}
	return a.orders.dialogs.Open(s)
}

// listName returns the ID and the name of a list, as far as they are known.
func listName(l resource.List) string { return joinNonEmpty(" ", resource.IntText(l.ID), l.Name) }

func listLine(lk *style.Look, l resource.List, w int) string {
	const id = 8
	line := style.NewLine(w, lk.Glyphs.Ellipsis)
	line.Add(lk.Style(themes.Dim), style.Fit("#"+orDefault(resource.IntText(l.ID), "?"), id, lk.Glyphs.Ellipsis)).Space(themes.Style{}, 2)
	line.Add(lk.Style(themes.Text), orDefault(l.Name, translate(lk, words.ActListUnnamed())))
	return line.String()
}

// showList shows the settings of a list. onChange is called after the list has been changed.
func (a *listActions) showList(l resource.List, onChange func() tea.Cmd) tea.Cmd {
	s := &dialog.Sheet[resource.List]{
		Dialogs: a.orders.dialogs, Name: a.orders.translate(words.ActListTitle(listName(l))), EmptyText: a.orders.translate(words.ActListEmpty()),
		Draw: listLines,
	}
	s.SetValue(l)
	if l.ID != nil {
		id := *l.ID
		s.Read = withController(a.orders, func(ctx context.Context, c *Controller) (resource.List, error) { return listByID(ctx, c, id) })
	}
	s.Keys = []dialog.SheetKey[resource.List]{
		{Key: "e", Description: a.orders.translate(words.ActKeyEdit()), Problem: a.orders.refusalOf(resource.OpListUpdate), Run: func(l resource.List) tea.Cmd {
			return a.editList(l, func() tea.Cmd { return tea.Batch(s.Reload(), onChange()) })
		}},
		{Key: "i", Description: a.orders.translate(words.ResourceItemsAdd()), Problem: a.orders.refusalOf(resource.OpItemsAdd), Run: func(l resource.List) tea.Cmd {
			return a.addItems(l.ID)
		}},
		{Key: "d", Description: a.orders.translate(words.ResourceItemsDelete()), Problem: a.orders.refusalOf(resource.OpItemsDelete), Run: func(l resource.List) tea.Cmd {
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
	list := []labeledValue{{words.ActFieldId(), resource.IntText(l.ID)}, {words.ActFieldName(), l.Name}, {words.ActFieldVoicemailEnabled(), yesNoText(lk, l.VoicemailEnabled)}}
	numbers := listNumberFields()
	for i := 0; i+1 < len(numbers); i += 2 { // attempts and timeout of the same outcome are neighbors
		var values []words.Text
		if attempts := *numbers[i].field(&l); attempts != nil {
			values = append(values, words.ActListAttempts(*attempts))
		}
		if timeout := *numbers[i+1].field(&l); timeout != nil {
			values = append(values, words.ActListTimeout(resource.IntText(timeout)))
		}
		list = append(list, labeledValue{numbers[i].outcome, translate(lk, words.List(values))})
	}
	return labeledValueLines(lk, w, list...)
}

func (a *listActions) editList(before resource.List, onSuccess func() tea.Cmd) tea.Cmd {
	return openRecordForm(a.orders, before, recordForm[resource.List]{
		title: words.ActListEdit(listName(before)), fields: listFields(a.orders.translate, before, true), fromForm: listFromForm,
		button: words.ActButtonSave(), question: words.ActAskSave(), unchanged: words.ActNothingChanged(), onSuccess: onSuccess,
		operation: resource.OpListUpdate, target: func(resource.List) words.Text { return words.ActListTarget(listName(before)) },
		execute: func(ctx context.Context, c *Controller, after resource.List) words.ActionReport {
			return c.Lists.UpdateList(ctx, before, after)
		},
	})
}

func (a *listActions) createList() tea.Cmd {
	return openRecordForm(a.orders, resource.List{}, recordForm[resource.List]{
		title: words.ActListNew(), fields: listFields(a.orders.translate, resource.List{}, false), fromForm: listFromForm,
		button: words.ActButtonCreate(), question: words.ActListAskCreate(),
		operation: resource.OpListCreate, target: func(l resource.List) words.Text { return words.ActListTarget(l.Name) },
		execute: func(ctx context.Context, c *Controller, l resource.List) words.ActionReport {
			return c.Lists.CreateList(ctx, l)
		},
	})
}

// commands returns the palette commands for lists.
func (a *listActions) commands() []dialog.Command {
	return []dialog.Command{
		{Name: a.orders.translate(words.ActListPaletteSearch()), Run: a.openListSearch},
		{Name: a.orders.translate(words.ActListPaletteCreate()), Run: a.createList},
		{Name: a.orders.translate(words.ActListPaletteAddItems()), Run: func() tea.Cmd { return a.addItems(nil) }},
		{Name: a.orders.translate(words.ActListPaletteDeleteItems()), AffectsOthers: true, Run: func() tea.Cmd { return a.deleteItems(nil) }},
		{Name: a.orders.translate(words.ActListPaletteResetItems()), AffectsOthers: true, Run: a.resetItems},
	}
}
