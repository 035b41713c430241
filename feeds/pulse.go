package feeds

import (
	"time"
)

// A stopped process or a sleeping machine misses data: servers drop what a
// client does not read, and the connection may be dead without notice. So a gap
// in our own time counts as a lost connection. Both clocks are checked: the
// monotonic clock stops on some machines during sleep, and the wall clock may
// be set.

const (
	// gapAfter is the longest normal gap; the feed checks its clock at least
	// every second.
	gapAfter = 5 * time.Second
	// silentAfter is how long the link may be silent before data may be
	// missing: it is probed every ten seconds, so a healthy link is never
	// silent for longer, and a dead one is cut.
	silentAfter = 12 * time.Second
)

// sleepDetector records when the feed last checked its clock.
type sleepDetector struct {
	at     time.Time
	silent bool // the link is silent and a resync is requested
}

// gap returns how long nothing ran, 0 if that is normal.
func (p *sleepDetector) gap(now time.Time) time.Duration {
	if p.at.IsZero() {
		return 0
	}
	if g := max(now.Sub(p.at), now.Round(0).Sub(p.at.Round(0))); g > gapAfter {
		return g
	}
	return 0
}
