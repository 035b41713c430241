package commands

import (
	"sync"
	"time"
)

// allowance is a rate limit per account: a burst, refilled by one after each interval.
type allowance struct {
	burst float64
	every time.Duration

	mu    sync.Mutex
	spent map[string]spending
}

type spending struct {
	n    float64
	last time.Time
}

func newAllowance(burst float64, every time.Duration) *allowance {
	return &allowance{burst: burst, every: every, spent: make(map[string]spending)}
}

// take reports whether an account may act once more, and counts it.
func (a *allowance) take(account string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := time.Now()
	s := a.spent[account]
	s.n = max(0, s.n-max(0, float64(now.Sub(s.last))/float64(a.every)))
	s.last = now
	may := s.n+1 <= a.burst
	if may {
		s.n++
	}
	a.spent[account] = s
	return may
}
