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

// executor performs the actions of all parts of a client, one at a time per target. It writes the
// intent to the audit file before anything is sent, and the outcome afterwards.
type executor struct {
	status *Status
	audit  Audit
	log    *slog.Logger
	now    func() time.Time
	after  func(time.Duration) <-chan time.Time
	person string // user who requests actions, if another user runs the program

	*runningActions
	lock func(ctx context.Context, target string) (Lock, error) // nil: there are no other clients
}

// run performs an action, observes its effect and returns the report about its outcome.
func (e *executor) run(ctx context.Context, a *action) words.ActionReport {
	e.running.Add(1)
	defer e.running.Done()
	report, warning := e.perform(ctx, a)
	if a.observe != nil {
		report = a.observe(ctx, report)
	}
	report.Warning = words.JoinSentences(report.Warning, warning)
	return report
}

// perform performs an action. It returns the report about its outcome, and a warning about the locks and
// the audit file or the zero Text.
func (e *executor) perform(ctx context.Context, a *action) (r words.ActionReport, warning words.Text) {
	if why, final := e.status.refusal(a.operation); final {
		return cleanReport(a.phrases.notSentReport(why.reason)), warning
	}
	claimed := a.targetKind
	if !a.exclusive {
		claimed += " " + a.target
	}
	mine := &reservation{outcomeKnown: true}
	defer mine.release()
	if refused := e.reserve(ctx, a, mine, claimed); refused != nil {
		return *refused, warning
	}
	if a.read != nil {
		end := a.read(ctx)
		if end == nil && a.secondTarget != "" {
			if refused := e.reserve(ctx, a, mine, a.targetKind+" "+a.secondTarget); refused != nil {
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
		return cleanReport(words.ActionReport{Outcome: resource.OutcomeNotSent, Text: words.ControlNotAudited(a.phrases.failed)}), warning
	}
	if err := mine.confirm(ctx); err != nil {
		return e.finish(finish, nil, *a.phrases.lockedReport(err), warning, nil)
	}
	mine.outcomeKnown = false
	report, err := e.send(ctx, a, mine)
	mine.outcomeKnown = report.Outcome != resource.OutcomeUnknown
	if report.Outcome == resource.OutcomeConfirmed || report.Outcome == resource.OutcomeUnknown {
		warning = mine.warning()
	}
	return e.finish(finish, nil, report, warning, err)
}

// send sends the request of an action if all its locks are still held. It returns the report about
// the outcome, and the error of the request.
func (e *executor) send(ctx context.Context, a *action, mine *reservation) (words.ActionReport, error) {
	report, err := a.send(restclient.WithPermission(ctx, mine.isHeld))
	if a.needsOtherProfile {
		e.status.recordResult("", err) // another user's missing permission says nothing about our login
	} else {
		e.status.recordResult(a.operation, err)
	}
	if err == nil {
		e.status.recordAccepted()
		return report, nil
	}
	if !report.Text.IsZero() {
		return report, err
	}
	return e.outcomeOf(ctx, a, err), err
}

// outcomeOf returns the report about an action whose request failed with err. If the outcome is
// unknown after err, it tries to find out the outcome.
func (e *executor) outcomeOf(ctx context.Context, a *action, err error) words.ActionReport {
	report := a.phrases.reportFor(err)
	if report.Outcome == resource.OutcomeUnknown && a.resolve != nil {
		ctx, cancel := context.WithTimeout(ctx, resolveTimeout)
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
func (e *executor) finish(finish func(audit.Result) error, intentErr error, r words.ActionReport, warning words.Text, answer error) (words.ActionReport, words.Text) {
	r, warning = cleanReport(r), cleanText(warning)
	err := intentErr
	if err == nil {
		result := audit.Result{Outcome: r.Outcome.String(), Sentence: r.Text.In(nil), Warning: words.JoinSentences(r.Warning, warning).In(nil)}
		var e *restclient.Error
		if errors.As(answer, &e) {
			result.Status = e.Status
		}
		err = finish(result)
	}
	if err != nil {
		e.log.Error("the audit file could not be written", "error", err)
		warning = words.JoinSentences(warning, words.ControlNotInAudit())
	}
	return r, warning
}

// reserve reserves key for an action, in this program and against other clients. Releasing mine ends
// the reservation. If key is already reserved or cannot be locked, reserve returns a report about
// that.
func (e *executor) reserve(ctx context.Context, a *action, mine *reservation, key string) (refused *words.ActionReport) {
	if by, free := e.begin(key, e.person); !free {
		r := cleanReport(words.ActionReport{Outcome: resource.OutcomeRejected, Text: a.phrases.alreadyRunningText(by, e.person)})
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

// unreachableReport returns the report about an action that was not sent because its target could not be
// read. failed is the sentence of [phrases.failed].
func (e *executor) unreachableReport(err error, failed words.Text) *words.ActionReport {
	e.status.recordResult("", err)
	return &words.ActionReport{Outcome: resource.OutcomeNotSent, Text: words.ControlNotChecked(failed, reasonText(err, nil))}
}
