package replay

import (
	"context"
	"slices"
	"sync"
	"time"
)

// EvaluationQueue lets one viewer at a time evaluate recorded snapshots on a server, because each
// evaluation needs its own engine, which takes a hundred megabytes on a large floor. Urgent
// requests, which a viewer is waiting for, precede requests for charts. Requests of the same kind
// are served in the order of arrival. A nil EvaluationQueue does not limit evaluations. An
// EvaluationQueue is safe for concurrent use.
type EvaluationQueue struct {
	busyFor func(now time.Time) time.Duration

	mu     sync.Mutex
	busy   bool            // a request has the turn
	urgent []chan struct{} // waiting urgent requests; each channel is closed when its request gets the turn
	charts []chan struct{}
}

// NewQueue returns an empty queue. busyFor returns how long the server will be busy drawing live
// boards, or 0. While the server is busy, replays do not move. A nil busyFor means that the server
// is never busy.
func NewQueue(busyFor func(now time.Time) time.Duration) *EvaluationQueue {
	return &EvaluationQueue{busyFor: busyFor}
}

// BusyFor returns how long the server will be busy drawing live boards, or 0 if it is not busy.
func (q *EvaluationQueue) BusyFor(now time.Time) time.Duration {
	if q == nil || q.busyFor == nil {
		return 0
	}
	return q.busyFor(now)
}

// QueueTurn is the exclusive right to evaluate recorded snapshots. Only one goroutine may use
// a QueueTurn.
type QueueTurn struct {
	queue *EvaluationQueue // nil: there is no queue, or the turn has ended
	ctx   context.Context  //nolint:containedctx // of the request
}

// WaitUrgent waits for a turn, before all requests for charts. It returns nil if ctx ends first.
// Otherwise the caller must call [QueueTurn.Release].
func (q *EvaluationQueue) WaitUrgent(ctx context.Context) *QueueTurn { return q.requestTurn(ctx, true) }

// WaitCharts is like WaitUrgent, but waits until there are no urgent requests.
func (q *EvaluationQueue) WaitCharts(ctx context.Context) *QueueTurn {
	return q.requestTurn(ctx, false)
}

func (q *EvaluationQueue) requestTurn(ctx context.Context, urgent bool) *QueueTurn {
	t := &QueueTurn{q, ctx}
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
	if !q.waitTurn(ctx, next) {
		return nil
	}
	return t
}

// waitTurn waits until next is closed. If ctx ends first, it withdraws the request and returns
// false.
func (q *EvaluationQueue) waitTurn(ctx context.Context, next chan struct{}) bool {
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
	q.passTurn() // ctx has ended, but the request has just got the turn
	return false
}

// passTurn passes the turn to the next waiting request, if there is one. The caller must have the
// turn and hold q.mu.
func (q *EvaluationQueue) passTurn() {
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

// Yield lets the waiting urgent requests go first and then waits for the turn again. It returns
// false if the context of the turn has ended. The caller must not hold a resource that urgent
// requests need.
func (t *QueueTurn) Yield() bool {
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
	q.passTurn()
	q.mu.Unlock()
	if !q.waitTurn(t.ctx, next) {
		t.queue = nil
		return false
	}
	return true
}

// Release passes the turn to the next request.
func (t *QueueTurn) Release() {
	if t.queue == nil {
		return
	}
	t.queue.mu.Lock()
	defer t.queue.mu.Unlock()
	t.queue.passTurn()
	t.queue = nil
}
