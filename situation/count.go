package situation

import "wallboard/alert"

// Open counts what goes on and needs a person: every place that says how much does says
// this. Of no view it is nothing.
func (v *View) Open() (critical, warning int) {
	if v == nil {
		return 0, 0
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
