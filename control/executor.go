package control

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"time"

	"wallboard/audit"
	"wallboard/model/resource"
	"wallboard/restclient"
)

// executor takes actions, whatever they are about: one at a time per target, with
// the intent in the audit file before anything is sent, and the outcome after.
type executor struct {
	standing *Standing
	audit    Audit
	log      *slog.Logger
	now      func() time.Time
	after    func(time.Duration) <-chan time.Time
	person   string // who asks, where it is not who runs the program

	*underWay
	lock func(ctx context.Context, target string) (release func(), warning string, err error) // nil: there is no desk elsewhere
}

// underWay are the actions that are, whoever asked for them.
type underWay struct {
	running sync.WaitGroup
	mu      sync.Mutex
	claimed map[string]string // who acts, by kind and target; "": who runs the program
}

func newUnderWay() *underWay { return &underWay{claimed: make(map[string]string)} }

// take takes an action.
func (e *executor) take(ctx context.Context, a *action) resource.Report {
	e.running.Add(1)
	defer e.running.Done()
	if why, final := e.standing.refusal(a.verb); final {
		return clean(resource.Report{Outcome: resource.NotSent, Text: a.say.not + ": " + why + "; nothing was sent."})
	}
	claimed := a.kind
	if !a.alone {
		claimed += " " + a.target
	}
	release, warning, refused := e.claim(ctx, a, claimed)
	if refused != nil {
		return *refused
	}
	defer release()
	if a.look != nil {
		end := a.look(ctx)
		if end == nil && a.also != "" {
			release, _, refused := e.claim(ctx, a, a.kind+" "+a.also)
			if refused != nil {
				return *refused
			}
			defer release()
		}
		if end != nil {
			// What was asked for and not done belongs into the file, too. It
			// was not done, so nothing depends on the file.
			finish, err := e.audit.Begin(a.intent(e.standing.username(), e.person))
			return e.finish(finish, err, *end, nil)
		}
	}
	finish, err := e.audit.Begin(a.intent(e.standing.username(), e.person))
	if err != nil {
		e.log.Error("the audit file could not be written", "verb", string(a.verb), "error", err)
		return clean(resource.Report{
			Outcome: resource.NotSent,
			Text:    a.say.not + ": the audit file cannot be written, so nothing was sent; tell your administrator.",
		})
	}
	report, err := a.send(ctx)
	if a.forOther {
		e.standing.heard("", err) // what they may not do says nothing about our login
	} else {
		e.standing.heard(a.verb, err)
	}
	if err == nil {
		e.standing.accepted()
	} else {
		report = e.judge(ctx, a, err)
	}
	if report.Outcome == resource.Confirmed || report.Outcome == resource.Unknown {
		report.Warning = strings.TrimSpace(report.Warning + " " + warning)
	}
	return e.finish(finish, nil, report, err)
}

// judge says what an error means for an action, and looks into it when that is
// not known.
func (e *executor) judge(ctx context.Context, a *action, err error) resource.Report {
	report := a.say.of(err)
	if report.Outcome == resource.Unknown && a.settle != nil {
		ctx, cancel := context.WithTimeout(ctx, settleWithin)
		defer cancel()
		if found := a.settle(ctx, err); found != nil {
			return *found
		}
	}
	return report
}

// finish writes the outcome. notBegun is why the intent could not be written.
func (e *executor) finish(finish func(audit.Result) error, notBegun error, r resource.Report, answer error) resource.Report {
	r = clean(r)
	err := notBegun
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

// claim makes an action the only one on a target, here and at other desks, until
// release; refused says why it cannot be, warning that other desks could not be asked.
func (e *executor) claim(ctx context.Context, a *action, key string) (release func(), warning string, refused *resource.Report) {
	end := func(o resource.Outcome, text string) *resource.Report {
		r := clean(resource.Report{Outcome: o, Text: text})
		return &r
	}
	if by, free := e.begin(key, e.person); !free {
		return nil, "", end(resource.Rejected, a.say.twice(by, e.person))
	}
	if e.lock == nil {
		return func() { e.end(key) }, "", nil
	}
	unlock, warning, err := e.lock(ctx, key)
	if err != nil {
		e.end(key)
		return nil, "", end(resource.NotSent, a.say.not+", because "+err.Error()+"; nothing was sent.")
	}
	return func() { unlock(); e.end(key) }, warning, nil
}

// begin notes who acts on a target, or says who does already.
func (u *underWay) begin(key, person string) (by string, free bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if by, taken := u.claimed[key]; taken {
		return by, false
	}
	u.claimed[key] = person
	return "", true
}

func (u *underWay) end(key string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	delete(u.claimed, key)
}

// pause waits; it returns false when the context ended first.
func (e *executor) pause(ctx context.Context, how time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-e.after(how):
		return ctx.Err() == nil
	}
}

// poll looks until look returns true, after 1, 2, 4 and 8 seconds.
func (e *executor) poll(ctx context.Context, look func() bool) bool {
	for how := time.Second; how <= 8*time.Second; how *= 2 {
		if !e.pause(ctx, how) {
			return false
		}
		if look() {
			return true
		}
	}
	return false
}

// unreachable is the end of an action whose target could not be read, so that
// nothing was sent.
func (e *executor) unreachable(err error, not string) *resource.Report {
	e.standing.heard("", err)
	return &resource.Report{
		Outcome: resource.NotSent,
		Text:    not + ", because the platform could not be asked first: " + reason(err, nil) + "; nothing was sent.",
	}
}
