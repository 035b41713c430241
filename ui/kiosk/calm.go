package kiosk

import (
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
)

// calm tracks since when the kiosk has seen without interruption that nothing needs action, and that
// all services are on target.
type calm struct {
	clearSince, onTargetSince time.Time // zero: it is not so
	seenAt                    time.Time
}

// observe takes the situations at an instant of the local clock. After a pause, during which
// anything may have happened, it starts again.
func (c *calm) observe(v *situation.View, now time.Time) {
	const longestPause = 10 * time.Second // the kiosk observes once a second
	if pause := now.Sub(c.seenAt); pause < 0 || pause > longestPause {
		*c = calm{}
	}
	c.seenAt = now
	isClear := v != nil && !v.FiguresUnknown && len(urgentSituations(v, alert.Warning)) == 0
	track(&c.clearSince, isClear, now)
	track(&c.onTargetSince, isClear && v.AllOnTarget, now)
}

// track starts or resets the time since when a condition holds.
func track(since *time.Time, holds bool, now time.Time) {
	switch {
	case !holds:
		*since = time.Time{}
	case since.IsZero():
		*since = now
	}
}

// lasts returns for how long nothing has needed action, or all services have been on target.
func (c *calm) lasts(onTarget bool, now time.Time) time.Duration {
	since := c.clearSince
	if onTarget {
		since = c.onTargetSince
	}
	if since.IsZero() {
		return 0
	}
	return now.Sub(since)
}
