package feeds

import (
	"time"
)

// minRestartInterval is the shortest interval between resynchronizations because of a
// platform restart.
const minRestartInterval = 30 * time.Second

// restarts counts the restarts of the platform.
type restarts struct {
	count  uint64
	lastAt time.Time // time of the last one
}

// recordRestart records a restart. It returns false within minRestartInterval of the last one.
func (r *restarts) recordRestart(now time.Time) bool {
	if !r.lastAt.IsZero() && now.Sub(r.lastAt) < minRestartInterval {
		return false
	}
	r.count, r.lastAt = r.count+1, now
	return true
}
