package netconn

import (
	"sync"
	"time"
)

// maxFailedNetworks is the maximum number of networks or users that [Failures] remembers.
const maxFailedNetworks = 4096

// Failures limits the rate of failed logins from a network, or of actions of a user. It is safe for
// concurrent use.
type Failures struct {
	burst, perSecond float64
	now              func() time.Time

	mu      sync.Mutex
	budgets map[string]*failureBudget // by network or user
}

// failureBudget is the number of logins from a network that may still fail, or of actions that a user may still
// take.
type failureBudget struct {
	remaining  float64
	lastRefill time.Time
}

// NewFailures returns a limit that allows burst failures of a network at once, and then perSecond
// failures a second.
func NewFailures(burst, perSecond float64, now func() time.Time) *Failures {
	return &Failures{burst: burst, perSecond: perSecond, now: now, budgets: make(map[string]*failureBudget)}
}

// Allows reports whether the budget of an address allows at least one more failed login. See
// [CountedNetwork].
func (f *Failures) Allows(address string) bool { return f.allows(CountedNetwork(address)) }

func (f *Failures) allows(key string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	b := f.budgets[key]
	return b == nil || f.refill(b) >= 1
}

// Take reports whether the budget of a user allows one more action. If so, it counts the action.
func (f *Failures) Take(user string) bool {
	if !f.allows(user) {
		return false
	}
	f.count(user)
	return true
}

// refill adds the part of a budget that was regained since the last call, and returns what remains.
func (f *Failures) refill(b *failureBudget) float64 {
	now := f.now()
	b.remaining = min(f.burst, b.remaining+f.perSecond*max(0, now.Sub(b.lastRefill).Seconds()))
	b.lastRefill = now
	return b.remaining
}

// Count counts a failed login from an address.
func (f *Failures) Count(address string) { f.count(CountedNetwork(address)) }

func (f *Failures) count(key string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	b := f.budgets[key]
	if b == nil {
		if len(f.budgets) >= maxFailedNetworks {
			f.dropRecovered()
		}
		b = &failureBudget{remaining: f.burst, lastRefill: f.now()}
		f.budgets[key] = b
	}
	b.remaining = max(0, f.refill(b)-1)
}

// dropRecovered forgets the networks and users whose budget is full again. If this makes no room, it
// forgets all of them. The caller must hold mu.
func (f *Failures) dropRecovered() {
	for key, b := range f.budgets {
		if f.refill(b) >= f.burst {
			delete(f.budgets, key)
		}
	}
	if len(f.budgets) >= maxFailedNetworks {
		clear(f.budgets)
	}
}

// Reset forgets all failures.
func (f *Failures) Reset() {
	f.mu.Lock()
	defer f.mu.Unlock()
	clear(f.budgets)
}
