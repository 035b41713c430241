package control

import (
	"context"
	"time"

	"wallboard/audit"
	"wallboard/model"
	"wallboard/model/resource"
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
	// the report says what. With an error a report with a text says what it means;
	// otherwise the phrases do.
	send func(ctx context.Context) (resource.Report, error)
	// settle finds out what became of a request whose end is not known. nil:
	// there is no way.
	settle func(ctx context.Context, err error) *resource.Report
}

// settleWithin bounds how long somebody waits to hear what became of an action.
const settleWithin = 30 * time.Second

func (a *action) intent(user, person string) audit.Intent {
	return audit.Intent{User: user, Person: person, Action: string(a.verb), Target: a.target, Parameters: a.params}
}

// clean makes a report fit for a terminal: names that a user typed and ids that
// a script gave are in it.
func clean(r resource.Report) resource.Report {
	r.Text = model.CleanText(r.Text, model.MaxBody)
	r.Warning = model.CleanText(r.Warning, model.MaxBody)
	return r
}
