package rtd

import (
	"context"
	"slices"
	"sync"
	"time"

	"wallboard/internal/simulator/world"
)

// subscription is a consumer of a table. It holds at most one pending change per record, so a
// slow consumer needs limited memory and still gets the latest state of each record.
type subscription[R, V any] struct {
	table      *table[R, V]
	selection  selection[R]
	limit      int           // maximum number of records per message; 0 means no limit
	gatherTime time.Duration // minimum time between messages; 0 means none
	wake       chan struct{} // holds a value while pending is not empty

	mu          sync.Mutex
	pending     map[world.Key]*pendingChange[R, V]
	pendingKeys []world.Key // keys of pending, oldest first
}

// pendingChange is the pending change of a record. known is the record that the consumer has, and current
// the newest record; one of them can be nil. sharedUpdate is the update from known to current if
// all subscriptions can share it. A nil sharedUpdate means that the update must be computed.
type pendingChange[R, V any] struct {
	known, current *R
	sharedUpdate   *V
}

// pushChanges adds changes of records to the pending changes.
func (s *subscription[R, V]) pushChanges(changes []change[R, V]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range changes {
		if p, ok := s.pending[c.key]; ok {
			p.current, p.sharedUpdate = c.cur, nil
			continue
		}
		if !s.matches(c.old) && !s.matches(c.cur) {
			continue
		}
		s.pending[c.key] = &pendingChange[R, V]{c.old, c.cur, c.delta}
		s.pendingKeys = append(s.pendingKeys, c.key)
	}
	s.signal()
}

// signal wakes the consumer if there are pending changes. The caller must hold mu.
func (s *subscription[R, V]) signal() {
	if len(s.pendingKeys) == 0 {
		return
	}
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

func (s *subscription[R, V]) matches(r *R) bool { return r != nil && s.selection.match(r) }

// takeUpdates removes the oldest pending changes, up to the limit of a message, and returns
// their views. It leaves out changes for which there is nothing to send.
func (s *subscription[R, V]) takeUpdates() []*V {
	s.mu.Lock()
	n := len(s.pendingKeys)
	if s.limit > 0 {
		n = min(n, s.limit)
	}
	batch := make([]*pendingChange[R, V], n)
	for i, k := range s.pendingKeys[:n] {
		batch[i] = s.pending[k]
		delete(s.pending, k)
	}
	s.pendingKeys = slices.Delete(s.pendingKeys, 0, n)
	s.signal()
	s.mu.Unlock()

	views := make([]*V, 0, n)
	for _, p := range batch {
		if v := s.buildUpdate(p); v != nil {
			views = append(views, v)
		}
	}
	return views
}

// buildUpdate returns the view that updates the consumer from p.known to p.current, or nil if
// there is nothing to send. If the record begins to match the filter, the view has all fields,
// or only the keys, depending on [Arrivals].
func (s *subscription[R, V]) buildUpdate(p *pendingChange[R, V]) *V {
	matchedBefore, matchesNow := s.matches(p.known), s.matches(p.current)
	switch {
	case matchesNow && !matchedBefore && s.table.style.keyArrivals:
		return keyView(p.current, s.table.newView)
	case matchesNow && !matchedBefore:
		return buildView(s.table.style, nil, s.selection.applyProjection(p.current), s.table.newView)
	case matchesNow && p.sharedUpdate != nil && s.selection.project == nil:
		return p.sharedUpdate
	case matchesNow:
		return buildView(s.table.style, s.selection.applyProjection(p.known), s.selection.applyProjection(p.current), s.table.newView)
	case matchedBefore && s.table.removedView != nil:
		return s.table.removedView(p.known)
	}
	return nil
}

// run sends messages to out until ctx is done, and then closes out. It sends opening first,
// even if that list is empty. A nil opening means that there is no first message.
func (s *subscription[R, V]) run(ctx context.Context, opening *[]*V, out chan<- *[]*V) {
	defer close(out)
	if opening != nil && !sendOrCancel(ctx, out, opening) {
		return
	}
	var nextMessage <-chan time.Time // receives when gatherTime has passed; nil: no need to wait
	if s.gatherTime > 0 {
		t := time.NewTicker(s.gatherTime)
		defer t.Stop()
		nextMessage = t.C
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.wake:
		}
		if nextMessage != nil {
			select {
			case <-ctx.Done():
				return
			case <-nextMessage:
			}
		}
		if views := s.takeUpdates(); len(views) > 0 && !sendOrCancel(ctx, out, &views) {
			return
		}
	}
}

// sendOrCancel sends v unless ctx ends first. It reports whether it sent v.
func sendOrCancel[T any](ctx context.Context, out chan<- T, v T) bool {
	select {
	case out <- v:
		return true
	case <-ctx.Done():
		return false
	}
}
