package control

import (
	"context"
	"slices"
	"strings"

	"wallboard/model/resource"
	"wallboard/restclient"
)

// createAction is the action of creating a resource. It sends the request only once.
type createAction[T any] struct {
	operation          resource.Operation
	kind, name, parent string
	id                 func(T) string
	find               func(ctx context.Context) (ids []string, err error) // returns the IDs of the resources with the same name; nil: a search is not possible
	write              func(ctx context.Context) (T, error)

	existingIDs   []string // IDs of the resources with the same name before the request; valid only if existingKnown is true
	existingKnown bool
	phrases       phrases
}

func (n *createAction[T]) run(ctx context.Context, e *executor) resource.Report {
	n.phrases = newPhrases(strings.TrimSpace(n.kind+" "+n.name), "was created", "look for it before creating it again", map[error]string{
		restclient.ErrExists:          "there is one of that name already",
		restclient.ErrNotFound:        "something that it refers to is not on the platform",
		restclient.ErrRequired:        "the platform wants something that is missing, empty, too long or out of its range",
		restclient.ErrInvalidArgument: "the platform does not accept one of the values",
	})
	return e.run(ctx, &action{
		operation: n.operation, kind: n.kind, target: strings.TrimSpace("new " + n.kind + " " + n.name),
		params: setParams("name", n.name, "of", n.parent), phrases: n.phrases,
		read:    func(ctx context.Context) *resource.Report { return n.readExisting(ctx, e) },
		send:    n.send,
		resolve: func(ctx context.Context, _ error) *resource.Report { return n.resolve(ctx, e) },
	})
}

// readExisting stores the IDs of the resources that already have the same name, so that none of
// them is mistaken for the new one. If the platform cannot be reached, it returns a report.
func (n *createAction[T]) readExisting(ctx context.Context, e *executor) *resource.Report {
	if n.find == nil {
		return nil
	}
	ids, err := n.find(ctx)
	if err != nil && !isRefused(err) {
		return e.unreachable(err, n.phrases.rejectedSentence)
	}
	n.existingIDs, n.existingKnown = ids, err == nil
	return nil
}

func (n *createAction[T]) send(ctx context.Context) (resource.Report, error) {
	created, err := n.write(ctx)
	if err != nil {
		return resource.Report{}, err
	}
	return n.confirmedReport(n.id(created)), nil
}

func (n *createAction[T]) confirmedReport(id string) resource.Report {
	r := confirmedReport("%s was created.", capital(describeNamed(n.kind, n.name, id)))
	r.ID = id
	return r
}

func (n *createAction[T]) resolve(ctx context.Context, e *executor) *resource.Report {
	if !n.existingKnown {
		return nil
	}
	var r *resource.Report
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

func describeList(l resource.List) string {
	return describeNamed("list", l.Name, resource.IntText(l.ID))
}

func describeRun(r resource.Run) string { return describeNamed("run", r.Name, resource.IntText(r.ID)) }

func describeContact(c resource.Contact) string {
	return describeNamed("contact", contactPerson(c), c.ID)
}

// contactPerson returns the name of a contact's person or, if there is none, the company.
func contactPerson(c resource.Contact) string {
	if name := strings.TrimSpace(c.Name + " " + c.Surname); name != "" {
		return name
	}
	return c.Company
}
