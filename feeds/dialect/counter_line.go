package dialect

import (
	"time"

	"wallboard/model"
)

const (
	// counterSlack is how much the field may exceed the time since the queue was empty: both are
	// whole seconds, and their updates may arrive separately.
	counterSlack = 3 * time.Second
	// maxUnchanged is how long the field may stay the same while a caller waits. A
	// current wait grows every second.
	maxUnchanged = 4 * time.Second
	// fallDelay is the delay before a fall of the field counts: at the daily
	// reset the other counters fall, too.
	fallDelay = 2 * time.Second
)

// serviceState is the state of one service on one channel.
type serviceState struct {
	updatedAt time.Time // last call of update; zero before the first
	calls     model.ServiceCalls
	ready     int64
	emptyAt   time.Time // when the queue was last seen empty; zero: never
	queues    [3]queue

	climb          climb
	unchangedSince time.Time // since when the field has not changed although a caller waits
	excessSince    time.Time // since when the field exceeds the time since the queue was empty
	excessCounted  bool      // the excess was counted
	fellAt         time.Time // when the field fell; zero: none pending
	evidence       evidenceCounts
}

// evidenceCounts counts what one service shows about the meaning of the field.
type evidenceCounts struct {
	falls, excesses int
	current, daily  bool // seen at least once
}

func newServiceState() *serviceState {
	l := &serviceState{}
	for g := range l.queues {
		l.queues[g].guess = guess(g)
	}
	return l
}

// update processes the present figures.
func (l *serviceState) update(c *model.ServiceCalls, ready model.Int, now time.Time) {
	queued, known := c.QueuedCalls.Get()
	if !known || queued < 0 {
		*l = *newServiceState()
		return
	}
	s := queueStep{before: l.updatedAt, now: now, length: int(min(queued, maxCallers)), ready: l.ready > 0, emptyAt: l.emptyAt}
	if !l.updatedAt.IsZero() {
		s.arrived = growth(l.calls.ReceivedCalls, c.ReceivedCalls)
		s.abandoned = growth(l.calls.HangupCalls, c.HangupCalls) + growth(l.calls.ClosedCalls, c.ClosedCalls)
	}
	if l.updatedAt.IsZero() || c.QueuedCalls != l.calls.QueuedCalls || s.arrived > 0 {
		for g := range l.queues {
			l.queues[g].apply(s)
		}
	}
	if queued == 0 {
		l.emptyAt = now
	}
	l.judgeMeaning(c, now)
	if left := int(l.calls.QueuedCalls.Or(0)) + s.arrived - s.length; left <= 0 {
		l.setFirstArrival(now)
	}
	l.calls, l.ready, l.updatedAt = *c, ready.Or(0), now
}

// setFirstArrival sets when the longest waiting caller arrived, if the field shows
// it.
func (l *serviceState) setFirstArrival(now time.Time) {
	at, ok := l.climb.arrival(now)
	if !ok || at.Before(l.emptyAt.Add(-counterSlack)) {
		return
	}
	for g := range l.queues {
		if q := &l.queues[g]; len(q.callers) > 0 {
			q.callers[0].arrivedAfter, q.callers[0].arrivedBefore = at, at
		}
	}
}

// growth returns the growth of a counter; 0 if it is unknown or has fallen.
func growth(before, now model.Int) int {
	a, okA := before.Get()
	b, okB := now.Get()
	if !okA || !okB || b < a {
		return 0
	}
	return int(min(b-a, maxCallers))
}

// judgeMeaning evaluates what the field shows about its meaning. l.calls still holds
// the previous figures.
func (l *serviceState) judgeMeaning(c *model.ServiceCalls, now time.Time) {
	queued := c.QueuedCalls.Or(0)
	v, known := c.MaxTimeCallOnQueue.Get()
	was, knew := l.calls.MaxTimeCallOnQueue.Get()
	if known && knew && v < was && c.ReceivedCalls.Or(0) >= l.calls.ReceivedCalls.Or(0) {
		l.fellAt = now
	}
	if c.ReceivedCalls.Or(0) < l.calls.ReceivedCalls.Or(0) { // the daily reset
		l.fellAt = time.Time{}
		l.evidence.current, l.evidence.daily = false, false
	}
	if !l.fellAt.IsZero() && now.Sub(l.fellAt) >= fallDelay {
		l.evidence.falls++
		l.fellAt = time.Time{}
	}
	average := c.AverageTimeOnQueue.Or(0)
	switch {
	case queued == 0:
		l.excessCounted, l.excessSince, l.unchangedSince = false, time.Time{}, time.Time{}
		if known && v > 0 {
			l.evidence.daily = true
		} else if average >= 1 && c.AnsweredCalls.Or(0) > 0 {
			l.evidence.current = true // a maximum cannot be below the average
		}
	case known:
		l.evidence.current = l.evidence.current || average >= 1 && float64(v) < average-1
		l.judgeWaiting(time.Duration(v)*time.Second, v == was && knew, now)
	}
	l.climb.observe(v, known && queued > 0, now)
}

// judgeWaiting evaluates the field while a caller waits.
func (l *serviceState) judgeWaiting(value time.Duration, unchanged bool, now time.Time) {
	if !unchanged || l.unchangedSince.IsZero() {
		l.unchangedSince = now
	}
	if now.Sub(l.unchangedSince) >= maxUnchanged {
		l.evidence.daily = true
	}
	if l.emptyAt.IsZero() || value <= now.Sub(l.emptyAt)+counterSlack {
		l.excessSince = time.Time{}
		return
	}
	if l.excessSince.IsZero() {
		l.excessSince = now
	}
	if !l.excessCounted && now.Sub(l.excessSince) >= counterSlack {
		l.excessCounted = true
		l.evidence.excesses++
	}
}

// contradicts reports whether the field cannot be the current wait at present.
func (l *serviceState) contradicts() bool {
	return !l.excessSince.IsZero() && l.updatedAt.Sub(l.excessSince) >= counterSlack
}

// wait returns the estimate and its bounds, without Meaning.
func (l *serviceState) wait(now time.Time) model.Wait {
	var w model.Wait
	if l.calls.QueuedCalls.Or(0) <= 0 {
		return w
	}
	head := func(g guess) caller {
		if cs := l.queues[g].callers; len(cs) > 0 {
			return cs[0]
		}
		return caller{arrivedAfter: l.emptyAt, arrivedBefore: now}
	}
	low, best, high := head(oldest), head(likeliest), head(youngest)
	least := max(now.Sub(low.arrivedBefore), 0)
	most, bounded := now.Sub(high.arrivedAfter), !high.arrivedAfter.IsZero()
	if high.arrivedAfter.IsZero() && !l.emptyAt.IsZero() {
		most, bounded = now.Sub(l.emptyAt), true
	}
	estimate := max(now.Sub(best.arrivedBefore), least)
	if bounded {
		most = max(most, least)
		estimate = min(estimate, most)
		w.AtMost = seconds(most)
	}
	w.For, w.AtLeast = seconds(estimate), seconds(least)
	return w
}

func seconds(d time.Duration) model.Int { return model.IntOf(int64(d / time.Second)) }

// climb detects a field that grows as fast as time passes. If a caller waits meanwhile, the value
// is the longest current wait, whatever else the field means.
type climb struct {
	firstAt, lastAt   time.Time // time of the first and of the newest value
	firstValue, value int64
}

// Limits of a climb: how far the growth of the field may differ from the time passed, its minimum
// length, and how long ago the last change may be.
const (
	climbSlack    = 1200 * time.Millisecond
	minClimb      = 1800 * time.Millisecond
	maxClimbPause = 1600 * time.Millisecond
)

func (c *climb) observe(value int64, waiting bool, now time.Time) {
	switch {
	case !waiting:
		*c = climb{}
	case c.lastAt.IsZero():
		*c = climb{firstAt: now, lastAt: now, firstValue: value, value: value}
	case value == c.value:
		if now.Sub(c.lastAt) > maxClimbPause {
			*c = climb{firstAt: now, lastAt: now, firstValue: value, value: value}
		}
	default:
		grown := time.Duration(value-c.firstValue) * time.Second
		if (grown - now.Sub(c.firstAt)).Abs() > climbSlack {
			*c = climb{firstAt: now, lastAt: now, firstValue: value, value: value}
			return
		}
		c.lastAt, c.value = now, value
	}
}

// arrival returns when the longest-waiting caller arrived, if the field has just shown it.
func (c *climb) arrival(now time.Time) (time.Time, bool) {
	if c.lastAt.Sub(c.firstAt) < minClimb || c.value-c.firstValue < 2 || !c.lastAt.Equal(now) {
		return time.Time{}, false
	}
	return c.lastAt.Add(-time.Duration(c.value) * time.Second), true
}
