package rewind

import "context"

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
