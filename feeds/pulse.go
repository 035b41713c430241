package feeds

import (
	"fmt"
	"time"

	"wallboard/model"
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

// cutByGap reports whether nothing has run for so long that the connection is
// given up; then it is. The caller holds mu.
func (f *Feed) cutByGap(now time.Time) bool {
	gap, before := f.line.pulse.gap(now), f.line.pulse.at.Round(0)
	if gap == 0 {
		return false
	}
	f.line.pulse = pulse{at: now}
	if f.line.conn == nil {
		return false
	}
	reason := fmt.Sprintf("this machine or this program stood still for %v", gap.Round(time.Second))
	f.log.Warn("everything is asked for again", "reason", reason)
	f.line.conn.Abort(fmt.Errorf("feeds: %s", reason))
	f.lower(model.LinkBackoff, reason, now, 0, before)
	return true
}

// feelPulse looks at the clock, and at how long the link has been silent. The
// caller holds mu.
func (f *Feed) feelPulse(now time.Time) {
	f.cutByGap(now)
	f.line.pulse.at = now
	if f.line.conn == nil || f.line.shown.PollEvery > 0 {
		f.line.pulse.silent = false
		return
	}
	was := f.line.pulse.silent
	heard := f.line.conn.Stats().LastFrame
	if f.line.pulse.silent = !heard.IsZero() && now.Sub(heard) > silentAfter; !f.line.pulse.silent || was {
		return
	}
	for _, s := range f.subs {
		if s.active != "" {
			s.losses.resync = true // the answer comes with the next sign of life
			s.status.set(model.SubUnverified, "nothing came for "+silentAfter.String()+"; the full state is asked for", now)
		}
	}
}
