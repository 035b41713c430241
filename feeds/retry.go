package feeds

import "time"

// maxRetry is the longest wait for another try.
const maxRetry = 30 * time.Second

// retry is when what was refused or has ended is tried again.
type retry struct {
	failures int // in a row
	at       time.Time
}

// backoff is the delay before the next try after one more failure.
func (r *retry) backoff() time.Duration {
	r.failures++
	return min(maxRetry, time.Second<<min(r.failures-1, 5))
}

// waits reports whether it is too early for it.
func (r *retry) waits(now time.Time) bool { return now.Before(r.at) }
