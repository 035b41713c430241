package model

import (
	"context"
	"sync"
	"sync/atomic"
)

// SnapshotHolder publishes the latest snapshot to waiting readers. The zero value is empty.
// It is safe for concurrent use.
type SnapshotHolder struct {
	latest  atomic.Pointer[Snapshot]
	mu      sync.Mutex
	changed chan struct{} // closed when a newer snapshot is published
}

// Put publishes a snapshot.
func (p *SnapshotHolder) Put(s *Snapshot) {
	p.latest.Store(s)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.changed != nil {
		close(p.changed)
	}
	p.changed = make(chan struct{})
}

// Latest returns the latest snapshot, nil before the first.
func (p *SnapshotHolder) Latest() *Snapshot { return p.latest.Load() }

// changedChannel returns a channel that is closed when a newer snapshot is published.
func (p *SnapshotHolder) changedChannel() <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.changed == nil {
		p.changed = make(chan struct{})
	}
	return p.changed
}

// Wait returns the latest snapshot as soon as its Seq is greater than after, or the
// context's error.
func (p *SnapshotHolder) Wait(ctx context.Context, after uint64) (*Snapshot, error) {
	for {
		newer := p.changedChannel()
		if s := p.latest.Load(); s != nil && s.Seq > after {
			return s, nil
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-newer:
		}
	}
}
