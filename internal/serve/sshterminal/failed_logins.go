package sshterminal

import (
	"sync"
	"time"
)

// Limits on the failed logins of one address, and on the number of addresses.
const (
	failedLoginBurst = 8
	failedLoginRate  = 4 // a second
	maxAddresses     = 4096
)

// failedLogins limits the failed logins of each address. A successful login does not count
// unless the account logs in too often.
type failedLogins struct {
	now func() time.Time

	mu        sync.Mutex
	addresses map[string]*loginBudget
}

// loginBudget is the budget of one address.
type loginBudget struct {
	remaining  float64
	lastRefill time.Time
}

func newFailedLogins(now func() time.Time) *failedLogins {
	return &failedLogins{now: now, addresses: make(map[string]*loginBudget)}
}

// canConnect reports whether an address may connect.
func (t *failedLogins) canConnect(host string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	a := t.addresses[host]
	return a == nil || t.refill(a) >= 1
}

// refill adds the logins that an address has regained since the last call, and returns its budget.
func (t *failedLogins) refill(a *loginBudget) float64 {
	now := t.now()
	a.remaining = min(failedLoginBurst, a.remaining+failedLoginRate*max(0, now.Sub(a.lastRefill).Seconds()))
	a.lastRefill = now
	return a.remaining
}

// countFailure counts a login against the budget of an address.
func (t *failedLogins) countFailure(host string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	a := t.addresses[host]
	if a == nil {
		if len(t.addresses) >= maxAddresses {
			t.dropRecovered()
		}
		a = &loginBudget{remaining: failedLoginBurst, lastRefill: t.now()}
		t.addresses[host] = a
	}
	a.remaining = max(0, t.refill(a)-1)
}

// dropRecovered removes the addresses that have their full budget again. If there are none,
// it removes all addresses. The caller holds mu.
func (t *failedLogins) dropRecovered() {
	for host, a := range t.addresses {
		if t.refill(a) >= failedLoginBurst {
			delete(t.addresses, host)
		}
	}
	if len(t.addresses) >= maxAddresses {
		clear(t.addresses)
	}
}
