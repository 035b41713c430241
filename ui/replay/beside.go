package replay

import (
	"context"
	"slices"
	"sync"
	"time"
)

// Queue lets one viewer at a time evaluate the past of a recording on a server: the
// evaluation needs its own engine, on a large floor a hundred megabytes. Urgent requests,
// which a viewer waits for, come before those for charts; each kind is first in, first out.
// A nil Queue does not limit. It is safe for concurrent use.
type Queue struct {
	after func(now time.Time) time.Duration

	mu     sync.Mutex
	busy   bool
	urgent []chan struct{} // closed when it is the request's turn
	charts []chan struct{}
}

// NewQueue returns an empty queue. after returns how long the server is still busy with
// drawing live boards, 0 if it is not; replays do not step during that time. nil means
// never.
func NewQueue(after func(now time.Time) time.Duration) *Queue { return &Queue{after: after} }

// After returns how long live boards are still being drawn, 0 for none.
func (q *Queue) After(now time.Time) time.Duration {
	if q == nil || q.after == nil {
		return 0
	}
	return q.after(now)
}

// Turn is the exclusive right to evaluate. It belongs to one goroutine.
type Turn struct {
	queue *Queue          // nil: no queue, or ended
	ctx   context.Context //nolint:containedctx // of the request
}

// Urgent waits for a turn with priority. The caller has to call [Turn.End]. It returns nil
// if ctx ends first.
func (q *Queue) Urgent(ctx context.Context) *Turn { return q.enter(ctx, true) }

// Charts waits for a turn without priority.
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

// comes reports whether the turn comes before ctx ends.
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
	q.next() // the turn came in the meantime: pass it on
	return false
}

// next passes the turn on. The caller has the turn and holds the lock.
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

// GiveWay lets urgent requests go first and continues afterwards. It reports whether the
// context is still alive. The caller must hold no resource that they need.
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

// End passes the turn on.
func (t *Turn) End() {
	if t.queue == nil {
		return
	}
	t.queue.mu.Lock()
	defer t.queue.mu.Unlock()
	t.queue.next()
	t.queue = nil
}
