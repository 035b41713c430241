package sshterminal

import (
	"sync"
	"time"
)

// Limits on the failed logins from an address, and on the number of remembered addresses.
const (
	failedLoginBurst = 8
	failedLoginRate  = 4 // failed logins that an address regains per second
	maxAddresses     = 4096
)

// failedLogins limits the rate of failed logins from an address. A successful login counts as
// failed only if the account logs in too often.
type failedLogins struct {
	now func() time.Time

	mu        sync.Mutex
	addresses map[string]*loginBudget
}

// loginBudget is the number of logins from an address that may still fail.
type loginBudget struct {
	remaining  float64
	lastRefill time.Time
}

func newFailedLogins(now func() time.Time) *failedLogins {
	return &failedLogins{now: now, addresses: make(map[string]*loginBudget)}
}

// canConnect reports whether the budget of an address allows at least one more failed login.
func (t *failedLogins) canConnect(host string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	a := t.addresses[host]
	return a == nil || t.refill(a) >= 1
}

// refill adds the part of the budget that the address has regained since the last call, and
// returns the budget.
func (t *failedLogins) refill(a *loginBudget) float64 {
	now := t.now()
	a.remaining = min(failedLoginBurst, a.remaining+failedLoginRate*max(0, now.Sub(a.lastRefill).Seconds()))
	a.lastRefill = now
	return a.remaining
}

// countFailure counts a failed login from an address.
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

// dropRecovered forgets the addresses whose budget is full again. If this makes no room, it
// forgets all addresses. The caller must hold mu.
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
