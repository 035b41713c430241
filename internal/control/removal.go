package control

import (
	"context"

	"wallboard/internal/words"
	"wallboard/model/resource"
	"wallboard/restclient"
)

// DeleteContact deletes a contact of the external address book, unless the contact has changed
// since it was displayed. If c has only an ID, the contact was not displayed and is deleted in any
// case. DeleteContact sends the request only once.
func (d *Contacts) DeleteContact(ctx context.Context, c resource.Contact) words.ActionReport {
	r := contactDeletion{contacts: d, contact: c}
	what := describeContact(c)
	r.phrases = phrases{
		failed: words.ControlDeleteFailed(what), unknownOutcome: words.ControlDeleteUnclear(what), advice: words.ControlDeleteAdvice(),
		reasons: map[error]words.Text{restclient.ErrPreconditionFailed: words.ControlWhichContact()},
	}
	return d.executor.run(ctx, &action{
		operation: resource.OpContactDelete, targetKind: "contact", target: "contact " + c.ID,
		params: nonEmptyParams("name", contactPerson(c)), phrases: r.phrases,
		read: r.read, send: r.send, resolve: r.resolve,
	})
}

type contactDeletion struct {
	contacts *Contacts
	contact  resource.Contact
	phrases  phrases
}

func (r *contactDeletion) read(ctx context.Context) *words.ActionReport {
	now, err := nilIfNotFound(r.contacts.service.Contact(ctx, r.contact.ID))
	switch {
	case err != nil:
		return r.contacts.executor.unreachableReport(err, r.phrases.failed)
	case now == nil:
		report := r.deletedReport()
		return &report
	case resource.Equal(r.contact, resource.Contact{ID: r.contact.ID}):
		return nil
	}
	if changed := resource.Diff(r.contact, *now); len(changed) > 0 {
		report := r.phrases.rejectedReport(words.ControlChangedMeanwhile(describeChanges(changed)))
		return &report
	}
	return nil
}

// deletedReport returns the report for a contact that no longer exists on the platform.
func (r *contactDeletion) deletedReport() words.ActionReport {
	return confirmedReport(words.ControlDeletedBefore(describeContact(r.contact)))
}

func (r *contactDeletion) send(ctx context.Context) (words.ActionReport, error) {
	ok, err := nilIfNotFound(r.contacts.service.DeleteContact(ctx, r.contact.ID))
	switch {
	case err != nil:
		return words.ActionReport{}, err
	case ok == nil:
		return r.deletedReport(), nil
	case !*ok:
		return r.phrases.rejectedReport(words.ControlDeclined()), nil
	}
	return confirmedReport(words.ControlDeleted(describeContact(r.contact))), nil
}

func (r *contactDeletion) resolve(ctx context.Context, _ error) *words.ActionReport {
	report := r.deletedReport()
	if r.contacts.executor.poll(ctx, func() bool {
		now, err := nilIfNotFound(r.contacts.service.Contact(ctx, r.contact.ID))
		return err == nil && now == nil
	}) {
		return &report
	}
	return nil
}
