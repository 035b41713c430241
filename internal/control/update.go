package control

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"wallboard/model/resource"
	"wallboard/restclient"
)

// updateAction is the action of changing a resource.
type updateAction[T any] struct {
	operation      resource.Operation
	kind, id, name string
	before, after  T
	resetStats     bool
	read           func(ctx context.Context) (*T, error) // returns nil without an error if the resource does not exist
	write          func(ctx context.Context) (T, error)

	changes []resource.FieldChange
	phrases phrases
}

func (u *updateAction[T]) run(ctx context.Context, e *executor) resource.Report {
	u.changes = resource.Diff(u.before, u.after)
	u.phrases = newPhrases(u.name, "was changed", "read it again before changing it again", map[error]string{
		restclient.ErrNotFound:        "the platform does not have it, or not something that it refers to",
		restclient.ErrRequired:        "the platform wants something that is missing, empty, too long or out of its range",
		restclient.ErrInvalidArgument: "the platform does not accept one of the values",
	})
	if len(u.changes) == 0 && !u.resetStats {
		return cleanReport(u.phrases.notSentReport("there is nothing to change"))
	}
	params := make(map[string]string, len(u.changes)+1)
	for _, c := range u.changes {
		params[c.Field] = c.Old + " -> " + c.New
	}
	if u.resetStats {
		params["resetStats"] = "true"
	}
	return e.run(ctx, &action{
		operation: u.operation, kind: u.kind, target: u.kind + " " + u.id, params: params, phrases: u.phrases,
		read:    func(ctx context.Context) *resource.Report { return u.checkUnchanged(ctx, e) },
		send:    u.send,
		resolve: func(ctx context.Context, _ error) *resource.Report { return u.resolve(ctx, e) },
	})
}

// checkUnchanged returns a report that refuses the action if the resource on the platform has
// changed since the user saw it, otherwise nil.
func (u *updateAction[T]) checkUnchanged(ctx context.Context, e *executor) *resource.Report {
	now, err := u.read(ctx)
	var r resource.Report
	switch {
	case err != nil:
		return e.unreachable(err, u.phrases.rejectedSentence)
	case now == nil:
		r = u.phrases.rejectedReport("the platform does not have it")
	default:
		others := resource.Diff(u.before, *now)
		if len(others) == 0 {
			return nil
		}
		r = u.phrases.rejectedReport("somebody else has changed it meanwhile: " + describeChanges(others) + "; look at it again")
	}
	return &r
}

func (u *updateAction[T]) send(ctx context.Context) (resource.Report, error) {
	now, err := u.write(ctx)
	if err != nil {
		return u.explainNotFound(ctx, err), err
	}
	r := u.confirmedReport()
	if other := u.notApplied(now); len(other) > 0 {
		r.Warning = "The platform answered with other values: " + describeChanges(other) + "."
	}
	return r, nil
}

// explainNotFound returns a report that explains the answer "not found" to a change: the platform
// does not have the resource, or it does not have an object to which the change refers, such as a
// service. If it is unclear which, the report is empty.
func (u *updateAction[T]) explainNotFound(ctx context.Context, err error) resource.Report {
	if !isNotFound(err) || len(u.changes) == 0 {
		return resource.Report{}
	}
	switch now, err := u.read(ctx); {
	case err != nil:
		return resource.Report{}
	case now == nil:
		return u.phrases.rejectedReport("the platform does not have it")
	}
	return u.phrases.rejectedReport("it is there, but the platform does not know something that the change refers to: " + describeChanges(u.changes))
}

func (u *updateAction[T]) confirmedReport() resource.Report {
	text := capital(u.name) + " was changed"
	if u.resetStats {
		text += " and its statistics were reset"
	}
	return confirmedReport("%s.", text)
}

// notApplied returns the changed fields that have another value in now, the platform's answer, with
// that value. It ignores fields that have no value in the answer.
func (u *updateAction[T]) notApplied(now T) []resource.FieldChange {
	return slices.DeleteFunc(resource.Diff(u.after, now), func(c resource.FieldChange) bool {
		return c.New == "" || !slices.ContainsFunc(u.changes, func(mine resource.FieldChange) bool { return mine.Field == c.Field })
	})
}

// resolve reads the resource again to find out whether the change was made. It cannot find out
// whether the statistics were reset.
func (u *updateAction[T]) resolve(ctx context.Context, e *executor) *resource.Report {
	if len(u.changes) == 0 {
		return nil
	}
	r := confirmedReport("%s was changed.", capital(u.name))
	if u.resetStats {
		r.Warning = "It is unclear whether its statistics were reset."
	}
	if e.poll(ctx, func() bool {
		now, err := u.read(ctx)
		return err == nil && now != nil && u.containsChanges(*now)
	}) {
		return &r
	}
	return nil
}

// containsChanges reports whether now contains all changes of the action.
func (u *updateAction[T]) containsChanges(now T) bool {
	return !slices.ContainsFunc(resource.Diff(u.after, now), func(c resource.FieldChange) bool {
		return slices.ContainsFunc(u.changes, func(mine resource.FieldChange) bool { return mine.Field == c.Field })
	})
}

// describeChanges describes changes within a sentence. It names at most three of them.
func describeChanges(changes []resource.FieldChange) string {
	const most = 3
	var parts []string
	for _, c := range changes[:min(most, len(changes))] {
		parts = append(parts, fmt.Sprintf("%s is %s, was %s", c.Label, orNothing(c.New), orNothing(c.Old)))
	}
	if more := len(changes) - most; more > 0 {
		parts = append(parts, strconv.Itoa(more)+" more")
	}
	return strings.Join(parts, "; ")
}

func orNothing(s string) string {
	if s == "" {
		return "nothing"
	}
	return s
}

// isNotFound reports whether the platform itself says that an object does not exist. Such an answer
// names an exception. A plain 404 may come from a proxy.
func isNotFound(err error) bool {
	var e *restclient.Error
	return errors.Is(err, restclient.ErrNotFound) && errors.As(err, &e) && e.Exception != ""
}

// nilIfNotFound returns a pointer to r, or nil if err means "not found". It returns any other error
// unchanged.
func nilIfNotFound[T any](r T, err error) (*T, error) {
	switch {
	case isNotFound(err):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return &r, nil
}

// idOrZero returns *id, or 0 if id is nil. No resource has the ID 0.
func idOrZero(id *int) int {
	if id == nil {
		return 0
	}
	return *id
}
