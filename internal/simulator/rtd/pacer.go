package rtd

import (
	"context"
	"sync"
	"time"
)

// fullStateLimiter simulates the time that the platform takes to collect full states. It handles
// one request at a time, with a limited number of records per second. Its methods are safe for
// concurrent use.
type fullStateLimiter struct {
	ctx  context.Context //nolint:containedctx // lifetime of the server; waitFor returns when it ends
	rate int             // records per second; 0 means no limit

	mu     sync.Mutex
	freeAt time.Time // time at which the requests accepted so far are done
}

// waitFor waits until the platform has collected the given number of records. It does nothing
// if p is nil.
func (p *fullStateLimiter) waitFor(records int) {
	if p == nil || p.rate <= 0 || records == 0 {
		return
	}
	p.mu.Lock()
	if now := time.Now(); p.freeAt.Before(now) {
		p.freeAt = now
	}
	p.freeAt = p.freeAt.Add(time.Duration(records) * time.Second / time.Duration(p.rate))
	wait := time.NewTimer(time.Until(p.freeAt))
	p.mu.Unlock()
	defer wait.Stop()
	select {
	case <-wait.C:
	case <-p.ctx.Done():
	}
}
