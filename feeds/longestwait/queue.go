package longestwait

import (
	"slices"
	"time"
)

const (
	// maxCallers bounds how many callers of a queue are followed.
	maxCallers = 2000
	// offerLasts is how long a caller rings at most before the offer is answered
	// or withdrawn.
	offerLasts = 30 * time.Second
	// returnsWithin is how long after leaving the queue a caller may be put back
	// into it, because no agent has answered.
	returnsWithin = time.Minute
)

// caller is a caller who waits. The caller came between two looks.
type caller struct {
	from, to time.Time // a zero from: before the first look
	offered  bool      // an agent was ready when the caller came
}

// guess is an assumption about which caller has left a queue.
type guess uint8

const (
	oldest guess = iota // the one who has waited longest: the waits come out shortest
	likeliest
	youngest // the one who came last, where it may be: the waits come out longest
)

// step is what happened to a queue between two looks.
type step struct {
	before, now time.Time
	length      int // of the queue now
	came        int // by the counter
	abandoned   int // by the counters, of those who left
	ready       bool
	floor       time.Time // when the queue was last seen empty
}

// queue holds the callers who wait, under one assumption. The oldest is first.
type queue struct {
	guess   guess
	callers []caller
	left    caller // the last one who left
	leftAt  time.Time
}

// take follows a step.
func (q *queue) take(s step) {
	back := max(s.length-len(q.callers)-s.came, 0)
	for range min(s.came, maxCallers) {
		q.callers = append(q.callers, caller{from: s.before, to: s.now, offered: s.ready})
	}
	for range min(back, maxCallers) {
		q.takeBack(s)
	}
	for abandoned := s.abandoned; len(q.callers) > s.length; abandoned-- {
		q.leave(s, abandoned > 0)
	}
	if n := len(q.callers); n > maxCallers {
		q.callers = slices.Delete(q.callers, 1, n-maxCallers+1) // the first one is what counts
	}
}

// takeBack adds a caller whom no counter has announced: one who was offered to an
// agent and not answered, or one whom another service has sent.
func (q *queue) takeBack(s step) {
	switch {
	case q.guess == oldest:
		q.callers = append(q.callers, caller{from: s.before, to: s.now})
	case q.guess == youngest:
		q.callers = slices.Insert(q.callers, 0, caller{from: s.floor, to: s.now})
	case !q.leftAt.IsZero() && s.now.Sub(q.leftAt) < returnsWithin:
		q.callers = slices.Insert(q.callers, 0, q.left)
		q.leftAt = time.Time{}
	default:
		q.callers = append(q.callers, caller{from: s.before, to: s.now})
	}
}

// leave takes one caller out.
func (q *queue) leave(s step, abandoned bool) {
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
	q.left, q.leftAt = q.callers[i], s.now
	q.callers = slices.Delete(q.callers, i, i+1)
}

// offered returns the caller who may ring at an agent, the first one if there is
// none.
func (q *queue) offered(now time.Time) int {
	for i, c := range q.callers {
		if c.offered && now.Sub(c.to) < offerLasts {
			return i
		}
	}
	return 0
}
