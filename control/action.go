package control

import (
	"context"
	"errors"
	"time"

	"wallboard/audit"
	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/restclient"
)

// action is one action, from the key press to its outcome.
type action struct {
	verb   resource.Operation
	kind   string // one at a time per kind and target
	target string // as the audit file names it
	// alone lets only one action of the kind through at a time, whatever its
	// target: the items of one list may be those of another.
	alone  bool
	params map[string]string
	// forOther is set when it is not our login's profile that must allow it.
	forOther bool
	say      phrases
	// also is a target that look found besides.
	also string

	// look reads the target anew, before anything is sent; a report that is
	// not nil is the end. nil: there is nothing to look at.
	look func(ctx context.Context) *resource.Report
	// send sends the request. Without an error the platform has answered, and
	// the report says what.
	send func(ctx context.Context) (resource.Report, error)
	// settle finds out what became of a request whose end is not known. nil:
	// there is no way.
	settle func(ctx context.Context, err error) *resource.Report
}

// settleWithin bounds how long somebody waits to hear what became of an action.
const settleWithin = 30 * time.Second

// take takes an action.
func (d *Desk) take(ctx context.Context, a *action) resource.Report {
	d.actions.Add(1)
	defer d.actions.Done()
	if why, final := d.refusal(a.verb); final {
		return clean(resource.Report{Outcome: resource.NotSent, Text: a.say.not + ": " + why + "; nothing was sent."})
	}
	claimed := a.kind
	if !a.alone {
		claimed += " " + a.target
	}
	release, ok := d.claim(claimed)
	if !ok {
		return clean(resource.Report{Outcome: resource.Rejected, Text: a.say.twice()})
	}
	defer release()
	if a.look != nil {
		end := a.look(ctx)
		if end == nil && a.also != "" {
			release, ok := d.claim(a.kind + " " + a.also)
			if !ok {
				return clean(resource.Report{Outcome: resource.Rejected, Text: a.say.twice()})
			}
			defer release()
		}
		if end != nil {
			// What was asked for and not done belongs into the file, too. It
			// was not done, so nothing depends on the file.
			finish, err := d.o.Audit.Begin(a.intent(d.username()))
			return d.finish(finish, err, *end, nil)
		}
	}
	finish, err := d.o.Audit.Begin(a.intent(d.username()))
	if err != nil {
		d.o.Logger.Error("the audit file could not be written", "verb", string(a.verb), "error", err)
		return clean(resource.Report{
			Outcome: resource.NotSent,
			Text:    a.say.not + ": the audit file cannot be written, so nothing was sent; tell your administrator.",
		})
	}
	report, err := a.send(ctx)
	if a.forOther {
		d.heard("", err) // what they may not do says nothing about our login
	} else {
		d.heard(a.verb, err)
	}
	if err == nil {
		d.accepted()
	} else {
		report = d.judge(ctx, a, err)
	}
	return d.finish(finish, nil, report, err)
}

func (a *action) intent(user string) audit.Intent {
	return audit.Intent{User: user, Action: string(a.verb), Target: a.target, Parameters: a.params}
}

// judge says what an error means for an action, and looks into it when that is
// not known.
func (d *Desk) judge(ctx context.Context, a *action, err error) resource.Report {
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
func (d *Desk) finish(finish func(audit.Result) error, notBegun error, r resource.Report, answer error) resource.Report {
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
		d.o.Logger.Error("the audit file could not be written", "error", err)
		if r.Warning != "" {
			r.Warning += " "
		}
		r.Warning += "The outcome could not be written to the audit file."
	}
	return r
}

// clean makes a report fit for a terminal: names that a user typed and ids that
// a script gave are in it.
func clean(r resource.Report) resource.Report {
	r.Text = model.CleanText(r.Text, model.MaxBody)
	r.Warning = model.CleanText(r.Warning, model.MaxBody)
	return r
}
