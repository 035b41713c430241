package actions

import (
	"slices"
	"time"

	"wallboard/internal/record/analysis"
	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/ui/snapshot"
	"wallboard/ui/style"
)

// records holds the actions of this board, newest last.
type records struct {
	list []record
	last uint64
}

// record is an action and its outcome.
type record struct {
	number uint64
	order  order
	asked  time.Time // on the local clock
	ended  time.Time // zero while running
	report resource.Report
}

// maxRecords is the maximum length of the log. The audit log holds all actions.
const maxRecords = 500

// begin adds an action and returns its number.
func (l *records) begin(o order, now time.Time) uint64 {
	l.last++
	if len(l.list) == maxRecords {
		l.list = slices.Delete(l.list, 0, 1)
	}
	l.list = append(l.list, record{number: l.last, order: o, asked: now})
	return l.last
}

// underWay returns the names of the running actions.
func (l *records) underWay() []string {
	var out []string
	for i := range l.list {
		if d := &l.list[i]; d.ended.IsZero() {
			out = append(out, d.order.verb.Words()+": "+d.order.target)
		}
	}
	return out
}

// end stores an outcome and returns the record.
func (l *records) end(number uint64, r resource.Report, now time.Time) record {
	for i := range l.list {
		if d := &l.list[i]; d.number == number {
			d.ended, d.report = now, r
			return *d
		}
	}
	return record{}
}

// event returns the mark for the recording. It names campaigns and, where allowed, agents,
// but no customers, phone numbers or texts.
func (r *record) event() model.Event {
	verb, outcome := style.Capitalize(r.order.verb.Words()), ", "+outcomeWord(r.report.Outcome)
	e := model.Event{At: r.asked, Kind: model.MarkAction, Text: verb + outcome, Nameless: verb + outcome}
	if !r.order.about.Some() {
		return e
	}
	e.Text = verb + ": " + r.order.about.Name + outcome
	if r.order.about.Kind == snapshot.Campaign {
		e.Nameless = e.Text
	}
	return e
}

// deeds returns the actions that can affect waiting times, with their numbers.
func (l *records) deeds(f *snapshot.View) (out []analysis.Action, numbers []uint64) {
	for i := range l.list {
		r := &l.list[i]
		if r.ended.IsZero() || r.report.Outcome != resource.Confirmed || !r.order.verb.AffectsWaits() {
			continue
		}
		what := r.order.verb.Words() + " " + r.order.about.Name
		out = append(out, analysis.Action{At: f.Server(r.asked), Of: analysis.Scope{Channel: model.Call}, What: what})
		numbers = append(numbers, r.number)
	}
	return out, numbers
}
