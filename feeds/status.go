package feeds

import (
	"strings"
	"time"

	"wallboard/feeds/dialect"
	"wallboard/feeds/records"
	"wallboard/model"
)

type status struct {
	model.Subscription

	clean func(string) string // makes external text safe to display
	rate  rate
}

// setState changes the displayed state and the reason shown for it.
func (s *status) setState(st model.SubState, reason string, now time.Time) {
	if was := s.State; was != st {
		s.State, s.Since = st, now
		switch {
		case st.IsFresh():
			s.FreshUntil = time.Time{}
		case was.IsFresh():
			s.FreshUntil = now
		}
	}
	s.Reason = s.clean(reason)
}

// showMissingFields lists the fields that the server lacks. The length of each name is limited. The
// length of the list is not, because every missing field must be reported.
func (s *status) showMissingFields(d *dialect.Dialect) {
	op := string(s.Name)
	fields := dialect.UnavailableFields(d.MissingFields(op), d.Types(op))
	for i, field := range fields {
		fields[i] = s.clean(field)
	}
	s.Lacks = strings.Join(fields, ", ")
}

// addUpdates counts records that an update contained.
func (s *status) addUpdates(records uint64, now time.Time) {
	s.LastData = now
	s.Updates += records
	s.rate.add(now, records)
}

// addRepairs counts the differences that an audit repaired.
func (s *status) addRepairs(v *records.CheckResult, now time.Time) {
	s.LastData = now
	s.Late += v.LagDifferences
	if v.Drift != (model.Drift{}) {
		s.Drift = s.Drift.Plus(v.Drift)
		s.DriftAt = now
	}
}

// displayedSubscription returns the status for display. records is the number of records of the operation.
// next is the time of the next attempt.
func (s *status) displayedSubscription(records int, next, now time.Time) model.Subscription {
	st := s.Subscription
	st.Records = records
	st.PerSecond = s.rate.perSecond(now)
	if st.State == model.SubBackoff || st.State == model.SubRefused {
		st.NextTry = next
	}
	return st
}
