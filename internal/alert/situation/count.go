package situation

import "wallboard/internal/alert"

type counts struct{ critical, warning int }

// cacheCounts stores the results of [View.Counts], so they are computed only once.
func (v *View) cacheCounts() {
	critical, warning := v.Counts()
	v.cachedCounts = &counts{critical, warning}
}

// Counts returns the numbers of live situations that need action: the critical ones and the others.
// All parts of the screen that show these numbers call Counts. For a nil view it returns 0.
func (v *View) Counts() (critical, warning int) {
	switch {
	case v == nil:
		return 0, 0
	case v.cachedCounts != nil:
		return v.cachedCounts.critical, v.cachedCounts.warning
	}
	for i := range v.Live {
		switch s := &v.Live[i]; {
		case !s.NeedsAction():
		case s.Level == alert.Critical:
			critical++
		default:
			warning++
		}
	}
	return critical, warning
}

// AckedCount returns the number of live situations that a viewer has taken over.
func (v *View) AckedCount() int {
	n := 0
	for i := range v.Live {
		if v.Live[i].Ack != (alert.Ack{}) {
			n++
		}
	}
	return n
}

// FocusKey returns the record that the board selects when a viewer opens the situation: the place
// of the situation or, for the feed, the first part that has failed.
func (sit *Situation) FocusKey() alert.Key {
	if sit.Place.Key.Scope == alert.Feed && len(sit.Alerts) > 0 {
		return sit.Alerts[0].Key
	}
	return sit.Place.Key
}
