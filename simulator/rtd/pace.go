package rtd

import (
	"context"
	"sync"
	"time"
)

// pace is how fast the platform puts full states together: one after another,
// so many records per second. Its methods are safe for concurrent use.
type pace struct {
	ctx  context.Context //nolint:containedctx // the life of the server, whose end ends the waiting
	rate int             // 0: it takes no time

	mu   sync.Mutex
	free time.Time // when what was asked for before is done
}

// spend takes the time that so many records take.
func (p *pace) spend(records int) {
	if p == nil || p.rate <= 0 || records == 0 {
		return
	}
	p.mu.Lock()
	if now := time.Now(); p.free.Before(now) {
		p.free = now
	}
	p.free = p.free.Add(time.Duration(records) * time.Second / time.Duration(p.rate))
	wait := time.NewTimer(time.Until(p.free))
	p.mu.Unlock()
	defer wait.Stop()
	select {
	case <-wait.C:
	case <-p.ctx.Done():
	}
}
