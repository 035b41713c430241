package feeds

import (
	"time"
)

// A stopped process or a sleeping machine misses data: servers drop messages that a client does not
// read, and the connection may be dead without notice. So a long gap between two checks of our own
// clock counts as a lost connection. Both the monotonic and the wall clock are checked: the
// monotonic clock stops on some machines during sleep, and the wall clock may be set.

const (
	// maxNormalGap is the longest normal time between two checks of the clock. The feed checks it
	// at least every second.
	maxNormalGap = 5 * time.Second
	// maxSilence is how long the link may be silent before data counts as missing. A healthy link
	// is never silent for that long, because the client sends a ping or a probe after ten seconds
	// of silence.
	maxSilence = 12 * time.Second
)

// suspendDetector records when the feed last checked its clock.
type suspendDetector struct {
	checkedAt  time.Time // time of the last check
	linkSilent bool      // the link is silent and the full states are requested
}

// gap returns the time since the last check, or 0 if that is at most maxNormalGap.
func (d *suspendDetector) gap(now time.Time) time.Duration {
	if d.checkedAt.IsZero() {
		return 0
	}
	if g := max(now.Sub(d.checkedAt), now.Round(0).Sub(d.checkedAt.Round(0))); g > maxNormalGap {
		return g
	}
	return 0
}
