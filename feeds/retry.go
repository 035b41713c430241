package feeds

import "time"

// maxRetryDelay limits the wait before the feed repeats an operation that the server refused or
// ended.
const maxRetryDelay = 30 * time.Second

// retrySchedule schedules the next attempt after the server refused or ended an operation.
type retrySchedule struct {
	failures  int // number of failures in a row
	notBefore time.Time
}

// countFailure counts a failure and returns the delay before the next attempt.
func (r *retrySchedule) countFailure() time.Duration {
	r.failures++
	return min(maxRetryDelay, time.Second<<min(r.failures-1, 5))
}

// mustWait reports whether the delay before the next attempt is not over yet.
func (r *retrySchedule) mustWait(now time.Time) bool { return now.Before(r.notBefore) }
