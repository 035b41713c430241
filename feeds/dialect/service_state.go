package dialect

import (
	"time"

	"wallboard/model"
)

const (
	// counterTolerance is how much longer maxTimeCallOnQueue may be than the time since the queue was
	// empty. Both values are whole seconds and their updates may arrive separately.
	counterTolerance = 3 * time.Second
	// maxUnchanged is how long maxTimeCallOnQueue may stay the same while a caller waits, if it is
	// the current wait. A current wait should grow every second.
	maxUnchanged = 4 * time.Second
	// fallDelay is how long after a fall of maxTimeCallOnQueue the fall counts as evidence. The
	// value also falls at the daily reset, but the other counters show a reset within this time.
	fallDelay = 2 * time.Second
)

// serviceState is the state of a [WaitTracker] for one service on one channel.
type serviceState struct {
	updatedAt   time.Time          // last call of update; zero before the first
	calls       model.ServiceCalls // figures of the last update
	readyAgents int64              // number of ready agents at the last update
	emptyAt     time.Time          // when the queue was last seen empty; zero: never
	queues      [3]queue           // one for each assumption

	steadyGrowth   steadyGrowth
	unchangedSince time.Time // when maxTimeCallOnQueue last changed or a caller began to wait
	excessSince    time.Time // since when maxTimeCallOnQueue exceeds the time since the queue was empty
	excessCounted  bool      // the excess since excessSince was counted
	fellAt         time.Time // when maxTimeCallOnQueue last fell, until the fall is counted; zero: no fall to count
	evidence       evidenceCounts
}

// evidenceCounts counts what the figures of one service show about the meaning of
// maxTimeCallOnQueue.
type evidenceCounts struct {
	falls           int  // number of times that the value fell within a day; a maximum of the day never falls
	excesses        int  // times when the value exceeded the time since the queue was empty
	suggestsCurrent bool // a weak sign of a current wait was seen
	suggestsDaily   bool // a weak sign of a maximum of the day was seen
}

func newServiceState() *serviceState {
	l := &serviceState{}
	for g := range l.queues {
		l.queues[g].assumption = leaverAssumption(g)
	}
	return l
}

// update processes the figures c of the service. ready is the number of ready agents.
func (s *serviceState) update(c *model.ServiceCalls, ready model.Int, now time.Time) {
	queued, known := c.QueuedCalls.Get()
	if !known || queued < 0 {
		*s = *newServiceState()
		return
	}
	step := queueStep{previousAt: s.updatedAt, now: now, length: int(min(queued, maxCallers)), agentReady: s.readyAgents > 0, emptyAt: s.emptyAt}
	if !s.updatedAt.IsZero() {
		step.arrived = growth(s.calls.ReceivedCalls, c.ReceivedCalls)
		step.abandoned = growth(s.calls.HangupCalls, c.HangupCalls) + growth(s.calls.ClosedCalls, c.ClosedCalls)
	}
	if s.updatedAt.IsZero() || c.QueuedCalls != s.calls.QueuedCalls || step.arrived > 0 {
		for g := range s.queues {
			s.queues[g].applyStep(step)
		}
	}
	if queued == 0 {
		s.emptyAt = now
	}
	s.collectEvidence(c, now)
	if left := int(s.calls.QueuedCalls.Or(0)) + step.arrived - step.length; left <= 0 {
		s.setFirstArrival(now)
	}
	s.calls, s.readyAgents, s.updatedAt = *c, ready.Or(0), now
}

// setFirstArrival sets the arrival of the longest waiting caller if the steady growth of
// maxTimeCallOnQueue shows it.
func (s *serviceState) setFirstArrival(now time.Time) {
	at, ok := s.steadyGrowth.arrival(now)
	if !ok || at.Before(s.emptyAt.Add(-counterTolerance)) {
		return
	}
	for g := range s.queues {
		if q := &s.queues[g]; len(q.callers) > 0 {
			q.callers[0].arrivedAfter, q.callers[0].arrivedBefore = at, at
		}
	}
}

// growth returns by how much a counter has grown, at most maxCallers. It returns 0 if a value is
// unknown or the counter has fallen.
func growth(before, now model.Int) int {
	a, okA := before.Get()
	b, okB := now.Get()
	if !okA || !okB || b < a {
		return 0
	}
	return int(min(b-a, maxCallers))
}

// collectEvidence collects evidence of the meaning of maxTimeCallOnQueue from the new figures c. It
// must be called before s.calls, the previous figures, is updated.
func (s *serviceState) collectEvidence(c *model.ServiceCalls, now time.Time) {
	queued := c.QueuedCalls.Or(0)
	v, known := c.MaxTimeCallOnQueue.Get()
	was, wasKnown := s.calls.MaxTimeCallOnQueue.Get()
	if known && wasKnown && v < was && c.ReceivedCalls.Or(0) >= s.calls.ReceivedCalls.Or(0) {
		s.fellAt = now
	}
	if c.ReceivedCalls.Or(0) < s.calls.ReceivedCalls.Or(0) { // the counters were reset for a new day
		s.fellAt = time.Time{}
		s.evidence.suggestsCurrent, s.evidence.suggestsDaily = false, false
	}
	if !s.fellAt.IsZero() && now.Sub(s.fellAt) >= fallDelay {
		s.evidence.falls++
		s.fellAt = time.Time{}
	}
	average := c.AverageTimeOnQueue.Or(0)
	switch {
	case queued == 0:
		s.excessCounted, s.excessSince, s.unchangedSince = false, time.Time{}, time.Time{}
		if known && v > 0 {
			s.evidence.suggestsDaily = true
		} else if average >= 1 && c.AnsweredCalls.Or(0) > 0 {
			s.evidence.suggestsCurrent = true // a maximum cannot be below the average
		}
	case known:
		s.evidence.suggestsCurrent = s.evidence.suggestsCurrent || average >= 1 && float64(v) < average-1
		s.collectWaitingEvidence(time.Duration(v)*time.Second, v == was && wasKnown, now)
	}
	s.steadyGrowth.observe(v, known && queued > 0, now)
}

// collectWaitingEvidence collects evidence of the meaning of maxTimeCallOnQueue while a caller
// waits. value is the value of the field. unchanged is true if the previous value was the same.
func (s *serviceState) collectWaitingEvidence(value time.Duration, unchanged bool, now time.Time) {
	if !unchanged || s.unchangedSince.IsZero() {
		s.unchangedSince = now
	}
	if now.Sub(s.unchangedSince) >= maxUnchanged {
		s.evidence.suggestsDaily = true
	}
	if s.emptyAt.IsZero() || value <= now.Sub(s.emptyAt)+counterTolerance {
		s.excessSince = time.Time{}
		return
	}
	if s.excessSince.IsZero() {
		s.excessSince = now
	}
	if !s.excessCounted && now.Sub(s.excessSince) >= counterTolerance {
		s.excessCounted = true
		s.evidence.excesses++
	}
}

// contradictsCurrent reports whether the value of maxTimeCallOnQueue has been too large for the
// current wait for at least counterTolerance.
func (s *serviceState) contradictsCurrent() bool {
	return !s.excessSince.IsZero() && s.updatedAt.Sub(s.excessSince) >= counterTolerance
}

// estimateWait returns the estimated longest current wait with its bounds. It does not set the
// Meaning of the result.
func (s *serviceState) estimateWait(now time.Time) model.Wait {
	var w model.Wait
	if s.calls.QueuedCalls.Or(0) <= 0 {
		return w
	}
	head := func(g leaverAssumption) caller {
		if cs := s.queues[g].callers; len(cs) > 0 {
			return cs[0]
		}
		return caller{arrivedAfter: s.emptyAt, arrivedBefore: now}
	}
	low, best, high := head(leaverOldest), head(leaverLikeliest), head(leaverYoungest)
	shortest := max(now.Sub(low.arrivedBefore), 0)
	longest, bounded := now.Sub(high.arrivedAfter), !high.arrivedAfter.IsZero()
	if high.arrivedAfter.IsZero() && !s.emptyAt.IsZero() {
		longest, bounded = now.Sub(s.emptyAt), true
	}
	estimate := max(now.Sub(best.arrivedBefore), shortest)
	if bounded {
		longest = max(longest, shortest)
		estimate = min(estimate, longest)
		w.AtMost = wholeSeconds(longest)
	}
	w.For, w.AtLeast = wholeSeconds(estimate), wholeSeconds(shortest)
	return w
}

func wholeSeconds(d time.Duration) model.Int { return model.IntOf(int64(d / time.Second)) }

// steadyGrowth detects whether maxTimeCallOnQueue grows as fast as time passes while a caller
// waits. If it does, the value is the longest current wait, even if the field otherwise means the
// longest wait of the day.
type steadyGrowth struct {
	firstAt, lastAt       time.Time // times of the first and of the newest value
	firstValue, lastValue int64     // the first and the newest value, in seconds
}

// Limits for steady growth: how much the growth may differ from the time passed, how long the value
// must have grown, and how long it may stay the same.
const (
	growthTolerance   = 1200 * time.Millisecond
	minGrowthDuration = 1800 * time.Millisecond
	maxGrowthPause    = 1600 * time.Millisecond
)

func (g *steadyGrowth) observe(value int64, waiting bool, now time.Time) {
	switch {
	case !waiting:
		*g = steadyGrowth{}
	case g.lastAt.IsZero():
		*g = steadyGrowth{firstAt: now, lastAt: now, firstValue: value, lastValue: value}
	case value == g.lastValue:
		if now.Sub(g.lastAt) > maxGrowthPause {
			*g = steadyGrowth{firstAt: now, lastAt: now, firstValue: value, lastValue: value}
		}
	default:
		grown := time.Duration(value-g.firstValue) * time.Second
		if (grown - now.Sub(g.firstAt)).Abs() > growthTolerance {
			*g = steadyGrowth{firstAt: now, lastAt: now, firstValue: value, lastValue: value}
			return
		}
		g.lastAt, g.lastValue = now, value
	}
}

// arrival returns when the longest-waiting caller arrived, computed from the value at now. It
// returns false unless the value grows steadily.
func (g *steadyGrowth) arrival(now time.Time) (time.Time, bool) {
	if g.lastAt.Sub(g.firstAt) < minGrowthDuration || g.lastValue-g.firstValue < 2 || !g.lastAt.Equal(now) {
		return time.Time{}, false
	}
	return g.lastAt.Add(-time.Duration(g.lastValue) * time.Second), true
}
