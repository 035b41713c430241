package control

import (
	"context"
	"errors"
	"slices"

	"wallboard/internal/words"
	"wallboard/model/resource"
	"wallboard/restclient"
)

// updateAction is the action of changing a resource.
type updateAction[T any] struct {
	operation     resource.Operation
	kind          kind
	id            string
	resourceName  words.Text // the resource, for the beginning of a sentence
	before, after T
	resetStats    bool
	read          func(ctx context.Context) (*T, error) // returns nil without an error if the resource does not exist
	write         func(ctx context.Context) (T, error)

	changes []resource.FieldChange
	phrases phrases
}

func (u *updateAction[T]) run(ctx context.Context, e *executor) words.ActionReport {
	u.changes = resource.Diff(u.before, u.after)
	u.phrases = phrases{
		failed: words.ControlChangeFailed(u.resourceName), unknownOutcome: words.ControlChangeUnclear(u.resourceName), advice: words.ControlChangeAdvice(),
		reasons: map[error]words.Text{
			restclient.ErrNotFound:           words.ControlGoneOrRefers(),
			restclient.ErrPreconditionFailed: words.ControlValueMissing(),
			restclient.ErrInvalidArgument:    words.ControlInvalidValue(),
		},
	}
	if len(u.changes) == 0 && !u.resetStats {
		return cleanReport(u.phrases.notSentReport(words.ControlNothingToChange()))
	}
	params := make(map[string]string, len(u.changes)+1)
	for _, c := range u.changes {
		params[c.Field] = c.Old + " -> " + c.New
		if c.Hidden {
			params[c.Field] = words.ControlChangeHidden(c.Field).In(nil)
		}
	}
	if u.resetStats {
		params["resetStats"] = "true"
	}
	return e.run(ctx, &action{
		operation: u.operation, targetKind: string(u.kind), target: string(u.kind) + " " + u.id, params: params, phrases: u.phrases,
		read:    func(ctx context.Context) *words.ActionReport { return u.checkUnchanged(ctx, e) },
		send:    u.send,
		resolve: func(ctx context.Context, _ error) *words.ActionReport { return u.resolve(ctx, e) },
	})
}

// checkUnchanged returns a report that refuses the action if the resource on the platform cannot be
// read, does not exist, or has changed since the user saw it. Otherwise it returns nil.
func (u *updateAction[T]) checkUnchanged(ctx context.Context, e *executor) *words.ActionReport {
	now, err := u.read(ctx)
	var r words.ActionReport
	switch {
	case err != nil:
		return e.unreachableReport(err, u.phrases.failed)
	case now == nil:
		r = u.phrases.rejectedReport(words.ControlGone())
	default:
		others := resource.Diff(u.before, *now)
		if len(others) == 0 {
			return nil
		}
		r = u.phrases.rejectedReport(words.ControlChangedMeanwhile(describeChanges(others)))
	}
	return &r
}

func (u *updateAction[T]) send(ctx context.Context) (words.ActionReport, error) {
	now, err := u.write(ctx)
	if err != nil {
		return u.explainNotFound(ctx, err), err
	}
	r := u.confirmedReport()
	if other := u.unappliedChanges(now); len(other) > 0 {
		r.Warning = words.ControlOtherValues(describeChanges(other))
	}
	return r, nil
}

// explainNotFound returns a report that explains the answer "not found" to a change: the platform
// does not have the resource, or it does not have an object to which the change refers, such as a
// service. If it is unclear which, the report is empty.
func (u *updateAction[T]) explainNotFound(ctx context.Context, err error) words.ActionReport {
	if !isNotFound(err) || len(u.changes) == 0 {
		return words.ActionReport{}
	}
	switch now, err := u.read(ctx); {
	case err != nil:
		return words.ActionReport{}
	case now == nil:
		return u.phrases.rejectedReport(words.ControlGone())
	}
	return u.phrases.rejectedReport(words.ControlChangeRefers(describeChanges(u.changes)))
}

func (u *updateAction[T]) confirmedReport() words.ActionReport {
	if u.resetStats {
		return confirmedReport(words.ControlChangedReset(u.resourceName))
	}
	return confirmedReport(words.ControlChanged(u.resourceName))
}

// unappliedChanges returns the changed fields that have another value in now, the platform's answer, with
// that value. It ignores fields that have no value in the answer.
func (u *updateAction[T]) unappliedChanges(now T) []resource.FieldChange {
	return slices.DeleteFunc(resource.Diff(u.after, now), func(c resource.FieldChange) bool {
		return c.New == "" || !slices.ContainsFunc(u.changes, func(mine resource.FieldChange) bool { return mine.Field == c.Field })
	})
}

// resolve reads the resource again to find out whether the change was made. It cannot find out
// whether the statistics were reset.
func (u *updateAction[T]) resolve(ctx context.Context, e *executor) *words.ActionReport {
	if len(u.changes) == 0 {
		return nil
	}
	r := confirmedReport(words.ControlChanged(u.resourceName))
	if u.resetStats {
		r.Warning = words.ControlResetUnclear()
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
func describeChanges(changes []resource.FieldChange) (text words.Text) {
	const most = 3
	add := func(part words.Text) {
		if text.IsZero() {
			text = part
		} else {
			text = words.ControlChanges(text, part)
		}
	}
	for _, c := range changes[:min(most, len(changes))] {
		if c.Hidden {
			add(words.ControlChangeHidden(c.Label))
		} else {
			add(words.ControlChange(c.Label, textOrEmpty(c.New), textOrEmpty(c.Old)))
		}
	}
	if more := len(changes) - most; more > 0 {
		add(words.ControlChangesMore(more))
	}
	return text
}

func textOrEmpty(s string) words.Text {
	if s == "" {
		return words.ControlEmpty()
	}
	return words.Name(s)
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
