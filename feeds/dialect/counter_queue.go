package dialect

import (
	"slices"
	"time"
)

const (
	// maxCallers limits the callers followed per queue.
	maxCallers = 2000
	// maxRinging is how long a contact may ring at an agent before it is answered or goes back to
	// the queue.
	maxRinging = 30 * time.Second
	// maxReturnDelay is how soon after leaving the queue a caller may return to
	// it because no agent answered.
	maxReturnDelay = time.Minute
)

// caller is a waiting caller.
type caller struct {
	arrivedAfter, arrivedBefore time.Time // arrivedAfter is zero for callers who waited before the first observation
	mayBeRinging                bool      // an agent was ready on arrival
}

// guess is an assumption about which caller has left a queue.
type guess uint8

const (
	oldestLeft guess = iota // the longest waiting: yields the shortest waits
	likeliestLeft
	youngestLeft // the last to arrive, if possible: yields the longest waits
)

// queueStep describes the changes of a queue between two calls of update.
type queueStep struct {
	previousAt, now time.Time // times of the two calls
	length          int       // current length of the queue
	arrived         int       // arrivals, from the counter
	abandoned       int       // abandoned calls, from the counters; they are among the callers who left
	agentReady      bool      // an agent was ready at the first call
	emptyAt         time.Time // when the queue was last seen empty
}

// queue holds the waiting callers under one assumption, oldest first.
type queue struct {
	guess    guess
	callers  []caller
	lastLeft caller    // the last caller who left
	leftAt   time.Time // when that was; zero: none can return
}

// apply applies a step.
func (q *queue) apply(s queueStep) {
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
		q.callers = slices.Delete(q.callers, 1, n-maxCallers+1) // the first one determines the wait
	}
}

// addReturned adds a caller whom no counter announced: one who returned because no agent answered,
// or one transferred from another service.
func (q *queue) addReturned(s queueStep) {
	switch {
	case q.guess == oldestLeft:
		q.callers = append(q.callers, caller{arrivedAfter: s.previousAt, arrivedBefore: s.now})
	case q.guess == youngestLeft:
		q.callers = slices.Insert(q.callers, 0, caller{arrivedAfter: s.emptyAt, arrivedBefore: s.now})
	case !q.leftAt.IsZero() && s.now.Sub(q.leftAt) < maxReturnDelay:
		q.callers = slices.Insert(q.callers, 0, q.lastLeft)
		q.leftAt = time.Time{}
	default:
		q.callers = append(q.callers, caller{arrivedAfter: s.previousAt, arrivedBefore: s.now})
	}
}

// removeCaller removes one caller. abandoned reports whether the counters show that the
// caller hung up or was rejected.
func (q *queue) removeCaller(s queueStep, abandoned bool) {
	i := 0
	switch last := len(q.callers) - 1; q.guess {
	case oldestLeft:
	case likeliestLeft:
		switch {
		case abandoned && last > 1:
			i = last / 2
		case !abandoned:
			i = q.offeredIndex(s.now)
		}
	case youngestLeft:
		if offered := q.offeredIndex(s.now); abandoned || s.agentReady || offered > 0 {
			i = last
		}
	}
	q.lastLeft, q.leftAt = q.callers[i], s.now
	q.callers = slices.Delete(q.callers, i, i+1)
}

// offeredIndex returns the index of the caller who may be ringing at an agent, 0 if
// none.
func (q *queue) offeredIndex(now time.Time) int {
	for i, c := range q.callers {
		if c.mayBeRinging && now.Sub(c.arrivedBefore) < maxRinging {
			return i
		}
	}
	return 0
}
