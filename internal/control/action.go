package control

import (
	"context"
	"time"

	"wallboard/internal/control/audit"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/resource"
)

// action describes one action and the steps to perform it.
type action struct {
	operation  resource.Operation
	targetKind string // kind of target; at most one action runs per kind and target
	target     string // target in the audit file
	// exclusive allows only one action of the kind at a time, whatever its target. Actions on items
	// need it, because an item may be in several lists.
	exclusive bool
	params    map[string]string
	// needsOtherProfile is true if the action needs the permission of a profile other than that of
	// the login.
	needsOtherProfile bool
	phrases           phrases
	// secondTarget is another target that must be reserved, or "". The function read sets it.
	secondTarget string

	// read reads the target before anything is sent. If it returns a report, the action ends with
	// that report. A nil read means that nothing is read.
	read func(ctx context.Context) *words.ActionReport
	// send sends the request. If it returns no error, the platform has answered and the report is
	// complete. If it returns an error, the text of the report explains the error. An empty text is
	// replaced with one of phrases.
	send func(ctx context.Context) (words.ActionReport, error)
	// resolve tries to find out an outcome that is unknown after the request. err is the error of
	// the request. resolve returns nil if the outcome remains unknown. A nil resolve means that the
	// outcome cannot be found out.
	resolve func(ctx context.Context, err error) *words.ActionReport
	// observe observes the effect of the action after its end and returns the report with what it has
	// found. It does not block other actions. A nil observe observes nothing.
	observe func(ctx context.Context, r words.ActionReport) words.ActionReport
}

// resolveTimeout limits how long an action tries to find out an unknown outcome.
const resolveTimeout = 30 * time.Second

func (a *action) intent(user, person string) audit.Intent {
	return audit.Intent{User: user, Person: person, Action: string(a.operation), Target: a.target, Parameters: a.params}
}

// cleanReport makes the texts of a report safe to print on a terminal. The texts may contain names
// that a user typed and IDs from a script.
func cleanReport(r words.ActionReport) words.ActionReport {
	r.Text = cleanText(r.Text)
	r.Warning = cleanText(r.Warning)
	return r
}

// cleanText makes the names in a text safe to print on a terminal.
func cleanText(t words.Text) words.Text {
	return t.MapNames(func(s string) string { return model.CleanText(s, model.MaxBody) })
}
