package dialect

import (
	"slices"
	"time"
)

const (
	// maxCallers limits how many callers are tracked per queue.
	maxCallers = 2000
	// maxRinging limits how long a contact rings at an agent before the contact is answered or
	// returns to the queue.
	maxRinging = 30 * time.Second
	// maxReturnDelay limits how long after leaving the queue a caller may return to it because the
	// agent did not answer.
	maxReturnDelay = time.Minute
)

// caller is a waiting caller. The time of arrival is known only to lie between two observations.
type caller struct {
	arrivedAfter, arrivedBefore time.Time // bounds of the time of arrival; arrivedAfter is zero for callers who waited before the first observation
	mayBeRinging                bool      // an agent was ready on arrival, so the call may be ringing
}

// leaverAssumption is an assumption about which caller left a queue. It is necessary because the counters only
// show how many callers left.
type leaverAssumption uint8

const (
	leaverOldest leaverAssumption = iota // the longest waiting caller: yields the shortest waits
	leaverLikeliest
	leaverYoungest // the caller who arrived last, if that is possible: yields the longest waits
)

// queueStep holds the changes of a queue between two observations.
type queueStep struct {
	previousAt, now time.Time // times of the two observations
	length          int       // current length of the queue
	arrived         int       // number of arrivals, from a counter
	abandoned       int       // number of callers who hung up or were rejected, from counters; they are no longer in the queue
	agentReady      bool      // an agent was ready at the first observation
	emptyAt         time.Time // when the queue was last seen empty
}

// queue holds the waiting callers of a service, oldest first, under one assumption about which
// caller leaves.
type queue struct {
	assumption leaverAssumption
	callers    []caller
	lastLeft   caller    // the last caller who left
	leftAt     time.Time // when lastLeft left; zero: lastLeft cannot return
}

// applyStep applies a step. It adds the callers who arrived and then removes callers until the queue
// has the right length.
func (q *queue) applyStep(s queueStep) {
	returned := max(s.length-len(q.callers)-s.arrived, 0)
	for range min(s.arrived, maxCallers) {
		q.callers = append(q.callers, caller{arrivedAfter: s.previousAt, arrivedBefore: s.now, mayBeRinging: s.agentReady})
	}
	for range min(returned, maxCallers) {
		q.addReturned(s)
	}
	for abandoned := s.abandoned; len(q.callers) > s.length; abandoned-- {
		q.removeCaller(s, abandoned > 0)
	}
	if n := len(q.callers); n > maxCallers {
		q.callers = slices.Delete(q.callers, 1, n-maxCallers+1) // keep the first caller, who determines the wait
	}
}

// addReturned adds a caller whose arrival no counter shows: the agent did not answer and the caller
// returned to the queue, or the caller was transferred from another service.
func (q *queue) addReturned(s queueStep) {
	switch {
	case q.assumption == leaverOldest:
		q.callers = append(q.callers, caller{arrivedAfter: s.previousAt, arrivedBefore: s.now})
	case q.assumption == leaverYoungest:
		q.callers = slices.Insert(q.callers, 0, caller{arrivedAfter: s.emptyAt, arrivedBefore: s.now})
	case !q.leftAt.IsZero() && s.now.Sub(q.leftAt) < maxReturnDelay:
		q.callers = slices.Insert(q.callers, 0, q.lastLeft)
		q.leftAt = time.Time{}
	default:
		q.callers = append(q.callers, caller{arrivedAfter: s.previousAt, arrivedBefore: s.now})
	}
}

// removeCaller removes the caller who left under the queue's assumption. abandoned reports whether
// the counters show that the caller hung up or was rejected.
func (q *queue) removeCaller(s queueStep, abandoned bool) {
	i := 0
	switch last := len(q.callers) - 1; q.assumption {
	case leaverOldest:
	case leaverLikeliest:
		switch {
		case abandoned && last > 1:
			i = last / 2
		case !abandoned:
			i = q.offeredIndex(s.now)
		}
	case leaverYoungest:
		if offered := q.offeredIndex(s.now); abandoned || s.agentReady || offered > 0 {
			i = last
		}
	}
	q.lastLeft, q.leftAt = q.callers[i], s.now
	q.callers = slices.Delete(q.callers, i, i+1)
}

// offeredIndex returns the index of the first caller whose call may be ringing at an agent, or 0 if
// there is none.
func (q *queue) offeredIndex(now time.Time) int {
	for i, c := range q.callers {
		if c.mayBeRinging && now.Sub(c.arrivedBefore) < maxRinging {
			return i
		}
	}
	return 0
}
