package feeds

import (
	"context"
	"reflect"
	"sync"
	"sync/atomic"
	"time"

	"wallboard/model"
)

// pictures hands the newest picture to whoever waits for it, in any goroutine. What
// was reported with it belongs to the feed's mutex.
type pictures struct {
	reported model.Health // with the newest one
	at       time.Time    // when that was last true

	latest atomic.Pointer[model.Snapshot]
	mu     sync.Mutex
	newer  chan struct{} // closed when a newer one is there
}

// still notes that there is nothing but a report, and reports whether that is the
// same as before.
func (p *pictures) still(h model.Health, now time.Time) bool {
	same := reflect.DeepEqual(p.reported, h)
	if same {
		p.at = now
	}
	return same
}

// put hands out a picture.
func (p *pictures) put(snap *model.Snapshot, h model.Health, now time.Time) {
	p.reported, p.at = h, now
	p.latest.Store(snap)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.newer != nil {
		close(p.newer)
	}
	p.newer = make(chan struct{})
}

// next returns what is closed when a newer picture is there.
func (p *pictures) next() <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.newer == nil {
		p.newer = make(chan struct{})
	}
	return p.newer
}

// wait returns the newest picture as soon as there is one with a Seq greater than
// after, or the context's error.
func (p *pictures) wait(ctx context.Context, after uint64) (*model.Snapshot, error) {
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
