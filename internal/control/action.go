package control

import (
	"context"
	"time"

	"wallboard/internal/control/audit"
	"wallboard/model"
	"wallboard/model/resource"
)

// action describes one action and the steps to perform it.
type action struct {
	operation resource.Operation
	kind      string // kind of target; only one action runs at a time per kind and target
	target    string // target in the audit file
	// exclusive allows only one action of the kind at a time, whatever its target. Items need this,
	// because an item of one list may also be in another.
	exclusive bool
	params    map[string]string
	// forOther is true if the profile of a user other than the login must allow the action.
	forOther bool
	phrases  phrases
	// secondTarget is set by read if the action has a second target that must be reserved.
	secondTarget string

	// read reads the target before anything is sent. A non-nil report ends the action. nil: nothing
	// is read.
	read func(ctx context.Context) *resource.Report
	// send sends the request. Without an error the platform has answered, and the report is
	// complete. With an error, the text of the report explains the error; if it has no text, the
	// phrases do.
	send func(ctx context.Context) (resource.Report, error)
	// resolve tries to find out the outcome if it is unknown after the request. It returns nil if
	// that fails. A nil resolve means that it is impossible to find out.
	resolve func(ctx context.Context, err error) *resource.Report
}

// resolveWithin is the longest time for which an action tries to find out an unknown outcome.
const resolveWithin = 30 * time.Second

func (a *action) intent(user, person string) audit.Intent {
	return audit.Intent{User: user, Person: person, Action: string(a.operation), Target: a.target, Parameters: a.params}
}

// cleanReport makes the texts of a report safe for a terminal, because they contain names that a
// user typed and IDs that a script supplied.
func cleanReport(r resource.Report) resource.Report {
	r.Text = model.CleanText(r.Text, model.MaxBody)
	r.Warning = model.CleanText(r.Warning, model.MaxBody)
	return r
}
