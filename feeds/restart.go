package feeds

import (
	"time"
)

// minRestartInterval is the shortest interval between two detected restarts of the platform,
// because the feed requests all full states again after each of them.
const minRestartInterval = 30 * time.Second

// restarts counts the detected restarts of the platform.
type restarts struct {
	count  uint64
	lastAt time.Time // time of the last restart
}

// recordRestart records a restart. It returns false, and records nothing, within minRestartInterval
// of the last restart.
func (r *restarts) recordRestart(now time.Time) bool {
	if !r.lastAt.IsZero() && now.Sub(r.lastAt) < minRestartInterval {
		return false
	}
	r.count, r.lastAt = r.count+1, now
	return true
}
