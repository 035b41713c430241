package situation

import "wallboard/alert"

// counts is what [View.Open] returns.
type counts struct{ critical, warning int }

// count counts what goes on once, for all who ask.
func (v *View) count() {
	critical, warning := v.Open()
	v.open = &counts{critical, warning}
}

// Open counts what goes on and needs a person: every place that says how much does says
// this. Of no view it is nothing.
func (v *View) Open() (critical, warning int) {
	switch {
	case v == nil:
		return 0, 0
	case v.open != nil:
		return v.open.critical, v.open.warning
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

// Taken counts what goes on and somebody has taken over.
func (v *View) Taken() int {
	n := 0
	for i := range v.Live {
		if v.Live[i].Ack != (alert.Ack{}) {
			n++
		}
	}
	return n
}

// About is what is shown where a situation is opened: its place, of the feed the first
// part of it that is wrong.
func (sit *Situation) About() alert.Key {
	if sit.Place.Key.Scope == alert.Feed && len(sit.Alerts) > 0 {
		return sit.Alerts[0].Key
	}
	return sit.Place.Key
}
