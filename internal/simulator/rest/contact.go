package rest

import (
	"errors"
	"net/http"
	"slices"
	"strconv"
	"unicode/utf8"
)

// addressBook holds the contacts of the external address book.
type addressBook struct {
	contacts map[string]object
	lastID   int // highest id
}

// maxContactText is the maximum length of a contact's strings, in characters. Document 1
// mentions a limit without its value.
const maxContactText = 2000

// create serves POST /rest/addressbook-contact/external.
func (b *addressBook) create(c *apiRequest) (any, error) {
	contact, err := c.parseContact()
	if err != nil {
		return nil, err
	}
	b.lastID++
	id := strconv.Itoa(b.lastID)
	contact["id"] = id
	if contact["addressbookBackendId"] == nil {
		contact["addressbookBackendId"] = "external"
	}
	b.contacts[id] = contact
	c.recordExecution(id)
	return contact, nil
}

// update serves PUT /rest/addressbook-contact/external, which replaces the contact.
func (b *addressBook) update(c *apiRequest) (any, error) {
	contact, err := c.parseContact()
	if err != nil {
		return nil, err
	}
	id, _ := contact["id"].(string)
	if id == "" {
		return nil, failedPreconditionError("id is required")
	}
	if b.contacts[id] == nil {
		return nil, notFoundError("contact", id)
	}
	b.contacts[id] = contact
	c.recordExecution(id)
	return contact, nil
}

// parseContact parses the contact in the body. A contact must have a name, a surname or a company.
func (c *apiRequest) parseContact() (object, error) {
	contact, err := c.parseObject()
	var e *restError
	if errors.As(err, &e) && e.status == http.StatusPreconditionFailed {
		return nil, failedPreconditionError(e.message)
	}
	if err != nil {
		return nil, err
	}
	f := fieldReader{object: contact}
	nameText := f.text("name") + f.text("surname") + f.text("company")
	f.text("id")
	f.flag("vip", false)
	f.texts("categories")
	for _, name := range []string{"customFields", "emails", "numbers", "webSites"} {
		f.objects(name)
	}
	switch {
	case f.err != nil:
		return nil, f.err
	case nameText == "":
		return nil, failedPreconditionError("name, surname or company is required")
	case hasTooLongText(map[string]any(contact)):
		return nil, failedPreconditionError("the size is exceeded")
	}
	return contact, nil
}

// hasTooLongText reports whether v, a JSON value, contains a string longer than maxContactText.
func hasTooLongText(v any) bool {
	switch v := v.(type) {
	case string:
		return utf8.RuneCountInString(v) > maxContactText
	case []any:
		return slices.ContainsFunc(v, hasTooLongText)
	case map[string]any:
		for _, e := range v {
			if hasTooLongText(e) {
				return true
			}
		}
	}
	return false
}

// remove serves DELETE /rest/addressbook-contact/external/{id}.
func (b *addressBook) remove(c *apiRequest) (any, error) {
	id, err := c.pathText("id")
	if err != nil {
		return nil, failedPreconditionError("id is required")
	}
	if b.contacts[id] == nil {
		return nil, notFoundError("contact", id)
	}
	delete(b.contacts, id)
	c.recordExecution(id)
	return true, nil
}

// get serves GET /rest/addressbook-contact/external/{id}.
func (b *addressBook) get(c *apiRequest) (any, error) {
	id, err := c.pathText("id")
	if err != nil {
		return nil, err
	}
	if contact := b.contacts[id]; contact != nil {
		return contact, nil
	}
	return nil, notFoundError("contact", id)
}
