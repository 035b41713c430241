package feeds

import (
	"strings"
	"time"

	"wallboard/feeds/dialect"
	"wallboard/feeds/records"
	"wallboard/model"
)

// status is the displayed state of a subscription.
type status struct {
	model.Subscription

	clean func(string) string // makes external text safe to display
	rate  rate
}

// setState changes the state.
func (t *status) setState(st model.SubState, reason string, now time.Time) {
	if was := t.State; was != st {
		t.State, t.Since = st, now
		switch {
		case st.Fresh():
			t.FreshUntil = time.Time{}
		case was.Fresh():
			t.FreshUntil = now
		}
	}
	t.Reason = t.clean(reason)
}

// showMissingFields lists the fields that the server lacks. It limits the length of each name
// but not of the list, because every missing field must be reported.
func (t *status) showMissingFields(d *dialect.Dialect) {
	op := string(t.Name)
	fields := dialect.UnavailableFields(d.MissingFields(op), d.Types(op))
	for i, field := range fields {
		fields[i] = t.clean(field)
	}
	t.Lacks = strings.Join(fields, ", ")
}

// addUpdates counts the records of an update.
func (t *status) addUpdates(records uint64, now time.Time) {
	t.LastData = now
	t.Updates += records
	t.rate.add(now, records)
}

// addRepairs counts the repairs of an audit.
func (t *status) addRepairs(v *records.Verdict, now time.Time) {
	t.LastData = now
	t.Late += v.Late
	if v.Drift != (model.Drift{}) {
		t.Drift = t.Drift.Plus(v.Drift)
		t.DriftAt = now
	}
}

// report returns the status for display. next is the time of the next attempt.
func (t *status) report(records int, next, now time.Time) model.Subscription {
	st := t.Subscription
	st.Records = records
	st.PerSecond = t.rate.perSecond(now)
	if st.State == model.SubBackoff || st.State == model.SubRefused {
		st.NextTry = next
	}
	return st
}
