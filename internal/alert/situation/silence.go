package situation

import (
	"cmp"
	"slices"
	"time"

	"wallboard/internal/alert"
)

// silentUntil returns the first time at which the silence of one of the alerts ends. If an alert is
// not silenced, it returns the zero time.
func silentUntil(alerts []alert.Alert) time.Time {
	var until time.Time
	for i := range alerts {
		at := alerts[i].SilentUntil
		if at.IsZero() {
			return at
		}
		if until.IsZero() || at.Before(until) {
			until = at
		}
	}
	return until
}

// SilentUntil returns when the silence of the situation ends, or the zero time if it is not
// silenced.
func (sit *Situation) SilentUntil() time.Time { return silentUntil(sit.Alerts) }

// unsilencedAlerts returns the alerts that are not silenced or, if all are silenced, all alerts. So a
// silenced alert affects the level and headline of a situation only if all its alerts are silenced.
func unsilencedAlerts(alerts []alert.Alert) []alert.Alert {
	if !containsAlert(alerts, func(a *alert.Alert) bool { return !a.SilentUntil.IsZero() }) {
		return alerts
	}
	out := slices.DeleteFunc(slices.Clone(alerts), func(a alert.Alert) bool { return !a.SilentUntil.IsZero() })
	if len(out) == 0 {
		return alerts
	}
	return out
}

// maxLevel returns the highest level of the alerts.
func maxLevel(alerts []alert.Alert) (level alert.Level) {
	for i := range alerts {
		level = max(level, alerts[i].Level)
	}
	return level
}

// silencedSituations returns the situations whose alerts are all silenced, sorted by place.
func (w *Tracker) silencedSituations() []SilencedSituation {
	var out []SilencedSituation
	for _, l := range w.places {
		if !l.hasSituation {
			continue
		}
		if until := silentUntil(l.current.Alerts); !until.IsZero() {
			out = append(out, SilencedSituation{l.current.Place, l.current.messages.headline, l.current.Headline, until})
		}
	}
	slices.SortFunc(out, func(a, b SilencedSituation) int { return cmp.Compare(a.Place.Key.String(), b.Place.Key.String()) })
	return out
}

// alertList is a list of active alerts that was sorted by place. moved has the position of each alert
// by its position in the order of the engine.
type alertList struct {
	alerts []alert.Alert
	moved  []int
}

// equals reports whether other, in the order of the engine, has the same alerts, acknowledgements
// and silences.
func (l *alertList) equals(other []alert.Alert) bool {
	if len(l.alerts) != len(other) {
		return false
	}
	for i := range other {
		if a, b := &l.alerts[l.moved[i]], &other[i]; a.ID != b.ID || a.Ack != b.Ack || !a.SilentUntil.Equal(b.SilentUntil) {
			return false
		}
	}
	return true
}
