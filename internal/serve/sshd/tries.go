package sshd

import (
	"sync"
	"time"
)

// How often one address may fail, and how many addresses are remembered.
const (
	failBurst    = 8
	failRate     = 4 // a second
	maxAddresses = 4096
)

// tries remembers who has shown wrong keys. Who is let in pays nothing.
type tries struct {
	now func() time.Time

	mu   sync.Mutex
	from map[string]*address
}

type address struct {
	left float64
	last time.Time
}

func newTries(now func() time.Time) *tries {
	return &tries{now: now, from: make(map[string]*address)}
}

// may reports whether an address may try again.
func (t *tries) may(host string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	a := t.from[host]
	return a == nil || t.refill(a) >= 1
}

func (t *tries) refill(a *address) float64 {
	now := t.now()
	a.left = min(failBurst, a.left+failRate*max(0, now.Sub(a.last).Seconds()))
	a.last = now
	return a.left
}

// failed notes a try that failed.
func (t *tries) failed(host string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	a := t.from[host]
	if a == nil {
		if len(t.from) >= maxAddresses {
			t.forget()
		}
		a = &address{left: failBurst, last: t.now()}
		t.from[host] = a
	}
	a.left = max(0, t.refill(a)-1)
}

// forget lets go of those who have waited long enough, and of everybody if nobody
// has.
func (t *tries) forget() {
	for host, a := range t.from {
		if t.refill(a) >= failBurst {
			delete(t.from, host)
		}
	}
	if len(t.from) >= maxAddresses {
		clear(t.from)
	}
}
