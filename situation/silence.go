package situation

import (
	"cmp"
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

// silenced are the situations that are silent, by where they are.
func (w *Watch) silenced() []Silenced {
	var out []Silenced
	for _, l := range w.lives {
		if until := silentUntil(l.current.Alerts); l.open && !until.IsZero() {
			out = append(out, Silenced{l.current.Place, l.current.Headline, until})
		}
	}
	slices.SortFunc(out, func(a, b Silenced) int { return cmp.Compare(a.Place.Key.String(), b.Place.Key.String()) })
	return out
}
