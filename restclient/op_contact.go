package restclient

import (
	"context"

	"wallboard/model/resource"
)

// Contacts accesses the external address book (document 1, section Addressbook Contact External).
type Contacts struct{ session *Session }

// CreateContact creates a contact and returns it as stored by the platform (document 1, section
// Addressbook Contact External). [ErrPreconditionFailed] means that a field is missing, empty or too long.
func (c *Contacts) CreateContact(ctx context.Context, contact resource.Contact) (resource.Contact, error) {
	return getSameObject(ctx, c.session, request{op: resource.OpContactCreate, body: contact}, contact, sameContact)
}

// UpdateContact changes a contact and returns it as stored by the platform.
func (c *Contacts) UpdateContact(ctx context.Context, contact resource.Contact) (resource.Contact, error) {
	if err := checkContactID(resource.OpContactUpdate, contact.ID); err != nil {
		return resource.Contact{}, err
	}
	return getSameObject(ctx, c.session, request{op: resource.OpContactUpdate, body: contact}, contact, sameContact)
}

// DeleteContact deletes a contact and returns the platform's answer.
func (c *Contacts) DeleteContact(ctx context.Context, id string) (bool, error) {
	if err := checkContactID(resource.OpContactDelete, id); err != nil {
		return false, err
	}
	return c.session.getBool(ctx, request{op: resource.OpContactDelete, path: []string{id}})
}

// Contact returns the contact with the given ID.
func (c *Contacts) Contact(ctx context.Context, id string) (resource.Contact, error) {
	if err := checkContactID(resource.OpContact, id); err != nil {
		return resource.Contact{}, err
	}
	return getSameObject(ctx, c.session, request{op: resource.OpContact, path: []string{id}}, resource.Contact{}, sameContact)
}

func sameContact(_, received resource.Contact) bool { return received.ID != "" }

func checkContactID(op resource.Operation, id string) error {
	ck := requestCheck{op: op}
	ck.checkPathID("id", "the id of the contact", id)
	return ck.err()
}
