// Package newest hands the newest picture of the floor to whoever waits for it.
package newest

import (
	"context"
	"sync"
	"sync/atomic"

	"wallboard/model"
)

// Picture is the newest of the snapshots that were put there. Its zero value has
// none. It is safe for concurrent use.
type Picture struct {
	latest atomic.Pointer[model.Snapshot]
	mu     sync.Mutex
	newer  chan struct{} // closed when a newer one is there
}

// Put hands out a snapshot.
func (p *Picture) Put(s *model.Snapshot) {
	p.latest.Store(s)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.newer != nil {
		close(p.newer)
	}
	p.newer = make(chan struct{})
}

// Latest returns the newest snapshot, nil before the first.
func (p *Picture) Latest() *model.Snapshot { return p.latest.Load() }

// next returns what is closed when a newer snapshot is there.
func (p *Picture) next() <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.newer == nil {
		p.newer = make(chan struct{})
	}
	return p.newer
}

// Wait returns the newest snapshot as soon as there is one with a Seq greater than
// after, or the context's error.
func (p *Picture) Wait(ctx context.Context, after uint64) (*model.Snapshot, error) {
	for {
		newer := p.next()
		if s := p.latest.Load(); s != nil && s.Seq > after {
			return s, nil
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err() //nolint:wrapcheck // the documented error
		case <-newer:
		}
	}
}
