package control

import (
	"context"
	"time"

	"wallboard/internal/control/audit"
	"wallboard/model"
	"wallboard/model/resource"
)

// action is one action with its steps.
type action struct {
	operation resource.Operation
	kind      string // kind of target; only one action runs at a time per kind and target
	target    string // target in the audit file
	// exclusive allows only one action of the kind at a time, whatever its target: an item of one list
	// may also be in another.
	exclusive bool
	params    map[string]string
	// forOther is true if another user's profile must allow the action.
	forOther bool
	phrases  phrases
	// secondTarget is a second target, found by read.
	secondTarget string

	// read reads the target before anything is sent. A non-nil report ends the action. It may be
	// nil.
	read func(ctx context.Context) *resource.Report
	// send sends the request. Without an error the platform has answered, and the report is
	// complete. With an error, a report with a text explains it; otherwise the phrases do.
	send func(ctx context.Context) (resource.Report, error)
	// resolve finds out the outcome if it is unknown after the request. It is nil if that is
	// impossible.
	resolve func(ctx context.Context, err error) *resource.Report
}

// resolveWithin limits how long a user waits for an unknown outcome to be resolved.
const resolveWithin = 30 * time.Second

func (a *action) intent(user, person string) audit.Intent {
	return audit.Intent{User: user, Person: person, Action: string(a.operation), Target: a.target, Parameters: a.params}
}

// cleanReport makes a report safe for a terminal: it contains names that a user typed and IDs
// that a script supplied.
func cleanReport(r resource.Report) resource.Report {
	r.Text = model.CleanText(r.Text, model.MaxBody)
	r.Warning = model.CleanText(r.Warning, model.MaxBody)
	return r
}
