package counters

import (
	"slices"
	"time"
)

const (
	// maxCallers limits the callers followed per queue.
	maxCallers = 2000
	// maxOffer is the longest time that a caller rings before the offer is
	// answered or withdrawn.
	maxOffer = 30 * time.Second
	// returnsWithin is how soon after leaving the queue a caller may return to
	// it because no agent answered.
	returnsWithin = time.Minute
)

// caller is a waiting caller who arrived between two calls of update.
type caller struct {
	from, to time.Time // from is zero: before the first look
	offered  bool      // an agent was ready on arrival
}

// guess is an assumption about which caller has left a queue.
type guess uint8

const (
	oldest guess = iota // the longest waiting: yields the shortest waits
	likeliest
	youngest // the last to arrive, if possible: yields the longest waits
)

// queueStep describes the changes of a queue between two calls of update.
type queueStep struct {
	before, now time.Time
	length      int // present length of the queue
	came        int // according to the counter
	abandoned   int // according to the counters, part of those who left
	ready       bool
	floor       time.Time // when the queue was last seen empty
}

// queue holds the waiting callers under one assumption, oldest first.
type queue struct {
	guess    guess
	callers  []caller
	lastLeft caller // the last caller who left
	leftAt   time.Time
}

// apply applies a step.
func (q *queue) apply(s queueStep) {
	back := max(s.length-len(q.callers)-s.came, 0)
	for range min(s.came, maxCallers) {
		q.callers = append(q.callers, caller{from: s.before, to: s.now, offered: s.ready})
	}
	for range min(back, maxCallers) {
		q.addReturned(s)
	}
	for abandoned := s.abandoned; len(q.callers) > s.length; abandoned-- {
		q.leave(s, abandoned > 0)
	}
	if n := len(q.callers); n > maxCallers {
		q.callers = slices.Delete(q.callers, 1, n-maxCallers+1) // the first one determines the wait
	}
}

// addReturned adds a caller whom no counter announced: one whose offer was not
// answered, or one transferred from another service.
func (q *queue) addReturned(s queueStep) {
	switch {
	case q.guess == oldest:
		q.callers = append(q.callers, caller{from: s.before, to: s.now})
	case q.guess == youngest:
		q.callers = slices.Insert(q.callers, 0, caller{from: s.floor, to: s.now})
	case !q.leftAt.IsZero() && s.now.Sub(q.leftAt) < returnsWithin:
		q.callers = slices.Insert(q.callers, 0, q.lastLeft)
		q.leftAt = time.Time{}
	default:
		q.callers = append(q.callers, caller{from: s.before, to: s.now})
	}
}

// leave removes one caller.
func (q *queue) leave(s queueStep, abandoned bool) {
	i := 0
	switch last := len(q.callers) - 1; q.guess {
	case oldest:
	case likeliest:
		switch {
		case abandoned && last > 1:
			i = last / 2
		case !abandoned:
			i = q.offered(s.now)
		}
	case youngest:
		if offered := q.offered(s.now); abandoned || s.ready || offered > 0 {
			i = last
		}
	}
	q.lastLeft, q.leftAt = q.callers[i], s.now
	q.callers = slices.Delete(q.callers, i, i+1)
}

// offered returns the index of the caller who may be ringing at an agent, 0 if
// none.
func (q *queue) offered(now time.Time) int {
	for i, c := range q.callers {
		if c.offered && now.Sub(c.to) < maxOffer {
			return i
		}
	}
	return 0
}
