package actions

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/words"
	"wallboard/model/resource"
	"wallboard/ui/dialog"
	"wallboard/ui/style"
)

// contactActions implements the actions on the external address book.
type contactActions struct{ orders *orderSender }

// contactTextField describes a form field for a text field of a contact.
type contactTextField struct {
	id        string
	label     words.Text
	field     func(*resource.Contact) *string // returns a pointer to the field of the contact
	multiline bool
}

// contactTextFields returns the form fields for the text fields of a contact, in the order of
// document 1.
func contactTextFields() []contactTextField {
	type contact = *resource.Contact
	return []contactTextField{
		{"name", words.ActFieldName(), func(c contact) *string { return &c.Name }, false},
		{"surname", words.ActFieldSurname(), func(c contact) *string { return &c.Surname }, false},
		{"otherName", words.ActFieldOtherName(), func(c contact) *string { return &c.OtherName }, false},
		{"company", words.ActFieldCompany(), func(c contact) *string { return &c.Company }, false},
		{"department", words.ActFieldDepartment(), func(c contact) *string { return &c.Department }, false},
		{"role", words.ActFieldRole(), func(c contact) *string { return &c.Role }, false},
		{"street", words.ActFieldStreet(), func(c contact) *string { return &c.Street }, false},
		{"city", words.ActFieldCity(), func(c contact) *string { return &c.City }, false},
		{"district", words.ActFieldDistrict(), func(c contact) *string { return &c.District }, false},
		{"cap", words.ActFieldPostalCode(), func(c contact) *string { return &c.Cap }, false},
		{"country", words.ActFieldCountry(), func(c contact) *string { return &c.Country }, false},
		{"note", words.ActFieldNote(), func(c contact) *string { return &c.Note }, true},
		{"agentNote", words.ActFieldAgentsNote(), func(c contact) *string { return &c.AgentNote }, true},
	}
}

// contactFields returns all form fields for a contact. known is true for an existing contact.
func contactFields(tell func(words.Text) string, c resource.Contact, known bool) []dialog.Field {
	ids := []dialog.Field{
		{ID: "id", Label: tell(words.ActFieldId()), Value: c.ID, ReadOnly: known, Hidden: !known, Hint: tell(words.ActFieldHintNewId())},
		{ID: "backend", Label: tell(words.ActFieldAddressBook()), Value: c.AddressbookBackendID, ReadOnly: known},
	}
	var fields []dialog.Field
	if known {
		fields = ids
	}
	vip := dialog.Field{ID: "vip", Label: tell(words.ActFieldVip()), Kind: dialog.ToggleField, Value: chooseYesNo(c.VIP, dialog.Yes, dialog.No)}
	for _, t := range contactTextFields() {
		if t.id == "note" { // short fields come first
			fields = append(fields, vip)
		}
		f := dialog.Field{ID: t.id, Label: tell(t.label), Value: *t.field(&c)}
		if t.multiline {
			f.Kind, f.MaxLength = dialog.BodyField, resource.MaxBody
		}
		fields = append(fields, f)
	}
	lines := func(id string, label, hint words.Text, value string, check func(string) error) {
		fields = append(fields, dialog.Field{
			ID: id, Label: tell(label), Hint: tell(hint), Kind: dialog.BodyField, MaxLength: resource.MaxBody, Value: value, Check: check,
		})
	}
	addresses, custom := addressNotation(), customFieldNotation()
	lines("numbers", words.ActFieldNumbers(), words.ActFieldHintNumbers(), addresses.formatLines(c.Numbers), addresses.checkFor(c.Numbers))
	lines("emails", words.ActFieldEmails(), words.ActFieldHintAddresses(), addresses.formatLines(c.Emails), addresses.checkFor(c.Emails))
	lines("webSites", words.ActFieldWebSites(), words.ActFieldHintAddresses(), addresses.formatLines(c.WebSites), addresses.checkFor(c.WebSites))
	lines("customFields", words.ActFieldCustomFields(), words.ActFieldHintKeys(), custom.formatLines(c.CustomFields), custom.checkFor(c.CustomFields))
	lines("categories", words.ActFieldCategories(), words.ActFieldHintLines(), lineNotation().formatLines(c.Categories), nil)
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
// company or the ID. It returns "" if there is none.
func contactName(c resource.Contact) string {
	return orDefault(joinNonEmpty(" ", c.Name, c.OtherName, c.Surname), orDefault(c.Company, c.ID))
}

// openContact asks for the ID of a contact and shows the contact.
func (a *contactActions) openContact() tea.Cmd {
	d, cmd := a.orders.openSearch(words.ActContactOpen(), words.ActButtonOpen(), []dialog.Field{
		{ID: "id", Label: a.orders.translate(words.ActFieldContactId()), Required: true},
	})
	d.OnSubmit = func() tea.Cmd { return a.showContact(d, d.Fields.Value("id")) }
	return cmd
}

// showContact opens a dialog that shows the contact with the given ID. opener is the dialog in
// which the viewer entered the ID. Both dialogs close if the viewer deletes the contact.
func (a *contactActions) showContact(opener dialog.Dialog, id string) tea.Cmd {
	s := &dialog.Sheet[resource.Contact]{
		Dialogs: a.orders.dialogs, Name: a.orders.translate(words.ActContactTitle(id)), EmptyText: a.orders.translate(words.ActContactEmpty()),
		Read: withController(a.orders, func(ctx context.Context, c *Controller) (resource.Contact, error) { return c.Contacts.Contact(ctx, id) }),
		Draw: contactLines,
	}
	s.Keys = []dialog.SheetKey[resource.Contact]{
		{Key: "e", Description: a.orders.translate(words.ActKeyEdit()), Problem: a.orders.refusalOf(resource.OpContactUpdate), Run: func(c resource.Contact) tea.Cmd {
			return a.editContact(c, s.Reload)
		}},
		{Key: "d", Description: a.orders.ellipsis(words.ActKeyDelete()), Problem: a.orders.refusalOf(resource.OpContactDelete), Run: func(c resource.Contact) tea.Cmd {
			return a.deleteContact(c, opener, s)
		}},
	}
	return a.orders.dialogs.Open(s)
}

func contactLines(lk *style.Look, c resource.Contact, w int) []dialog.Line {
	list := []labeledValue{{words.ActFieldId(), c.ID}, {words.ActFieldAddressBook(), c.AddressbookBackendID}}
	for _, t := range contactTextFields() {
		list = append(list, labeledValue{t.label, *t.field(&c)})
	}
	return labeledValueLines(lk, w, append(list,
		labeledValue{words.ActFieldVip(), yesNoText(lk, c.VIP)},
		labeledValue{words.ActFieldNumbers(), addressNotation().formatLines(c.Numbers)},
		labeledValue{words.ActFieldEmails(), addressNotation().formatLines(c.Emails)},
		labeledValue{words.ActFieldWebSites(), addressNotation().formatLines(c.WebSites)},
		labeledValue{words.ActFieldCustomFields(), customFieldNotation().formatLines(c.CustomFields)},
		labeledValue{words.ActFieldCategories(), lineNotation().formatLines(c.Categories)})...)
}

// editContact opens a form for changing a contact. onSuccess is called after a successful change.
func (a *contactActions) editContact(before resource.Contact, onSuccess func() tea.Cmd) tea.Cmd {
	return openRecordForm(a.orders, before, recordForm[resource.Contact]{
		title: words.ActContactEdit(contactName(before)), fields: contactFields(a.orders.translate, before, true), fromForm: contactFromForm,
		button: words.ActButtonSave(), question: words.ActAskSave(), unchanged: words.ActNothingChanged(), onSuccess: onSuccess,
		operation: resource.OpContactUpdate, target: func(resource.Contact) words.Text { return words.ActContactTarget(before.ID) },
		execute: func(ctx context.Context, c *Controller, after resource.Contact) words.ActionReport {
			return c.Contacts.UpdateContact(ctx, before, after)
		},
	})
}

// createContact opens the form for a new contact.
func (a *contactActions) createContact() tea.Cmd {
	return openRecordForm(a.orders, resource.Contact{}, recordForm[resource.Contact]{
		title: words.ActContactNew(), fields: contactFields(a.orders.translate, resource.Contact{}, false), fromForm: contactFromForm,
		button: words.ActButtonCreate(), question: words.ActContactAskCreate(), unchanged: words.ActNothingFilledIn(), operation: resource.OpContactCreate,
		target: func(c resource.Contact) words.Text {
			if name := contactName(c); name != "" {
				return words.ActContactTarget(name)
			}
			return words.ActContactUnnamed()
		},
		execute: func(ctx context.Context, c *Controller, contact resource.Contact) words.ActionReport {
			return c.Contacts.CreateContact(ctx, contact)
		},
	})
}

// deleteContact deletes a contact after the viewer has typed its name, because a deletion cannot be
// undone. After the deletion, it closes the given dialogs.
func (a *contactActions) deleteContact(contact resource.Contact, dialogs ...dialog.Dialog) tea.Cmd {
	name := orDefault(contactName(contact), a.orders.translate(words.ActContactUnnamed()))
	return a.orders.confirm(nil, actionOrder{
		operation: resource.OpContactDelete, target: words.ActContactTarget(contact.ID),
		execute: func(ctx context.Context, c *Controller) words.ActionReport {
			return c.Contacts.DeleteContact(ctx, contact)
		},
		onSuccess: func() tea.Cmd {
			for _, d := range dialogs {
				a.orders.dialogs.Close(d)
			}
			return nil
		},
	}, dialog.Question{
		Text:     a.orders.translate(words.ActContactAskDelete(name)),
		Lines:    []string{a.orders.translate(words.ActNoUndo())},
		YesLabel: a.orders.translate(words.ActButtonDelete()), ConfirmWord: name,
	})
}

// commands returns the palette commands for contacts.
func (a *contactActions) commands() []dialog.Command {
	return []dialog.Command{
		{Name: a.orders.translate(words.ActContactPaletteOpen()), Run: a.openContact},
		{Name: a.orders.translate(words.ActContactPaletteCreate()), Run: a.createContact},
	}
}
