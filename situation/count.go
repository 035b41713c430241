package situation

import "wallboard/alert"

// counts holds the results of [View.Open].
type counts struct{ critical, warning int }

// count computes the counts of [View.Open] once for all callers.
func (v *View) count() {
	critical, warning := v.Open()
	v.openCounts = &counts{critical, warning}
}

// Open returns the numbers of live situations that need a person. Every place on the
// screen that shows this number uses Open. A nil view has none.
func (v *View) Open() (critical, warning int) {
	switch {
	case v == nil:
		return 0, 0
	case v.openCounts != nil:
		return v.openCounts.critical, v.openCounts.warning
	}
	for i := range v.Live {
		switch s := &v.Live[i]; {
		case !s.Needs():
		case s.Level == alert.Critical:
			critical++
		default:
			warning++
		}
	}
	return critical, warning
}

// Taken returns the number of live situations that someone has taken over.
func (v *View) Taken() int {
	n := 0
	for i := range v.Live {
		if v.Live[i].Ack != (alert.Ack{}) {
			n++
		}
	}
	return n
}

// About returns the record that is shown when the situation is opened: its place or,
// for the feed, the first failed part.
func (sit *Situation) About() alert.Key {
	if sit.Place.Key.Scope == alert.Feed && len(sit.Alerts) > 0 {
		return sit.Alerts[0].Key
	}
	return sit.Place.Key
}
