package control

import (
	"context"

	"wallboard/internal/words"
	"wallboard/model/resource"
)

// Contacts creates, changes and deletes contacts of the external address book.
type Contacts struct {
	executor *executor
	service  ContactService
}

// Contact returns the contact of the external address book with the given ID.
func (d *Contacts) Contact(ctx context.Context, id string) (resource.Contact, error) {
	c, err := d.service.Contact(ctx, id)
	return recordRead(d.executor.status, func(reason words.Text) words.Text { return words.ControlReadContact(id, reason) }, c, err)
}

// CreateContact creates a contact of the external address book. An unknown outcome can be resolved
// only if c has an ID by which the contact can be looked up.
func (d *Contacts) CreateContact(ctx context.Context, c resource.Contact) words.ActionReport {
	n := createAction[resource.Contact]{
		operation: resource.OpContactCreate, kind: contactKind, name: contactPerson(c), parent: c.AddressbookBackendID,
		id: func(c resource.Contact) string { return c.ID },
		find: func(ctx context.Context) ([]string, error) {
			there, err := nilIfNotFound(d.service.Contact(ctx, c.ID))
			if err != nil || there == nil {
				return nil, err
			}
			return []string{there.ID}, nil
		},
		write: func(ctx context.Context) (resource.Contact, error) { return d.service.CreateContact(ctx, c) },
	}
	if c.ID == "" {
		n.find = nil
	}
	return n.run(ctx, d.executor)
}

// UpdateContact replaces the contact before with after. It refuses the change if the platform's
// contact is no longer equal to before.
func (d *Contacts) UpdateContact(ctx context.Context, before, after resource.Contact) words.ActionReport {
	u := updateAction[resource.Contact]{
		operation: resource.OpContactUpdate, kind: contactKind, id: after.ID, resourceName: describeContact(before),
		before: before, after: after,
		read: func(ctx context.Context) (*resource.Contact, error) {
			return nilIfNotFound(d.service.Contact(ctx, after.ID))
		},
		write: func(ctx context.Context) (resource.Contact, error) {
			return d.service.UpdateContact(ctx, after)
		},
	}
	return u.run(ctx, d.executor)
}
