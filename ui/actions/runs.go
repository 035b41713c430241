package actions

import (
	"context"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"wallboard/model/resource"
	"wallboard/ui/dialog"
	"wallboard/ui/style"
)

// runActions implements the actions on runs of campaigns.
type runActions struct{ orders *orderSender }

// runTextField describes a form field for a text field of a run.
type runTextField struct {
	id, label string
	choices   []string                    // allowed values from document 1; nil: any string
	field     func(*resource.Run) *string // returns a pointer to the field of the run
}

// runTimeField describes a form field for a time field of a run.
type runTimeField struct {
	id, label string
	field     func(*resource.Run) *resource.Time // returns a pointer to the field of the run
}

// runTextFields returns the form fields for the text fields of a run.
func runTextFields() []runTextField {
	type run = *resource.Run
	status := []string{"DISABLE"}
	return []runTextField{
		{"name", "Name", nil, func(r run) *string { return &r.Name }},
		{"number", "Number", nil, func(r run) *string { return &r.Number }},
		{"template", "Template", nil, func(r run) *string { return &r.Template }},
		{"status", "Status", status, func(r run) *string { return &r.RunStatus }},
		{"imStatus", "Messaging status", status, func(r run) *string { return &r.InstantMessagingRunStatus }},
		{"imDetail", "Messaging detail", nil, func(r run) *string { return &r.InstantMessagingStatusDetail }},
	}
}

// runTimeFields returns the form fields for the time fields of a run.
func runTimeFields() []runTimeField {
	type run = *resource.Run
	return []runTimeField{
		{"start", "Start", func(r run) *resource.Time { return &r.StartDate }},
		{"end", "End", func(r run) *resource.Time { return &r.EndDate }},
		{"plannedStart", "Planned start", func(r run) *resource.Time { return &r.ScheduledStartDate }},
		{"plannedEnd", "Planned end", func(r run) *resource.Time { return &r.ScheduledEndDate }},
		{"imStart", "Messaging start", func(r run) *resource.Time { return &r.InstantMessagingStartDate }},
		{"imEnd", "Messaging end", func(r run) *resource.Time { return &r.InstantMessagingEndDate }},
	}
}

func runFields(lk *style.Look, r resource.Run, known bool) []dialog.Field {
	var fields []dialog.Field
	if known {
		fields = append(fields, dialog.Field{ID: "id", Label: "Id", Kind: dialog.NumberField, Value: resource.IntText(r.ID), ReadOnly: true})
	}
	fields = append(fields,
		dialog.Field{ID: "campaign", Label: "Campaign id", Kind: dialog.NumberField, Value: resource.IntText(r.CampaignID), Required: true},
		dialog.Field{ID: "list", Label: "List id", Kind: dialog.NumberField, Value: resource.IntText(r.ListID)})
	for _, t := range runTextFields() {
		f := dialog.Field{ID: t.id, Label: t.label, Value: *t.field(&r), Required: t.id == "name"}
		if t.choices != nil {
			f.Kind, f.AnyText, f.Choices = dialog.ChoiceField, true, t.choices
		}
		fields = append(fields, f)
	}
	for _, d := range runTimeFields() {
		fields = append(fields, dialog.Field{ID: d.id, Label: d.label, Kind: dialog.DateField, Value: formatTime(lk, *d.field(&r))})
	}
	if len(r.Contacts) > maxRunContacts {
		return append(fields, dialog.Field{
			ID: "contacts", Label: "Contacts", Value: lk.Count(len(r.Contacts)) + ", too many to change them here", ReadOnly: true,
		})
	}
	return append(fields, dialog.Field{
		ID: "contacts", Label: "Contacts", Kind: dialog.BodyField, MaxLength: maxItemsLength,
		Hint:  "one a line: address;type=VENDOR4YOU; language=IT; item=1",
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
	d, cmd := a.orders.openSearch("Open a run", "Open", []dialog.Field{{ID: "id", Label: "Run id", Kind: dialog.NumberField, Required: true}})
	d.OnSubmit = func() tea.Cmd {
		id, _ := d.Fields.Int("id") // the form has already checked the number, so there is no error
		return a.showRun("Run "+strconv.Itoa(id), func(ctx context.Context, c *Controller) (resource.Run, error) { return c.Runs.Run(ctx, id) })
	}
	return cmd
}

// openRunNamed asks for a campaign and the name of a run, and shows the run.
func (a *runActions) openRunNamed() tea.Cmd {
	d, cmd := a.orders.openSearch("Open a run of a campaign", "Open", []dialog.Field{
		{ID: "campaign", Label: "Campaign id", Kind: dialog.NumberField, Required: true},
		{ID: "name", Label: "Run name", Required: true},
	})
	d.OnSubmit = func() tea.Cmd {
		campaign, _ := d.Fields.Int("campaign") // the form has already checked the number, so there is no error
		name := d.Fields.Value("name")
		return a.showRun("Run "+name, func(ctx context.Context, c *Controller) (resource.Run, error) {
			return c.Runs.RunNamed(ctx, campaign, name)
		})
	}
	return cmd
}

func (a *runActions) showRun(name string, read func(context.Context, *Controller) (resource.Run, error)) tea.Cmd {
	s := &dialog.Sheet[resource.Run]{
		Dialogs: a.orders.dialogs, Name: name, EmptyText: "The platform says nothing about this run.",
		Read: withController(a.orders, read),
		Draw: runLines,
	}
	s.Keys = []dialog.SheetKey[resource.Run]{
		{Key: "e", Description: "edit", Problem: a.orders.refusalOf(resource.OpRunEdit), Run: func(r resource.Run) tea.Cmd {
			return a.editRun(r, s.Reload)
		}},
	}
	return a.orders.dialogs.Open(s)
}

func runLines(lk *style.Look, r resource.Run, w int) []dialog.Line {
	list := []dialog.Pair{pair("id", resource.IntText(r.ID)), pair("campaign", resource.IntText(r.CampaignID)), pair("list", resource.IntText(r.ListID))}
	for _, t := range runTextFields() {
		list = append(list, pair(strings.ToLower(t.label), *t.field(&r)))
	}
	for _, d := range runTimeFields() {
		list = append(list, pair(strings.ToLower(d.label), formatTime(lk, *d.field(&r))))
	}
	return dialog.Pairs(lk, w, append(list, pair("contacts", runContactNotation().formatLines(r.Contacts)))...)
}

func (a *runActions) editRun(before resource.Run, onSuccess func() tea.Cmd) tea.Cmd {
	d, cmd := a.orders.openForm("Edit run "+joinNonEmpty(" ", resource.IntText(before.ID), before.Name), "Save"+a.orders.look().Glyphs.Ellipsis, runFields(a.orders.look(), before, true))
	d.OnSubmit = func() tea.Cmd {
		after := runFromForm(d.Fields, before)
		diff := resource.Diff(before, after)
		if len(diff) == 0 {
			return d.Say("Nothing was changed.")
		}
		return a.orders.confirmForm(d, order{
			operation: resource.OpRunEdit, target: "run " + joinNonEmpty(" ", resource.IntText(before.ID), before.Name),
			execute:   func(ctx context.Context, c *Controller) resource.Report { return c.Runs.EditRun(ctx, before, after) },
			onSuccess: onSuccess,
		}, dialog.Question{
			Text: "Save these changes?", Lines: changeLines(a.orders.look(), diff), YesLabel: "Save",
		})
	}
	return cmd
}

func (a *runActions) addRun() tea.Cmd {
	d, cmd := a.orders.openForm("New run", "Add"+a.orders.look().Glyphs.Ellipsis, runFields(a.orders.look(), resource.Run{}, false))
	d.OnSubmit = func() tea.Cmd {
		r := runFromForm(d.Fields, resource.Run{})
		return a.orders.confirmForm(d, order{
			operation: resource.OpRunAdd, target: "run " + r.Name + " of campaign " + resource.IntText(r.CampaignID),
			execute: func(ctx context.Context, c *Controller) resource.Report { return c.Runs.AddRun(ctx, r) },
		}, dialog.Question{
			Text: "Add this run?", Lines: changeLines(a.orders.look(), resource.Diff(resource.Run{}, r)), YesLabel: "Add",
		})
	}
	return cmd
}

// commands returns the palette commands for runs.
func (a *runActions) commands() []dialog.Command {
	return []dialog.Command{
		{Name: "open a run by its id", Run: a.openRun},
		{Name: "open a run by campaign and name", Run: a.openRunNamed},
		{Name: "add a run", Run: a.addRun},
	}
}
