package kiosk

import (
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
)

// allClearTracker tracks how long no situation has needed action, and how long all services have been
// on target. It counts only the time during which the kiosk has observed the floor without
// interruption.
type allClearTracker struct {
	clearSince, onTargetSince time.Time // zero while the condition does not hold
	observedAt                time.Time // time of the last observation
}

// observe records the current situations. now is on the local clock. After a gap between
// observations, both durations start again at zero.
func (c *allClearTracker) observe(v *situation.View, now time.Time) {
	const longestPause = 10 * time.Second // the kiosk observes once per second
	if pause := now.Sub(c.observedAt); pause < 0 || pause > longestPause {
		*c = allClearTracker{}
	}
	c.observedAt = now
	isClear := v != nil && v.IsCalm() && len(urgentSituations(v, alert.Warning)) == 0
	updateSince(&c.clearSince, isClear, now)
	updateSince(&c.onTargetSince, isClear && v.AllOnTarget, now)
}

// updateSince updates since, the time since which a condition has held. It sets since to now when
// the condition starts to hold, and to the zero time when it no longer holds.
func updateSince(since *time.Time, holds bool, now time.Time) {
	switch {
	case !holds:
		*since = time.Time{}
	case since.IsZero():
		*since = now
	}
}

// duration returns how long no situation has needed action. If onTarget is true, it returns how
// long, in addition, all services have been on target.
func (c *allClearTracker) duration(onTarget bool, now time.Time) time.Duration {
	since := c.clearSince
	if onTarget {
		since = c.onTargetSince
	}
	if since.IsZero() {
		return 0
	}
	return now.Sub(since)
}
