package feeds

import (
	"time"
)

// restartEvery bounds how often everything is asked for again because the platform
// seems to have started anew.
const restartEvery = 30 * time.Second

// restarts are the times that the platform started anew.
type restarts struct {
	n  uint64
	at time.Time // the last one
}

// begins notes that it seems to have done so, and reports whether that is news.
func (r *restarts) begins(now time.Time) bool {
	if !r.at.IsZero() && now.Sub(r.at) < restartEvery {
		return false
	}
	r.n, r.at = r.n+1, now
	return true
}
