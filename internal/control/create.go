package control

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"wallboard/internal/words"
	"wallboard/model/resource"
	"wallboard/restclient"
)

// createAction is the action of creating a resource. It sends the request only once.
type createAction[T any] struct {
	operation    resource.Operation
	kind         kind
	name, parent string
	id           func(T) string
	find         func(ctx context.Context) (ids []string, err error) // returns the IDs of the resources with the same name; nil: a search is not possible
	write        func(ctx context.Context) (T, error)

	existingIDs   []string // IDs of the resources with the same name before the request; valid only if existingKnown is true
	existingKnown bool
	phrases       phrases
}

func (n *createAction[T]) run(ctx context.Context, e *executor) words.ActionReport {
	what := n.kind.describe(n.name, "")
	n.phrases = phrases{
		failed: words.ControlCreateFailed(what), unknownOutcome: words.ControlCreateUnclear(what), advice: words.ControlCreateAdvice(),
		reasons: map[error]words.Text{
			restclient.ErrExists:             words.ControlExistsByName(),
			restclient.ErrNotFound:           words.ControlRefersToUnknown(),
			restclient.ErrPreconditionFailed: words.ControlValueMissing(),
			restclient.ErrInvalidArgument:    words.ControlInvalidValue(),
		},
	}
	return e.run(ctx, &action{
		operation: n.operation, targetKind: string(n.kind), target: strings.TrimSpace("new " + string(n.kind) + " " + n.name),
		params: nonEmptyParams("name", n.name, "of", n.parent), phrases: n.phrases,
		read:    func(ctx context.Context) *words.ActionReport { return n.readExisting(ctx, e) },
		send:    n.send,
		resolve: func(ctx context.Context, _ error) *words.ActionReport { return n.resolve(ctx, e) },
	})
}

// readExisting stores the IDs of the resources that already have the same name, so that none of
// them is mistaken for the new one. If the platform cannot be reached, it returns a report.
func (n *createAction[T]) readExisting(ctx context.Context, e *executor) *words.ActionReport {
	if n.find == nil {
		return nil
	}
	ids, err := n.find(ctx)
	if err != nil && !isRefused(err) {
		return e.unreachableReport(err, n.phrases.failed)
	}
	n.existingIDs, n.existingKnown = ids, err == nil
	return nil
}

func (n *createAction[T]) send(ctx context.Context) (words.ActionReport, error) {
	created, err := n.write(ctx)
	if err != nil {
		return words.ActionReport{}, err
	}
	return n.confirmedReport(n.id(created)), nil
}

func (n *createAction[T]) confirmedReport(id string) words.ActionReport {
	r := confirmedReport(words.ControlCreated(n.kind.describe(n.name, id)))
	r.ID = id
	return r
}

func (n *createAction[T]) resolve(ctx context.Context, e *executor) *words.ActionReport {
	if !n.existingKnown {
		return nil
	}
	var r *words.ActionReport
	e.poll(ctx, func() bool {
		ids, err := n.find(ctx)
		i := slices.IndexFunc(ids, func(id string) bool { return !slices.Contains(n.existingIDs, id) })
		if err == nil && i >= 0 {
			created := n.confirmedReport(ids[i])
			r = &created
		}
		return r != nil
	})
	return r
}

// kind is a kind of resources. Its value is in the audit file.
type kind string

const (
	campaignKind kind = "campaign"
	contactKind  kind = "contact"
	listKind     kind = "list"
	runKind      kind = "run"
)

// describe describes a resource of the kind by its name, its ID, or both, for the beginning of a sentence.
func (k kind) describe(name, id string) words.Text {
	label := cmp.Or(name, id)
	if name != "" && id != "" {
		label = name + " (" + id + ")"
	}
	unnamed, named := words.ControlCampaign, words.ControlCampaignNamed
	switch k {
	case contactKind:
		unnamed, named = words.ControlContact, words.ControlContactNamed
	case listKind:
		unnamed, named = words.ControlList, words.ControlListNamed
	case runKind:
		unnamed, named = words.ControlRun, words.ControlRunNamed
	case campaignKind:
	}
	if label == "" {
		return unnamed()
	}
	return named(label)
}

func describeCampaign(c resource.Campaign) words.Text {
	return campaignKind.describe(c.Name, resource.IntText(c.ID))
}

func describeContact(c resource.Contact) words.Text {
	return contactKind.describe(contactPerson(c), c.ID)
}

// contactPerson returns the name of a contact's person or, if there is none, the company.
func contactPerson(c resource.Contact) string {
	if name := strings.TrimSpace(c.Name + " " + c.Surname); name != "" {
		return name
	}
	return c.Company
}
