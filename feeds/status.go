package feeds

import (
	"time"

	"wallboard/feeds/verify"
	"wallboard/model"
)

// status is a subscription as it is shown.
type status struct {
	model.Subscription

	clean func(string) string // makes text from outside fit for the screen
	rate  rate
}

// set changes the state.
func (t *status) set(st model.SubState, reason string, now time.Time) {
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

// updated counts so many records of an update.
func (t *status) updated(records uint64, now time.Time) {
	t.LastData = now
	t.Updates += records
	t.rate.add(now, records)
}

// repaired counts what an audit has put right.
func (t *status) repaired(v *verify.Verdict, now time.Time) {
	t.LastData = now
	t.Late += v.Late
	if v.Drift != (model.Drift{}) {
		t.Drift = t.Drift.Plus(v.Drift)
		t.DriftAt = now
	}
}

// report is what is shown of so many records. next is when it is tried again.
func (t *status) report(records int, next, now time.Time) model.Subscription {
	st := t.Subscription
	st.Records = records
	st.PerSecond = t.rate.perSecond(now)
	if st.State == model.SubBackoff || st.State == model.SubRefused {
		st.NextTry = next
	}
	return st
}
