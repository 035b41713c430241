package counters

import (
	"time"

	"wallboard/model"
)

const (
	// slack is how much the field may exceed the time since the queue was
	// empty: both are in whole seconds, and their updates may arrive
	// separately.
	slack = 3 * time.Second
	// maxUnchanged is how long the field may stay the same while a caller waits. A
	// current wait grows every second.
	maxUnchanged = 4 * time.Second
	// fallDelay is the delay before a fall of the field counts: at the daily
	// reset the other counters fall, too.
	fallDelay = 2 * time.Second
)

// serviceState is the state of one service on one channel.
type serviceState struct {
	seen    time.Time // last call of update; zero before the first
	calls   model.ServiceCalls
	ready   int64
	emptied time.Time // when the queue was last seen empty; zero: never
	guesses [3]queue

	climb          climb
	unchangedSince time.Time // since when the field has not changed while a caller waits
	excessSince    time.Time // since when the field exceeds the time since the queue was empty
	excessCounted  bool      // the excess was counted
	fellAt         time.Time // when the field fell; zero: none pending
	signs          signs
}

// signs counts what one service shows about the meaning of the field.
type signs struct {
	falls, excesses int
	current, daily  bool // seen at least once
}

func newServiceState() *serviceState {
	l := &serviceState{}
	for g := range l.guesses {
		l.guesses[g].guess = guess(g)
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
	s := queueStep{before: l.seen, now: now, length: int(min(queued, maxCallers)), ready: l.ready > 0, floor: l.emptied}
	if !l.seen.IsZero() {
		s.came = growth(l.calls.ReceivedCalls, c.ReceivedCalls)
		s.abandoned = growth(l.calls.HangupCalls, c.HangupCalls) + growth(l.calls.ClosedCalls, c.ClosedCalls)
	}
	if l.seen.IsZero() || c.QueuedCalls != l.calls.QueuedCalls || s.came > 0 {
		for g := range l.guesses {
			l.guesses[g].apply(s)
		}
	}
	if queued == 0 {
		l.emptied = now
	}
	l.judgeMeaning(c, now)
	if left := int(l.calls.QueuedCalls.Or(0)) + s.came - s.length; left <= 0 {
		l.applyClimb(now)
	}
	l.calls, l.ready, l.seen = *c, ready.Or(0), now
}

// applyClimb sets when the longest waiting caller arrived, if the field shows
// it.
func (l *serviceState) applyClimb(now time.Time) {
	at, ok := l.climb.arrival(now)
	if !ok || at.Before(l.emptied.Add(-slack)) {
		return
	}
	for g := range l.guesses {
		if q := &l.guesses[g]; len(q.callers) > 0 {
			q.callers[0].from, q.callers[0].to = at, at
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
	if c.ReceivedCalls.Or(0) < l.calls.ReceivedCalls.Or(0) { // a new day
		l.fellAt = time.Time{}
		l.signs.current, l.signs.daily = false, false
	}
	if !l.fellAt.IsZero() && now.Sub(l.fellAt) >= fallDelay {
		l.signs.falls++
		l.fellAt = time.Time{}
	}
	average := c.AverageTimeOnQueue.Or(0)
	switch {
	case queued == 0:
		l.excessCounted, l.excessSince, l.unchangedSince = false, time.Time{}, time.Time{}
		if known && v > 0 {
			l.signs.daily = true
		} else if average >= 1 && c.AnsweredCalls.Or(0) > 0 {
			l.signs.current = true // a maximum cannot be below the average
		}
	case known:
		l.signs.current = l.signs.current || average >= 1 && float64(v) < average-1
		l.judgeWaiting(time.Duration(v)*time.Second, v == was && knew, now)
	}
	l.climb.observe(v, known && queued > 0, now)
}

// judgeWaiting evaluates the field while a caller waits.
func (l *serviceState) judgeWaiting(v time.Duration, rests bool, now time.Time) {
	if !rests || l.unchangedSince.IsZero() {
		l.unchangedSince = now
	}
	if now.Sub(l.unchangedSince) >= maxUnchanged {
		l.signs.daily = true
	}
	if l.emptied.IsZero() || v <= now.Sub(l.emptied)+slack {
		l.excessSince = time.Time{}
		return
	}
	if l.excessSince.IsZero() {
		l.excessSince = now
	}
	if !l.excessCounted && now.Sub(l.excessSince) >= slack {
		l.excessCounted = true
		l.signs.excesses++
	}
}

// contradicts reports whether the field cannot be the current wait at present.
func (l *serviceState) contradicts() bool {
	return !l.excessSince.IsZero() && l.seen.Sub(l.excessSince) >= slack
}

// wait returns the estimate and its bounds, without Meaning.
func (l *serviceState) wait(now time.Time) model.Wait {
	var w model.Wait
	if l.calls.QueuedCalls.Or(0) <= 0 {
		return w
	}
	head := func(g guess) caller {
		if cs := l.guesses[g].callers; len(cs) > 0 {
			return cs[0]
		}
		return caller{from: l.emptied, to: now}
	}
	low, best, high := head(oldest), head(likeliest), head(youngest)
	least := max(now.Sub(low.to), 0)
	most, bounded := now.Sub(high.from), !high.from.IsZero()
	if high.from.IsZero() && !l.emptied.IsZero() {
		most, bounded = now.Sub(l.emptied), true
	}
	estimate := max(now.Sub(best.to), least)
	if bounded {
		most = max(most, least)
		estimate = min(estimate, most)
		w.AtMost = seconds(most)
	}
	w.For, w.AtLeast = seconds(estimate), seconds(least)
	return w
}

func seconds(d time.Duration) model.Int { return model.IntOf(int64(d / time.Second)) }

// climb detects a field that grows as fast as time passes. While a caller
// waits, its value then is the longest current wait, whatever it means
// otherwise.
type climb struct {
	from, last time.Time // time of the first and of the newest value
	first, v   int64
}

// Limits for the difference between the growth of the field and the time
// passed, for the length of a climb, and for the time since the last change.
const (
	climbSlack = 1200 * time.Millisecond
	climbLeast = 1800 * time.Millisecond
	climbRest  = 1600 * time.Millisecond
)

func (c *climb) observe(v int64, waiting bool, now time.Time) {
	switch {
	case !waiting:
		*c = climb{}
	case c.last.IsZero():
		*c = climb{from: now, last: now, first: v, v: v}
	case v == c.v:
		if now.Sub(c.last) > climbRest {
			*c = climb{from: now, last: now, first: v, v: v}
		}
	default:
		grown := time.Duration(v-c.first) * time.Second
		if (grown - now.Sub(c.from)).Abs() > climbSlack {
			*c = climb{from: now, last: now, first: v, v: v}
			return
		}
		c.last, c.v = now, v
	}
}

// arrival returns when the longest waiting caller arrived, if the field has just
// shown it.
func (c *climb) arrival(now time.Time) (time.Time, bool) {
	if c.last.Sub(c.from) < climbLeast || c.v-c.first < 2 || !c.last.Equal(now) {
		return time.Time{}, false
	}
	return c.last.Add(-time.Duration(c.v) * time.Second), true
}
