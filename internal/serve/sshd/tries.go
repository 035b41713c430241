package sshd

import (
	"sync"
	"time"
)

// Limits on the failed logins of one address, and on the number of addresses.
const (
	failBurst    = 8
	failRate     = 4 // a second
	maxAddresses = 4096
)

// tries limits the failed logins of each address. A successful login does not count
// unless the account logs in too often.
type tries struct {
	now func() time.Time

	mu   sync.Mutex
	from map[string]*address
}

// address is the budget of one address.
type address struct {
	left float64
	last time.Time
}

func newTries(now func() time.Time) *tries {
	return &tries{now: now, from: make(map[string]*address)}
}

// may reports whether an address may connect.
func (t *tries) may(host string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	a := t.from[host]
	return a == nil || t.refill(a) >= 1
}

// refill adds what an address has regained since the last call, and returns its budget.
func (t *tries) refill(a *address) float64 {
	now := t.now()
	a.left = min(failBurst, a.left+failRate*max(0, now.Sub(a.last).Seconds()))
	a.last = now
	return a.left
}

// failed counts a login against the budget of an address.
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

// forget removes the addresses that have their full budget again, and all addresses if
// there are none. The caller holds mu.
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
