package app

import (
	"sync"
	"time"
)

// rateLimit limits how often each account may act: burst times in a row, and once more after each
// interval.
type rateLimit struct {
	burst    float64
	interval time.Duration

	mu       sync.Mutex
	accounts map[string]accountUse
}

type accountUse struct {
	used   float64
	lastAt time.Time
}

func newRateLimit(burst float64, interval time.Duration) *rateLimit {
	return &rateLimit{burst: burst, interval: interval, accounts: make(map[string]accountUse)}
}

// allow reports whether an account may act now. If so, it counts the action.
func (a *rateLimit) allow(account string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := time.Now()
	s := a.accounts[account]
	s.used = max(0, s.used-max(0, float64(now.Sub(s.lastAt))/float64(a.interval)))
	s.lastAt = now
	allowed := s.used+1 <= a.burst
	if allowed {
		s.used++
	}
	a.accounts[account] = s
	return allowed
}
