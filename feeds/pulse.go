package feeds

import (
	"time"
)

// A process that is stopped, or a machine that sleeps, misses what it cannot
// know: servers drop what a client does not take, and the connection may be dead
// without a word. So a gap in our own time is a cut like any other. The clock
// that nobody sets stands still on some machines while they sleep, and the
// other one may be set; a gap in either is one.

const (
	// gapAfter is how long nothing may run; the feed looks at its clock every
	// second at least.
	gapAfter = 5 * time.Second
	// silentAfter is after how long without any sign of life what comes next may
	// not be all: a link that is asked every ten seconds is never silent for
	// longer, and one that stays so is cut.
	silentAfter = 12 * time.Second
)

// pulse tells when the feed last looked at its clock.
type pulse struct {
	at     time.Time
	silent bool // nothing comes, and what was missed is asked for already
}

// gap returns for how long nothing has run, 0 where that is usual.
func (p *pulse) gap(now time.Time) time.Duration {
	if p.at.IsZero() {
		return 0
	}
	if g := max(now.Sub(p.at), now.Round(0).Sub(p.at.Round(0))); g > gapAfter {
		return g
	}
	return 0
}
