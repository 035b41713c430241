package feeds

import (
	"time"
)

// minRestartInterval is the shortest interval between two detected restarts of the platform,
// because the feed requests all full states again after each one.
const minRestartInterval = 30 * time.Second

type restartDetector struct {
	count  uint64
	lastAt time.Time // time of the last restart
}

// recordRestart counts a restart and returns true. Within minRestartInterval of the last one, it
// returns false and counts nothing.
func (r *restartDetector) recordRestart(now time.Time) bool {
	if !r.lastAt.IsZero() && now.Sub(r.lastAt) < minRestartInterval {
		return false
	}
	r.count, r.lastAt = r.count+1, now
	return true
}
