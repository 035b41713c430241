package rtd

import (
	"context"
	"slices"
	"sync"
	"time"

	"wallboard/simulator/world"
)

// subscription is one consumer of a table. What it did not take yet waits in
// pending, at most one entry per record, so that a slow consumer costs bounded
// memory and still misses nothing.
type subscription[R, V any] struct {
	table  *table[R, V]
	sel    selection[R]
	limit  int           // records per message; 0 is no bound
	gather time.Duration // between two messages at least, from the beginning on; 0 is at once
	wake   chan struct{} // holds a token while something is pending

	mu      sync.Mutex
	pending map[world.Key]*pending[R, V]
	order   []world.Key // of pending, oldest first
}

// pending is the way of one record from what the consumer has of it to what it
// is now. shared is the update between the two where somebody computed it.
type pending[R, V any] struct {
	base, now *R
	shared    *V
}

// push queues changes.
func (s *subscription[R, V]) push(changes []change[R, V]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range changes {
		if p, ok := s.pending[c.key]; ok {
			p.now, p.shared = c.cur, nil
			continue
		}
		if !s.has(c.old) && !s.has(c.cur) {
			continue
		}
		s.pending[c.key] = &pending[R, V]{c.old, c.cur, c.delta}
		s.order = append(s.order, c.key)
	}
	s.signal()
}

// signal wakes the consumer when something is pending. The caller holds mu.
func (s *subscription[R, V]) signal() {
	if len(s.order) == 0 {
		return
	}
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

func (s *subscription[R, V]) has(r *R) bool { return r != nil && s.sel.match(r) }

// take returns the views of what is pending, up to the limit.
func (s *subscription[R, V]) take() []*V {
	s.mu.Lock()
	n := len(s.order)
	if s.limit > 0 {
		n = min(n, s.limit)
	}
	batch := make([]*pending[R, V], n)
	for i, k := range s.order[:n] {
		batch[i] = s.pending[k]
		delete(s.pending, k)
	}
	s.order = slices.Delete(s.order, 0, n)
	s.signal()
	s.mu.Unlock()

	views := make([]*V, 0, n)
	for _, p := range batch {
		if v := s.show(p); v != nil {
			views = append(views, v)
		}
	}
	return views
}

// show returns the view that brings the consumer from base to now, nil when
// there is nothing to say. A record that comes under the filter is sent whole.
func (s *subscription[R, V]) show(p *pending[R, V]) *V {
	had, has := s.has(p.base), s.has(p.now)
	switch {
	case has && !had && s.table.style.bareArrivals:
		return bare(p.now, s.table.fill)
	case has && !had:
		return view(s.table.style, nil, s.sel.of(p.now), s.table.fill)
	case has && p.shared != nil && s.sel.project == nil:
		return p.shared
	case has:
		return view(s.table.style, s.sel.of(p.base), s.sel.of(p.now), s.table.fill)
	case had && s.table.gone != nil:
		return s.table.gone(p.base)
	}
	return nil
}

// run delivers until ctx is done and then closes out. opening, when there is
// one, goes first, even if it is empty.
func (s *subscription[R, V]) run(ctx context.Context, opening *[]*V, out chan<- *[]*V) {
	defer close(out)
	if opening != nil && !offer(ctx, out, opening) {
		return
	}
	var turn <-chan time.Time // when it may tell something
	if s.gather > 0 {
		t := time.NewTicker(s.gather)
		defer t.Stop()
		turn = t.C
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.wake:
		}
		if turn != nil {
			select {
			case <-ctx.Done():
				return
			case <-turn:
			}
		}
		if views := s.take(); len(views) > 0 && !offer(ctx, out, &views) {
			return
		}
	}
}

// offer sends v unless ctx ends first.
func offer[T any](ctx context.Context, out chan<- T, v T) bool {
	select {
	case out <- v:
		return true
	case <-ctx.Done():
		return false
	}
}
