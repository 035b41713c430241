package actions

import (
	"slices"
	"time"

	"wallboard/internal/record/analysis"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/ui/floorview"
)

// loggedActions is the log of the actions of this board, newest last.
type loggedActions struct {
	list       []loggedAction
	lastNumber uint64
}

// loggedAction is an action in the log, with its outcome.
type loggedAction struct {
	number  uint64
	order   actionOrder
	askedAt time.Time // when the viewer requested the action, on the local clock
	endedAt time.Time // when the outcome arrived, on the local clock; zero while running
	report  words.ActionReport
}

// maxRecords is the maximum number of actions in the log. The log drops the oldest action to limit
// its memory; the audit file contains all actions.
const maxRecords = 500

// add adds the order o to the log and returns the number of its record.
func (l *loggedActions) add(o actionOrder, now time.Time) uint64 {
	l.lastNumber++
	if len(l.list) == maxRecords {
		l.list = slices.Delete(l.list, 0, 1)
	}
	l.list = append(l.list, loggedAction{number: l.lastNumber, order: o, askedAt: now})
	return l.lastNumber
}

// runningNames returns the names of the actions whose outcome has not arrived yet.
func (l *loggedActions) runningNames() []words.Text {
	var out []words.Text
	for i := range l.list {
		if d := &l.list[i]; d.endedAt.IsZero() {
			out = append(out, words.ActRequested(words.OperationTitle(d.order.operation), d.order.target))
		}
	}
	return out
}

// setOutcome stores the outcome r in the record with the given number. It returns the record, or
// the zero record if the log no longer contains it.
func (l *loggedActions) setOutcome(number uint64, r words.ActionReport, now time.Time) loggedAction {
	for i := range l.list {
		if d := &l.list[i]; d.number == number {
			d.endedAt, d.report = now, r
			return *d
		}
	}
	return loggedAction{}
}

// event returns a mark of the action for the recording. The mark may contain names of campaigns and
// agents, but no names of customers, no phone numbers and no message texts.
func (r *loggedAction) event() model.Event {
	target, nameless := r.order.markedTarget.Name, ""
	if r.order.markedTarget.Kind == floorview.Campaign {
		nameless = target
	}
	text, anonymous := words.RecordedAction(r.order.operation, target, r.report.Outcome), words.RecordedAction(r.order.operation, nameless, r.report.Outcome)
	return model.Event{
		At: r.askedAt, Kind: model.MarkAction, Text: text.In(nil), Message: text.Stored(), Nameless: anonymous.In(nil), NamelessMessage: anonymous.Stored(),
	}
}

// measurableActions returns the confirmed actions that may change how long contacts wait. numbers holds
// the number of each action in the log.
func (l *loggedActions) measurableActions(f *floorview.View) (out []analysis.Action, numbers []uint64) {
	for i := range l.list {
		r := &l.list[i]
		if r.endedAt.IsZero() || r.report.Outcome != resource.OutcomeConfirmed || !r.order.operation.AffectsWaits() {
			continue
		}
		what := words.OperationName(r.order.operation).In(nil) + " " + r.order.markedTarget.Name
		out = append(out, analysis.Action{At: f.ToServerTime(r.askedAt), Scope: analysis.Scope{Channel: model.Call}, Description: what})
		numbers = append(numbers, r.number)
	}
	return out, numbers
}
