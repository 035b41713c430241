package situation

import "wallboard/alert"

// Open counts what goes on and nobody has taken over: every place that says how much
// needs a person says this. Of no view it is nothing.
func (v *View) Open() (critical, warning int) {
	if v == nil {
		return 0, 0
	}
	for i := range v.Live {
		switch s := &v.Live[i]; {
		case s.Ack != alert.Ack{}:
		case s.Level == alert.Critical:
			critical++
		default:
			warning++
		}
	}
	return critical, warning
}

// About is what is shown where a situation is opened: its place, of the feed the first
// part of it that is wrong.
func (sit *Situation) About() alert.Key {
	if sit.Place.Key.Scope == alert.Feed && len(sit.Alerts) > 0 {
		return sit.Alerts[0].Key
	}
	return sit.Place.Key
}
