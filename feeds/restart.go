package feeds

import (
	"time"
)

// restartEvery is the shortest interval between resynchronizations because of a
// platform restart.
const restartEvery = 30 * time.Second

// restarts counts the restarts of the platform.
type restarts struct {
	n  uint64
	at time.Time // time of the last one
}

// noteRestart records a restart and reports whether it is new.
func (r *restarts) noteRestart(now time.Time) bool {
	if !r.at.IsZero() && now.Sub(r.at) < restartEvery {
		return false
	}
	r.n, r.at = r.n+1, now
	return true
}
