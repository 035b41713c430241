package rewind

import (
	"context"
	"slices"
	"sync"
	"time"
)

// Queue has those who go through a recording beside others look back one after another: what
// led to an instant takes a whole engine, and on a large floor a hundred megabytes. What
// somebody waits for comes before what is only for charts, and each in the order in which it
// came. A nil one lets everybody look at once. It is safe for concurrent use.
type Queue struct {
	after func(now time.Time) time.Duration

	mu     sync.Mutex
	busy   bool
	urgent []chan struct{} // closed when it is their turn
	charts []chan struct{}
}

// NewQueue returns a queue in which nobody waits. While the boards beside are drawn nobody is
// to be shown another picture: after tells how long that still lasts, 0 for as long as they
// are not; nil: always.
func NewQueue(after func(now time.Time) time.Duration) *Queue { return &Queue{after: after} }

// After is how long the boards beside are still drawn, 0 for not at all.
func (q *Queue) After(now time.Time) time.Duration {
	if q == nil || q.after == nil {
		return 0
	}
	return q.after(now)
}

// Turn is the time in which somebody alone looks back. It belongs to one goroutine.
type Turn struct {
	queue *Queue          // nil: there is nobody beside, or it is over
	ctx   context.Context //nolint:containedctx // of who looks back
}

// Urgent waits until nobody else looks back, for what somebody waits for. Then [Turn.End] has
// to be called; nil: the context ended first.
func (q *Queue) Urgent(ctx context.Context) *Turn { return q.enter(ctx, true) }

// Charts waits, too, until nothing is urgent.
func (q *Queue) Charts(ctx context.Context) *Turn { return q.enter(ctx, false) }

func (q *Queue) enter(ctx context.Context, urgent bool) *Turn {
	t := &Turn{q, ctx}
	if q == nil {
		return t
	}
	q.mu.Lock()
	if !q.busy {
		q.busy = true
		q.mu.Unlock()
		return t
	}
	line, next := &q.charts, make(chan struct{})
	if urgent {
		line = &q.urgent
	}
	*line = append(*line, next)
	q.mu.Unlock()
	if !q.comes(ctx, next) {
		return nil
	}
	return t
}

// comes reports whether it becomes somebody's turn before their context ends.
func (q *Queue) comes(ctx context.Context, next chan struct{}) bool {
	select {
	case <-next:
		return true
	case <-ctx.Done():
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, line := range []*[]chan struct{}{&q.urgent, &q.charts} {
		if i := slices.Index(*line, next); i >= 0 {
			*line = slices.Delete(*line, i, i+1)
			return false
		}
	}
	q.next() // it has come meanwhile
	return false
}

// next lets the next one look back. Who calls holds the lock, and has the turn.
func (q *Queue) next() {
	line := &q.urgent
	if len(*line) == 0 {
		line = &q.charts
	}
	if len(*line) == 0 {
		q.busy = false
		return
	}
	close((*line)[0])
	*line = slices.Delete(*line, 0, 1)
}

// GiveWay lets those look back first who wait for what is urgent, and goes on after them. It
// reports whether the context has not ended. Nothing that they need may be held meanwhile.
func (t *Turn) GiveWay() bool {
	q := t.queue
	if q == nil {
		return t.ctx.Err() == nil
	}
	q.mu.Lock()
	if len(q.urgent) == 0 {
		q.mu.Unlock()
		return t.ctx.Err() == nil
	}
	next := make(chan struct{})
	q.charts = slices.Insert(q.charts, 0, next)
	q.next()
	q.mu.Unlock()
	if !q.comes(t.ctx, next) {
		t.queue = nil
		return false
	}
	return true
}

// End lets the next one look back.
func (t *Turn) End() {
	if t.queue == nil {
		return
	}
	t.queue.mu.Lock()
	defer t.queue.mu.Unlock()
	t.queue.next()
	t.queue = nil
}
