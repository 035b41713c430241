package pages

import (
	"time"

	"wallboard/ui/panes"
	"wallboard/ui/table"
)

// RedrawTimer tracks when a board without new data must be redrawn: at the end of highlights and during
// animations.
type RedrawTimer struct {
	NextFrame  time.Time // time of the next frame without new data; zero: none
	lastSecond time.Time // server time of the last clock tick of a paced board
}

// Schedule stores when the page must be redrawn and returns how long that is from now. It returns 0
// if the page need not be drawn, or is already scheduled at that time or earlier.
func (t *RedrawTimer) Schedule(p panes.Page, now time.Time) time.Duration {
	var wait time.Duration
	if p.IsFlashing() {
		wait = table.DefaultFlash
	}
	if m, ok := p.(panes.SelfScroller); ok {
		if d := m.ScrollInterval(); d > 0 && (wait == 0 || d < wait) {
			wait = d
		}
	}
	next := now.Add(wait)
	switch {
	case now.Before(t.NextFrame) && (wait == 0 || !next.Before(t.NextFrame)):
		return 0
	case wait == 0:
		next = time.Time{}
	}
	t.NextFrame = next
	return wait
}

// minClockStep is the minimum time between two clock ticks of a paced board within the same second
// of the server's clock. It is less than a second because the previous frame may have been late.
const minClockStep = 950 * time.Millisecond

// SecondPassed reports whether a paced board must advance its clock, which it does about once a
// second. at is the current time on the server's clock.
func (t *RedrawTimer) SecondPassed(at time.Time) bool {
	if at.Unix() == t.lastSecond.Unix() && at.Sub(t.lastSecond) < minClockStep {
		return false
	}
	t.lastSecond = at
	return true
}

// FrameIsDue reports whether a paced board must be redrawn at the time now.
func (t *RedrawTimer) FrameIsDue(now time.Time) bool {
	return !t.NextFrame.IsZero() && !now.Before(t.NextFrame)
}
