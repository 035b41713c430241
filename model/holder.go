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
	changed chan struct{} // closed when a newer snapshot is published; nil: not created yet
}

// Put publishes a snapshot.
func (h *SnapshotHolder) Put(s *Snapshot) {
	h.latest.Store(s)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.changed != nil {
		close(h.changed)
	}
	h.changed = make(chan struct{})
}

// Latest returns the latest snapshot, or nil before the first.
func (h *SnapshotHolder) Latest() *Snapshot { return h.latest.Load() }

// changeSignal returns a channel that is closed when a newer snapshot is published.
func (h *SnapshotHolder) changeSignal() <-chan struct{} {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.changed == nil {
		h.changed = make(chan struct{})
	}
	return h.changed
}

// Wait waits for a snapshot whose Seq is greater than after, and returns the latest snapshot.
// It returns an error if ctx ends first.
func (h *SnapshotHolder) Wait(ctx context.Context, after uint64) (*Snapshot, error) {
	for {
		newer := h.changeSignal()
		if s := h.latest.Load(); s != nil && s.Seq > after {
			return s, nil
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-newer:
		}
	}
}
