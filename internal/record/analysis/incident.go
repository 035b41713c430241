package analysis

import (
	"context"
	"time"

	"wallboard/model"
)

// IncidentCost counts the contacts of a scope that were affected by an incident.
type IncidentCost struct {
	Received, Abandoned, Answered int64
	AnsweredInTime                int64 // within the platform's time limit; -1 if unknown
	MostWaiting                   int64
	LongestWait                   time.Duration
	WaitingSince                  time.Time // time since which contacts were already waiting when the incident began; zero: none, or unknown
	// Numbers of contacts from the start of the day to the beginning of the incident.
	EarlierReceived, EarlierAbandoned, EarlierAnswered, EarlierInTime int64
}

// CostFunc is a function like [MeasureCost], but for a particular recording.
type CostFunc func(ctx context.Context, scope Scope, from, to time.Time) (cost IncidentCost, ok bool, err error)

const (
	costStep         = 10 * time.Second
	maxCostSnapshots = 720              // maximum number of snapshots that are read; a longer incident is read in larger steps
	costLookBack     = 10 * time.Minute // how long before an incident its queue is searched for the first waiting contact
	maxCostMargin    = 30 * time.Second // how far the first and the last snapshot may be from the incident; a longer step replaces it
)

// MeasureCost counts the contacts of a scope during an incident between two times. ok is false if
// the beginning or the end is not recorded, or if the counters are unknown or were reset in between.
func MeasureCost(ctx context.Context, p Snapshots, scope Scope, from, to time.Time) (cost IncidentCost, ok bool, err error) {
	step := max(costStep, to.Sub(from)/maxCostSnapshots)
	var first, last *model.ServiceCalls
	var firstAt, lastAt time.Time
	for s, err := range p.SampledSnapshots(from.Add(-costLookBack), to, step, scope.tables()...) {
		if err == nil {
			err = contextError(ctx)
		}
		if err != nil {
			return cost, false, err
		}
		now, known := stateOf(s, scope)
		if !known {
			continue
		}
		if !s.At.After(from) {
			cost.recordWaiting(s.At, now.waiting > 0)
		}
		calls := callsOf(s, scope)
		if first == nil || !s.At.After(from) {
			first, firstAt = calls, s.At
		}
		if last, lastAt = calls, s.At; !s.At.Before(from.Add(-step)) {
			cost.MostWaiting, cost.LongestWait = max(cost.MostWaiting, now.waiting), max(cost.LongestWait, now.wait)
		}
	}
	if first == nil || firstAt.Sub(from).Abs() > max(maxCostMargin, step) || to.Sub(lastAt) > max(maxCostMargin, step) {
		return cost, false, nil
	}
	ok = cost.countBetween(first, last)
	return cost, ok, nil
}

// recordWaiting updates the time since which contacts have been waiting without interruption.
// waiting reports whether contacts wait at the time at.
func (c *IncidentCost) recordWaiting(at time.Time, waiting bool) {
	switch {
	case !waiting:
		c.WaitingSince = time.Time{}
	case c.WaitingSince.IsZero():
		c.WaitingSince = at
	}
}

// countBetween computes the numbers of contacts from the counters in the first and the last
// snapshot. It returns false if a counter is unknown or was reset in between.
func (c *IncidentCost) countBetween(first, last *model.ServiceCalls) bool {
	ok := true
	between := func(get func(*model.ServiceCalls) model.Int) (during, earlier int64, known bool) {
		a, knowsA := get(first).Get()
		b, knowsB := get(last).Get()
		if knowsA && knowsB && b < a {
			ok = false
		}
		return b - a, a, knowsA && knowsB
	}
	var known [4]bool
	c.Received, c.EarlierReceived, known[0] = between(func(r *model.ServiceCalls) model.Int { return r.ReceivedCalls })
	c.Abandoned, c.EarlierAbandoned, known[1] = between(func(r *model.ServiceCalls) model.Int { return r.HangupCalls })
	c.Answered, c.EarlierAnswered, known[2] = between(func(r *model.ServiceCalls) model.Int { return r.AnsweredCalls })
	c.AnsweredInTime, c.EarlierInTime, known[3] = between(func(r *model.ServiceCalls) model.Int { return r.AnsweredCallsUnderSpeedLimit })
	if !known[3] {
		c.AnsweredInTime = -1
	}
	return ok && known[0] && known[1] && known[2]
}

// callsOf returns the counters of a scope in a snapshot. The snapshot must contain the scope.
func callsOf(s *model.Snapshot, scope Scope) *model.ServiceCalls {
	if scope.Service == "" {
		f := model.FloorOf(s, scope.Channel, nil, nil)
		return &f.Calls
	}
	return &s.Services.Get(model.ServiceKey{Code: scope.Service, Channel: scope.Channel}).ChannelStats
}
