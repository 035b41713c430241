package control

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	"wallboard/internal/control/audit"
	"wallboard/model/resource"
	"wallboard/restclient"
)

// executor performs the actions of all parts of a desk, one at a time per target. It writes the
// intent to the audit file before anything is sent, and the outcome afterwards.
type executor struct {
	status *Status
	audit  Audit
	log    *slog.Logger
	now    func() time.Time
	after  func(time.Duration) <-chan time.Time
	person string // user who requests actions, if another user runs the program

	*inFlight
	lock func(ctx context.Context, target string) (Lock, error) // nil: there are no other desks
}

// run performs an action and returns the report about its outcome.
func (e *executor) run(ctx context.Context, a *action) resource.Report {
	e.running.Add(1)
	defer e.running.Done()
	if why, final := e.status.refusal(a.operation); final {
		return cleanReport(resource.Report{Outcome: resource.NotSent, Text: a.phrases.rejectedSentence + ": " + why + "; nothing was sent."})
	}
	claimed := a.kind
	if !a.exclusive {
		claimed += " " + a.target
	}
	mine := &reservation{outcomeKnown: true}
	defer mine.release()
	if refused := e.claim(ctx, a, mine, claimed); refused != nil {
		return *refused
	}
	if a.read != nil {
		end := a.read(ctx)
		if end == nil && a.secondTarget != "" {
			if refused := e.claim(ctx, a, mine, a.kind+" "+a.secondTarget); refused != nil {
				return *refused
			}
		}
		if end != nil {
			// The file also records actions that end here. Because nothing is sent, an intent that
			// cannot be written does not matter.
			finish, err := e.audit.Begin(a.intent(e.status.username(), e.person))
			return e.finish(finish, err, *end, nil)
		}
	}
	finish, err := e.audit.Begin(a.intent(e.status.username(), e.person))
	if err != nil {
		e.log.Error("the audit file could not be written", "verb", string(a.operation), "error", err)
		return cleanReport(resource.Report{
			Outcome: resource.NotSent,
			Text:    a.phrases.rejectedSentence + ": the audit file cannot be written, so nothing was sent; tell your administrator.",
		})
	}
	if err := mine.confirm(ctx); err != nil {
		return e.finish(finish, nil, *a.phrases.lockedReport(err), nil)
	}
	mine.outcomeKnown = false
	report, err := e.send(ctx, a, mine)
	mine.outcomeKnown = report.Outcome != resource.Unknown
	if report.Outcome == resource.Confirmed || report.Outcome == resource.Unknown {
		report.Warning = strings.TrimSpace(report.Warning + " " + mine.warning())
	}
	return e.finish(finish, nil, report, err)
}

// send sends the request of an action if all its locks are still held. It returns the report about
// the outcome, and the error of the request.
func (e *executor) send(ctx context.Context, a *action, mine *reservation) (resource.Report, error) {
	report, err := a.send(restclient.WithPermission(ctx, mine.holds))
	if a.needsOtherProfile {
		e.status.noteResult("", err) // another user's missing permission says nothing about our login
	} else {
		e.status.noteResult(a.operation, err)
	}
	if err == nil {
		e.status.noteAccepted()
		return report, nil
	}
	if report.Text != "" {
		return report, err
	}
	return e.outcomeOf(ctx, a, err), err
}

// outcomeOf returns the report about an action whose request failed with err. If the outcome is
// unknown after err, it tries to find out the outcome.
func (e *executor) outcomeOf(ctx context.Context, a *action, err error) resource.Report {
	report := a.phrases.reportFor(err)
	if report.Outcome == resource.Unknown && a.resolve != nil {
		ctx, cancel := context.WithTimeout(ctx, resolveWithin)
		defer cancel()
		if found := a.resolve(ctx, err); found != nil {
			return *found
		}
	}
	return report
}

// finish writes the outcome to the audit file and returns the report. intentErr is the error of
// writing the intent, and answer is the error of the request. If the file cannot be written, finish
// adds a warning to the report.
func (e *executor) finish(finish func(audit.Result) error, intentErr error, r resource.Report, answer error) resource.Report {
	r = cleanReport(r)
	err := intentErr
	if err == nil {
		result := audit.Result{Outcome: r.Outcome.String(), Sentence: r.Text, Warning: r.Warning}
		var e *restclient.Error
		if errors.As(answer, &e) {
			result.Status = e.Status
		}
		err = finish(result)
	}
	if err != nil {
		e.log.Error("the audit file could not be written", "error", err)
		if r.Warning != "" {
			r.Warning += " "
		}
		r.Warning += "The outcome could not be written to the audit file."
	}
	return r
}

// claim reserves key for an action, in this program and against other desks. Releasing mine ends
// the reservation. If key is already reserved or cannot be locked, claim returns a report about
// that.
func (e *executor) claim(ctx context.Context, a *action, mine *reservation, key string) (refused *resource.Report) {
	if by, free := e.begin(key, e.person); !free {
		r := cleanReport(resource.Report{Outcome: resource.Rejected, Text: a.phrases.alreadyRunningText(by, e.person)})
		return &r
	}
	mine.releases = append(mine.releases, func() { e.end(key) })
	if e.lock == nil {
		return nil
	}
	lock, err := e.lock(ctx, key)
	if err != nil {
		r := cleanReport(*a.phrases.lockedReport(err))
		return &r
	}
	mine.locks = append(mine.locks, lock)
	return nil
}

// pause waits for the given duration. It returns false if ctx ends first.
func (e *executor) pause(ctx context.Context, duration time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-e.after(duration):
		return ctx.Err() == nil
	}
}

// poll calls check after pauses of 1, 2, 4 and 8 seconds until check returns true. It returns false
// if check has not returned true or if ctx has ended.
func (e *executor) poll(ctx context.Context, check func() bool) bool {
	for how := time.Second; how <= 8*time.Second; how *= 2 {
		if !e.pause(ctx, how) {
			return false
		}
		if check() {
			return true
		}
	}
	return false
}

// unreachable returns the report about an action that was not sent because its target could not be
// read. The report begins with subject.
func (e *executor) unreachable(err error, subject string) *resource.Report {
	e.status.noteResult("", err)
	return &resource.Report{
		Outcome: resource.NotSent,
		Text:    subject + ", because the platform could not be asked first: " + reasonText(err, nil) + "; nothing was sent.",
	}
}
