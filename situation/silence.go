package situation

import (
	"cmp"
	"slices"
	"time"

	"wallboard/alert"
)

// silentUntil is until when all of some alerts are silent, zero where one is not.
func silentUntil(alerts []alert.Alert) time.Time {
	var until time.Time
	for i := range alerts {
		at := alerts[i].Silent
		if at.IsZero() {
			return at
		}
		if until.IsZero() || at.Before(until) {
			until = at
		}
	}
	return until
}

// Silent is until when nobody is told of a situation, zero where somebody is.
func (sit *Situation) Silent() time.Time { return silentUntil(sit.Alerts) }

// heard are the alerts that are not silent; all of them where all are. What is silent
// among others that are not makes nothing worse, and says nothing.
func heard(alerts []alert.Alert) []alert.Alert {
	silent := func(a alert.Alert) bool { return !a.Silent.IsZero() }
	if !slices.ContainsFunc(alerts, silent) {
		return alerts
	}
	out := slices.DeleteFunc(slices.Clone(alerts), silent)
	if len(out) == 0 {
		return alerts
	}
	return out
}

// levelOf is the highest level of some alerts.
func levelOf(alerts []alert.Alert) (level alert.Level) {
	for i := range alerts {
		level = max(level, alerts[i].Level)
	}
	return level
}

// silenced are the situations that are silent, by where they are.
func (w *Watch) silenced() []Silenced {
	var out []Silenced
	for _, l := range w.lives {
		if !l.open {
			continue
		}
		if until := silentUntil(l.current.Alerts); !until.IsZero() {
			out = append(out, Silenced{l.current.Place, l.current.Headline, until})
		}
	}
	slices.SortFunc(out, func(a, b Silenced) int { return cmp.Compare(a.Place.Key.String(), b.Place.Key.String()) })
	return out
}

// sameAlerts reports whether alerts are those of the last view: somebody may have taken
// one over, or silenced it.
func (w *Watch) sameAlerts(active []alert.Alert) bool {
	return slices.EqualFunc(w.was, active, func(a, b alert.Alert) bool {
		return a.ID == b.ID && a.Ack == b.Ack && a.Silent.Equal(b.Silent)
	})
}
