package sshterminal

import (
	"sync"
	"time"
)

// Limits on the failed logins of one address, and on the number of addresses that are
// remembered.
const (
	failedLoginBurst = 8
	failedLoginRate  = 4 // failed logins that an address regains per second
	maxAddresses     = 4096
)

// failedLogins limits how often an address may fail to log in. Successful logins only count if
// the account logs in too often.
type failedLogins struct {
	now func() time.Time

	mu        sync.Mutex
	addresses map[string]*loginBudget
}

// loginBudget is the number of failed logins that an address may still make.
type loginBudget struct {
	remaining  float64
	lastRefill time.Time
}

func newFailedLogins(now func() time.Time) *failedLogins {
	return &failedLogins{now: now, addresses: make(map[string]*loginBudget)}
}

// canConnect reports whether an address has at least one failed login left.
func (t *failedLogins) canConnect(host string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	a := t.addresses[host]
	return a == nil || t.refill(a) >= 1
}

// refill adds what an address has regained since the last call, and returns its remaining
// budget.
func (t *failedLogins) refill(a *loginBudget) float64 {
	now := t.now()
	a.remaining = min(failedLoginBurst, a.remaining+failedLoginRate*max(0, now.Sub(a.lastRefill).Seconds()))
	a.lastRefill = now
	return a.remaining
}

// countFailure counts one failed login of an address.
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

// dropRecovered forgets the addresses that have their full budget again. If that makes no room,
// it forgets all addresses. The caller holds mu.
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
