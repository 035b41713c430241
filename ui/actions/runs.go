package actions

import (
	"context"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/words"
	"wallboard/model/resource"
	"wallboard/ui/dialog"
	"wallboard/ui/style"
)

// runActions implements the actions on runs of campaigns.
type runActions struct{ orders *orderSender }

// runTextField describes a form field for a text field of a run.
type runTextField struct {
	id      string
	label   words.Text
	choices []string                    // allowed values from document 1; nil: any string
	field   func(*resource.Run) *string // returns a pointer to the field of the run
}

// runTimeField describes a form field for a time field of a run.
type runTimeField struct {
	id    string
	label words.Text
	field func(*resource.Run) *resource.Time // returns a pointer to the field of the run
}

// runTextFields returns the form fields for the text fields of a run.
func runTextFields() []runTextField {
	type run = *resource.Run
	status := []string{"DISABLE"}
	return []runTextField{
		{"name", words.ActFieldName(), nil, func(r run) *string { return &r.Name }},
		{"number", words.ActFieldNumber(), nil, func(r run) *string { return &r.Number }},
		{"template", words.ActFieldTemplate(), nil, func(r run) *string { return &r.Template }},
		{"status", words.ActFieldStatus(), status, func(r run) *string { return &r.RunStatus }},
		{"imStatus", words.ActFieldMessagingStatus(), status, func(r run) *string { return &r.InstantMessagingRunStatus }},
		{"imDetail", words.ActFieldMessagingDetail(), nil, func(r run) *string { return &r.InstantMessagingStatusDetail }},
	}
}

// runTimeFields returns the form fields for the time fields of a run.
func runTimeFields() []runTimeField {
	type run = *resource.Run
	return []runTimeField{
		{"start", words.ActFieldStartDate(), func(r run) *resource.Time { return &r.StartDate }},
		{"end", words.ActFieldEndDate(), func(r run) *resource.Time { return &r.EndDate }},
		{"plannedStart", words.ActFieldPlannedStart(), func(r run) *resource.Time { return &r.ScheduledStartDate }},
		{"plannedEnd", words.ActFieldPlannedEnd(), func(r run) *resource.Time { return &r.ScheduledEndDate }},
		{"imStart", words.ActFieldMessagingStart(), func(r run) *resource.Time { return &r.InstantMessagingStartDate }},
		{"imEnd", words.ActFieldMessagingEnd(), func(r run) *resource.Time { return &r.InstantMessagingEndDate }},
	}
}

func runFields(lk *style.Look, r resource.Run, known bool) []dialog.Field {
	var fields []dialog.Field
	if known {
		fields = append(fields, dialog.Field{ID: "id", Label: translate(lk, words.ActFieldId()), Kind: dialog.NumberField, Value: resource.IntText(r.ID), ReadOnly: true})
	}
	fields = append(fields,
		dialog.Field{ID: "campaign", Label: translate(lk, words.ActFieldCampaignId()), Kind: dialog.NumberField, Value: resource.IntText(r.CampaignID), Required: true},
		dialog.Field{ID: "list", Label: translate(lk, words.ActFieldListId()), Kind: dialog.NumberField, Value: resource.IntText(r.ListID)})
	for _, t := range runTextFields() {
		f := dialog.Field{ID: t.id, Label: translate(lk, t.label), Value: *t.field(&r), Required: t.id == "name"}
		if t.choices != nil {
			f.Kind, f.AnyText, f.Choices = dialog.ChoiceField, true, t.choices
		}
		fields = append(fields, f)
	}
	for _, d := range runTimeFields() {
		fields = append(fields, dialog.Field{ID: d.id, Label: translate(lk, d.label), Kind: dialog.DateField, Value: formatTime(lk, *d.field(&r))})
	}
	if len(r.Contacts) > maxRunContacts {
		return append(fields, dialog.Field{
			ID: "contacts", Label: translate(lk, words.ActFieldContacts()), Value: translate(lk, words.ActListRunContactsMany(len(r.Contacts))), ReadOnly: true,
		})
	}
	return append(fields, dialog.Field{
		ID: "contacts", Label: translate(lk, words.ActFieldContacts()), Kind: dialog.BodyField, MaxLength: maxPastedCharacters,
		Hint:  translate(lk, words.ActFieldHintRunContacts()),
		Value: runContactNotation().formatLines(r.Contacts), Check: runContactNotation().checkFor(r.Contacts),
	})
}

// maxRunContacts is the maximum number of contacts of a run that can be edited in the form.
const maxRunContacts = 1000

// runFromForm returns a copy of before with the changes that the viewer made in the form.
func runFromForm(f *dialog.Fields, before resource.Run) resource.Run {
	after := before
	for _, id := range f.Changed() {
		switch id {
		case "campaign":
			after.CampaignID = optionalInt(f, id)
		case "list":
			after.ListID = optionalInt(f, id)
		case "contacts": // the form has already checked the text
			after.Contacts, _ = runContactNotation().parseLines(f.Value(id), before.Contacts)
		}
		for _, t := range runTextFields() {
			if t.id == id {
				*t.field(&after) = f.Value(id)
			}
		}
		for _, d := range runTimeFields() {
			if d.id != id {
				continue
			}
			*d.field(&after) = resource.Time{}
			if at, ok := f.Date(id); ok {
				*d.field(&after) = resource.TimeOf(at)
			}
		}
	}
	return after
}

// openRun asks for the ID of a run and shows the run.
func (a *runActions) openRun() tea.Cmd {
	d, cmd := a.orders.openSearch(words.ActListRunOpen(), words.ActButtonOpen(), []dialog.Field{
		{ID: "id", Label: a.orders.translate(words.ActFieldRunId()), Kind: dialog.NumberField, Required: true},
	})
	d.OnSubmit = func() tea.Cmd {
		id, _ := d.Fields.Int("id") // the form has already checked the number, so there is no error
		return a.showRun(strconv.Itoa(id), func(ctx context.Context, c *Controller) (resource.Run, error) { return c.Runs.Run(ctx, id) })
	}
	return cmd
}

// openRunNamed asks for a campaign and the name of a run, and shows the run.
func (a *runActions) openRunNamed() tea.Cmd {
	d, cmd := a.orders.openSearch(words.ActListRunOpenNamed(), words.ActButtonOpen(), []dialog.Field{
		{ID: "campaign", Label: a.orders.translate(words.ActFieldCampaignId()), Kind: dialog.NumberField, Required: true},
		{ID: "name", Label: a.orders.translate(words.ActFieldRunName()), Required: true},
	})
	d.OnSubmit = func() tea.Cmd {
		campaign, _ := d.Fields.Int("campaign") // the form has already checked the number, so there is no error
		name := d.Fields.Value("name")
		return a.showRun(name, func(ctx context.Context, c *Controller) (resource.Run, error) {
			return c.Runs.RunNamed(ctx, campaign, name)
		})
	}
	return cmd
}

func (a *runActions) showRun(name string, read func(context.Context, *Controller) (resource.Run, error)) tea.Cmd {
	s := &dialog.Sheet[resource.Run]{
		Dialogs: a.orders.dialogs, Name: a.orders.translate(words.ActListRun(name)), EmptyText: a.orders.translate(words.ActListRunEmpty()),
		Read: withController(a.orders, read),
		Draw: runLines,
	}
	s.Keys = []dialog.SheetKey[resource.Run]{
		{Key: "e", Description: a.orders.translate(words.ActKeyEdit()), Problem: a.orders.refusalOf(resource.OpRunEdit), Run: func(r resource.Run) tea.Cmd {
			return a.editRun(r, s.Reload)
		}},
	}
	return a.orders.dialogs.Open(s)
}

func runLines(lk *style.Look, r resource.Run, w int) []dialog.Line {
	list := []labeledValue{
		{words.ActFieldId(), resource.IntText(r.ID)},
		{words.ActFieldCampaignId(), resource.IntText(r.CampaignID)},
		{words.ActFieldListId(), resource.IntText(r.ListID)},
	}
	for _, t := range runTextFields() {
		list = append(list, labeledValue{t.label, *t.field(&r)})
	}
	for _, d := range runTimeFields() {
		list = append(list, labeledValue{d.label, formatTime(lk, *d.field(&r))})
	}
	return labeledValueLines(lk, w, append(list, labeledValue{words.ActFieldContacts(), runContactNotation().formatLines(r.Contacts)})...)
}

// runName returns the ID and the name of a run, as far as they are known.
func runName(r resource.Run) string { return joinNonEmpty(" ", resource.IntText(r.ID), r.Name) }

func (a *runActions) editRun(before resource.Run, onSuccess func() tea.Cmd) tea.Cmd {
	return openRecordForm(a.orders, before, recordForm[resource.Run]{
		title: words.ActListRunEdit(runName(before)), fields: runFields(a.orders.look(), before, true), fromForm: runFromForm,
		button: words.ActButtonSave(), question: words.ActAskSave(), unchanged: words.ActNothingChanged(), onSuccess: onSuccess,
		operation: resource.OpRunEdit, target: func(resource.Run) words.Text { return words.ActListRunTarget(runName(before)) },
		execute: func(ctx context.Context, c *Controller, after resource.Run) words.ActionReport {
			return c.Runs.EditRun(ctx, before, after)
		},
	})
}

func (a *runActions) addRun() tea.Cmd {
	return openRecordForm(a.orders, resource.Run{}, recordForm[resource.Run]{
		title: words.ActListRunNew(), fields: runFields(a.orders.look(), resource.Run{}, false), fromForm: runFromForm,
		button: words.ActButtonAdd(), question: words.ActListRunAskAdd(), operation: resource.OpRunAdd,
		target: func(r resource.Run) words.Text {
			return words.ActListRunTargetNew(r.Name, resource.IntText(r.CampaignID))
		},
		execute: func(ctx context.Context, c *Controller, r resource.Run) words.ActionReport {
			return c.Runs.AddRun(ctx, r)
		},
	})
}

// commands returns the palette commands for runs.
func (a *runActions) commands() []dialog.Command {
	return []dialog.Command{
		{Name: a.orders.translate(words.ActListPaletteRunOpen()), Run: a.openRun},
		{Name: a.orders.translate(words.ActListPaletteRunNamed()), Run: a.openRunNamed},
		{Name: a.orders.translate(words.ActListPaletteRunAdd()), Run: a.addRun},
	}
}
