package rtd

import (
	"context"
	"sync"
	"time"
)

// pacer limits how fast the platform collects full states: one request at a time, at
// a number of records per second. Its methods are safe for concurrent use.
type pacer struct {
	ctx  context.Context //nolint:containedctx // lifetime of the server; its end interrupts the wait
	rate int             // records per second; 0 means no limit

	mu     sync.Mutex
	freeAt time.Time // end of the queued requests
}

// wait waits for the time that collecting this many records takes.
func (p *pacer) wait(records int) {
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
