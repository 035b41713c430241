package control

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"wallboard/internal/control/audit"
	"wallboard/internal/words"
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

// run performs an action, observes its effect and returns the report about its outcome.
func (e *executor) run(ctx context.Context, a *action) words.Report {
	e.running.Add(1)
	defer e.running.Done()
	report, warning := e.perform(ctx, a)
	if a.follow != nil {
		report = a.follow(ctx, report)
	}
	report.Warning = words.Sentences(report.Warning, warning)
	return report
}

// perform performs an action. It returns the report about its outcome, and a warning about the locks and
// the audit file or the zero Text.
func (e *executor) perform(ctx context.Context, a *action) (r words.Report, warning words.Text) {
	if why, final := e.status.refusal(a.operation); final {
		return cleanReport(a.phrases.notSentReport(why.reason)), warning
	}
	claimed := a.kind
	if !a.exclusive {
		claimed += " " + a.target
	}
	mine := &reservation{outcomeKnown: true}
	defer mine.release()
	if refused := e.claim(ctx, a, mine, claimed); refused != nil {
		return *refused, warning
	}
	if a.read != nil {
		end := a.read(ctx)
		if end == nil && a.secondTarget != "" {
			if refused := e.claim(ctx, a, mine, a.kind+" "+a.secondTarget); refused != nil {
				return *refused, warning
			}
		}
		if end != nil {
			// The file also records actions that end here. Because nothing is sent, an intent that
			// cannot be written does not matter.
			finish, err := e.audit.Begin(a.intent(e.status.username(), e.person))
			return e.finish(finish, err, *end, warning, nil)
		}
	}
	finish, err := e.audit.Begin(a.intent(e.status.username(), e.person))
	if err != nil {
		e.log.Error("the audit file could not be written", "verb", string(a.operation), "error", err)
		return cleanReport(words.Report{Outcome: resource.NotSent, Text: words.ControlNotAudited(a.phrases.failed)}), warning
	}
	if err := mine.confirm(ctx); err != nil {
		return e.finish(finish, nil, *a.phrases.lockedReport(err), warning, nil)
	}
	mine.outcomeKnown = false
	report, err := e.send(ctx, a, mine)
	mine.outcomeKnown = report.Outcome != resource.Unknown
	if report.Outcome == resource.Confirmed || report.Outcome == resource.Unknown {
		warning = mine.warning()
	}
	return e.finish(finish, nil, report, warning, err)
}

// send sends the request of an action if all its locks are still held. It returns the report about
// the outcome, and the error of the request.
func (e *executor) send(ctx context.Context, a *action, mine *reservation) (words.Report, error) {
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
	if !report.Text.IsZero() {
		return report, err
	}
	return e.outcomeOf(ctx, a, err), err
}

// outcomeOf returns the report about an action whose request failed with err. If the outcome is
// unknown after err, it tries to find out the outcome.
func (e *executor) outcomeOf(ctx context.Context, a *action, err error) words.Report {
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

// finish writes the outcome to the audit file and returns the report and the warning. intentErr is the
// error of writing the intent, and answer is the error of the request. If the file cannot be written,
// finish adds that to the warning.
func (e *executor) finish(finish func(audit.Result) error, intentErr error, r words.Report, warning words.Text, answer error) (words.Report, words.Text) {
	r, warning = cleanReport(r), cleanText(warning)
	err := intentErr
	if err == nil {
		result := audit.Result{Outcome: r.Outcome.String(), Sentence: r.Text.In(nil), Warning: words.Sentences(r.Warning, warning).In(nil)}
		var e *restclient.Error
		if errors.As(answer, &e) {
			result.Status = e.Status
		}
		err = finish(result)
	}
	if err != nil {
		e.log.Error("the audit file could not be written", "error", err)
		warning = words.Sentences(warning, words.ControlNotInAudit())
	}
	return r, warning
}

// claim reserves key for an action, in this program and against other desks. Releasing mine ends
// the reservation. If key is already reserved or cannot be locked, claim returns a report about
// that.
func (e *executor) claim(ctx context.Context, a *action, mine *reservation, key string) (refused *words.Report) {
	if by, free := e.begin(key, e.person); !free {
		r := cleanReport(words.Report{Outcome: resource.Rejected, Text: a.phrases.alreadyRunningText(by, e.person)})
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
// read. failed is the sentence of [phrases.failed].
func (e *executor) unreachable(err error, failed words.Text) *words.Report {
	e.status.noteResult("", err)
	return &words.Report{Outcome: resource.NotSent, Text: words.ControlNotChecked(failed, reasonText(err, nil))}
}
