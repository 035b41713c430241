package rewind

import (
	"context"
	"time"
)

// Queue has those who go through a recording beside others look back one after another: what
// led to an instant takes a whole engine, and on a large floor a hundred megabytes. A nil one
// lets everybody look at once.
type Queue chan struct{}

// NewQueue returns a queue in which nobody waits.
func NewQueue() Queue { return make(Queue, 1) }

// Enter waits until nobody else looks back. Then done has to be called; nil: the context
// ended first.
func (q Queue) Enter(ctx context.Context) (done func()) {
	if q == nil {
		return func() {}
	}
	select {
	case q <- struct{}{}:
		return func() { <-q }
	case <-ctx.Done():
		return nil
	}
}

// Rest is until when somebody does nothing who is not to keep others waiting.
type Rest struct{ until time.Time }

// After has them rest so many times as long as something took that began then, and for a
// while at least.
func (r *Rest) After(begun time.Time, times int, least time.Duration) {
	now := time.Now()
	r.until = now.Add(max(time.Duration(times)*now.Sub(begun), least))
}

// Left is how long they still rest; 0 or less: they do not.
func (r *Rest) Left() time.Duration { return time.Until(r.until) }
