package actions

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"wallboard/model/resource"
	"wallboard/ui/dialog"
	"wallboard/ui/style"
)

// contactActions implements the actions on the external address book.
type contactActions struct{ orders *orderSender }

// contactTextField describes a form field for a text field of a contact.
type contactTextField struct {
	id, label string
	field     func(*resource.Contact) *string // returns a pointer to the field of the contact
	multiline bool
}

// contactTextFields returns the form fields for the text fields of a contact, in the order of
// document 1.
func contactTextFields() []contactTextField {
	type contact = *resource.Contact
	return []contactTextField{
		{"name", "Name", func(c contact) *string { return &c.Name }, false},
		{"surname", "Surname", func(c contact) *string { return &c.Surname }, false},
		{"otherName", "Other name", func(c contact) *string { return &c.OtherName }, false},
		{"company", "Company", func(c contact) *string { return &c.Company }, false},
		{"department", "Department", func(c contact) *string { return &c.Department }, false},
		{"role", "Role", func(c contact) *string { return &c.Role }, false},
		{"street", "Street", func(c contact) *string { return &c.Street }, false},
		{"city", "City", func(c contact) *string { return &c.City }, false},
		{"district", "District", func(c contact) *string { return &c.District }, false},
		{"cap", "Postal code", func(c contact) *string { return &c.Cap }, false},
		{"country", "Country", func(c contact) *string { return &c.Country }, false},
		{"note", "Note", func(c contact) *string { return &c.Note }, true},
		{"agentNote", "Agents' note", func(c contact) *string { return &c.AgentNote }, true},
	}
}

// contactFields returns all form fields for a contact. known is true for an existing contact.
func contactFields(c resource.Contact, known bool) []dialog.Field {
	ids := []dialog.Field{
		{ID: "id", Label: "Id", Value: c.ID, ReadOnly: known, Hidden: !known, Hint: "empty: the platform chooses one"},
		{ID: "backend", Label: "Address book", Value: c.AddressbookBackendID, ReadOnly: known},
	}
	var fields []dialog.Field
	if known {
		fields = ids
	}
	vip := dialog.Field{ID: "vip", Label: "VIP", Kind: dialog.ToggleField, Value: yesNo(c.VIP, dialog.Yes, dialog.No)}
	for _, t := range contactTextFields() {
		if t.id == "note" { // short fields come first
			fields = append(fields, vip)
		}
		f := dialog.Field{ID: t.id, Label: t.label, Value: *t.field(&c)}
		if t.multiline {
			f.Kind, f.MaxLength = dialog.BodyField, resource.MaxBody
		}
		fields = append(fields, f)
	}
	lines := func(id, label, hint, value string, check func(string) error) {
		fields = append(fields, dialog.Field{
			ID: id, Label: label, Hint: hint, Kind: dialog.BodyField, MaxLength: resource.MaxBody, Value: value, Check: check,
		})
	}
	addresses, custom := addressNotation(), customFieldNotation()
	lines("numbers", "Numbers", "one a line: type, blank, number", addresses.formatLines(c.Numbers), addresses.checkFor(c.Numbers))
	lines("emails", "E-mails", "one a line: type, blank, address", addresses.formatLines(c.Emails), addresses.checkFor(c.Emails))
	lines("webSites", "Web sites", "one a line: type, blank, address", addresses.formatLines(c.WebSites), addresses.checkFor(c.WebSites))
	lines("customFields", "Custom fields", "one a line: key, blank, value", custom.formatLines(c.CustomFields), custom.checkFor(c.CustomFields))
	lines("categories", "Categories", "one a line", lineNotation().formatLines(c.Categories), nil)
	if !known {
		fields = append(fields, ids...) // the form of a new contact begins with the name
	}
	return fields
}

// contactFromForm returns a copy of before with the changes that the viewer made in the form.
func contactFromForm(f *dialog.Fields, before resource.Contact) resource.Contact {
	after := before
	texts, addresses, custom := contactTextFields(), addressNotation(), customFieldNotation()
	for _, id := range f.Changed() {
		v := f.Value(id)
		switch id {
		case "id":
			after.ID = v
		case "backend":
			after.AddressbookBackendID = v
		case "vip":
			after.VIP = f.Bool(id)
		case "numbers": // the form has already checked these fields
			after.Numbers, _ = addresses.parseLines(v, before.Numbers)
		case "emails":
			after.Emails, _ = addresses.parseLines(v, before.Emails)
		case "webSites":
			after.WebSites, _ = addresses.parseLines(v, before.WebSites)
		case "customFields":
			after.CustomFields, _ = custom.parseLines(v, before.CustomFields)
		case "categories":
			after.Categories, _ = lineNotation().parseLines(v, nil)
		default:
			for _, t := range texts {
				if t.id == id {
					*t.field(&after) = v
				}
			}
		}
	}
	return after
}

// contactName returns the best available name of a contact: the person's name, otherwise the
// company or the ID. It returns "new contact" if there is none.
func contactName(c resource.Contact) string {
	return orDefault(joinNonEmpty(" ", c.Name, c.OtherName, c.Surname), orDefault(c.Company, orDefault(c.ID, "new contact")))
}

// openContact asks for the ID of a contact and shows the contact.
func (a *contactActions) openContact() tea.Cmd {
	d, cmd := a.orders.openSearch("Open a contact", "Open", []dialog.Field{{ID: "id", Label: "Contact id", Required: true}})
	d.OnSubmit = func() tea.Cmd { return a.showContact(d, d.Fields.Value("id")) }
	return cmd
}

// showContact opens a dialog that shows the contact with the given ID. opener is the dialog in
// which the viewer entered the ID. It is closed if the viewer deletes the contact.
func (a *contactActions) showContact(opener dialog.Dialog, id string) tea.Cmd {
	s := &dialog.Sheet[resource.Contact]{
		Dialogs: a.orders.dialogs, Name: "Contact " + id, EmptyText: "The contact is empty.",
		Read: withController(a.orders, func(ctx context.Context, c *Controller) (resource.Contact, error) { return c.Contacts.Contact(ctx, id) }),
		Draw: contactLines,
	}
	s.Keys = []dialog.SheetKey[resource.Contact]{
		{Key: "e", Description: "edit", Problem: a.orders.refusalOf(resource.OpContactUpdate), Run: func(c resource.Contact) tea.Cmd {
			return a.editContact(c, s.Reload)
		}},
		{Key: "d", Description: "delete" + a.orders.look().Glyphs.Ellipsis, Problem: a.orders.refusalOf(resource.OpContactDelete), Run: func(c resource.Contact) tea.Cmd {
			return a.deleteContact(c, opener, s)
		}},
	}
	return a.orders.dialogs.Open(s)
}

func contactLines(lk *style.Look, c resource.Contact, w int) []dialog.Line {
	list := []dialog.Pair{pair("id", c.ID), pair("address book", c.AddressbookBackendID)}
	for _, t := range contactTextFields() {
		list = append(list, pair(strings.ToLower(t.label), *t.field(&c)))
	}
	list = append(list, pair("VIP", yesNo(c.VIP, dialog.Yes, dialog.No)),
		pair("numbers", addressNotation().formatLines(c.Numbers)), pair("e-mails", addressNotation().formatLines(c.Emails)),
		pair("web sites", addressNotation().formatLines(c.WebSites)), pair("custom fields", customFieldNotation().formatLines(c.CustomFields)),
		pair("categories", lineNotation().formatLines(c.Categories)))
	return dialog.Pairs(lk, w, list...)
}

// editContact opens a form for changing a contact. The viewer confirms the changes before the board
// sends them. onSuccess is called after a successful change.
func (a *contactActions) editContact(before resource.Contact, onSuccess func() tea.Cmd) tea.Cmd {
	d, cmd := a.orders.openForm("Edit "+contactName(before), "Save"+a.orders.look().Glyphs.Ellipsis, contactFields(before, true))
	d.OnSubmit = func() tea.Cmd {
		after := contactFromForm(d.Fields, before)
		diff := resource.Diff(before, after)
		if len(diff) == 0 {
			return d.Say("Nothing was changed.")
		}
		return a.orders.confirmForm(d, order{
			operation: resource.OpContactUpdate, target: "contact " + before.ID,
			execute: func(ctx context.Context, c *Controller) resource.Report {
				return c.Contacts.UpdateContact(ctx, before, after)
			},
			onSuccess: onSuccess,
		}, dialog.Question{
			Text: "Save these changes?", Lines: changeLines(a.orders.look(), diff), YesLabel: "Save",
		})
	}
	return cmd
}

// createContact opens the form for a new contact.
func (a *contactActions) createContact() tea.Cmd {
	d, cmd := a.orders.openForm("New contact", "Create"+a.orders.look().Glyphs.Ellipsis, contactFields(resource.Contact{}, false))
	d.OnSubmit = func() tea.Cmd {
		contact := contactFromForm(d.Fields, resource.Contact{})
		if !d.Fields.HasChanges() {
			return d.Say("Nothing was filled in.")
		}
		return a.orders.confirmForm(d, order{
			operation: resource.OpContactCreate, target: "contact " + contactName(contact),
			execute: func(ctx context.Context, c *Controller) resource.Report {
				return c.Contacts.CreateContact(ctx, contact)
			},
		}, dialog.Question{
			Text: "Create this contact?", Lines: changeLines(a.orders.look(), resource.Diff(resource.Contact{}, contact)), YesLabel: "Create",
		})
	}
	return cmd
}

// deleteContact deletes a contact after the viewer has typed its name, because a deletion cannot be
// undone. After the deletion, it closes the given dialogs.
func (a *contactActions) deleteContact(contact resource.Contact, dialogs ...dialog.Dialog) tea.Cmd {
	return a.orders.confirm(nil, order{
		operation: resource.OpContactDelete, target: "contact " + contact.ID,
		execute: func(ctx context.Context, c *Controller) resource.Report {
			return c.Contacts.DeleteContact(ctx, contact)
		},
		onSuccess: func() tea.Cmd {
			for _, d := range dialogs {
				a.orders.dialogs.Close(d)
			}
			return nil
		},
	}, dialog.Question{
		Text:     "Delete " + contactName(contact) + " from the address book?",
		Lines:    []string{"It cannot be brought back."},
		YesLabel: "Delete", ConfirmWord: contactName(contact),
	})
}

// commands returns the palette commands for contacts.
func (a *contactActions) commands() []dialog.Command {
	return []dialog.Command{
		{Name: "open a contact", Run: a.openContact},
		{Name: "create a contact", Run: a.createContact},
	}
}
