package situation

import (
	"slices"
	"time"

	"wallboard/alert"
)

// ChangeKind is what became of a situation.
type ChangeKind string

// The kinds of changes.
const (
	Begun  ChangeKind = "begun" // it is told from now on
	Worse  ChangeKind = "worse" // it has become critical
	Joined ChangeKind = "joined"
	Over   ChangeKind = "over"
)

// Change is something that became of a situation that is told.
type Change struct {
	Kind      ChangeKind
	Situation *Situation // as it is now; of one that is over as it was last
	Day       bool       // figures of the day are what it is about
	Ended     time.Time
	Headline  string        // of one that is over how bad it was
	New       []alert.Alert // that it has from now on, and those that have become worse
}

// Changes are what became of situations between two views: those that are over first.
// Nothing has of what was never seen before. One that has gone over into another, or is
// silenced, is not over; what is silenced is not begun.
func Changes(before, now *View) []Change {
	if before == nil || now == nil || before == now {
		return nil
	}
	var out []Change
	was, goesOn := byID(before.Live, before.Today), byID(now.Live, now.Held, now.Today)
	for _, day := range []bool{false, true} {
		for i := range before.listed(day) {
			sit := &before.listed(day)[i]
			if goesOn[sit.ID] != nil {
				continue
			}
			if c, is := ended(sit, day, now); is {
				out = append(out, c)
			}
		}
	}
	for _, day := range []bool{false, true} {
		list := now.listed(day)
		for i := range list {
			sit := &list[i]
			old := was[sit.ID]
			c := Change{Situation: sit, Day: day, New: news(old, sit)}
			switch {
			case old == nil:
				c.Kind = Begun
			case old.Level < sit.Level:
				c.Kind = Worse
			case len(c.New) > 0:
				c.Kind = Joined
			default:
				continue
			}
			out = append(out, c)
		}
	}
	return out
}

// ended is the end of a situation that is not in the view of now. It reports whether anybody
// is told of it.
func ended(sit *Situation, day bool, now *View) (Change, bool) {
	c := Change{Kind: Over, Situation: sit, Day: day, Ended: now.At, Headline: sit.Headline}
	if day {
		return c, true
	}
	i := slices.IndexFunc(now.Recovered, func(r Recovered) bool { return r.Place.Key == sit.Place.Key && r.Began.Equal(sit.Since) })
	if i < 0 {
		return Change{}, false
	}
	c.Ended, c.Headline = now.Recovered[i].Ended, now.Recovered[i].Headline
	return c, true
}

// listed are the situations that are told, of what goes on or of the day.
func (v *View) listed(day bool) []Situation {
	if day {
		return v.Today
	}
	return v.Live
}

// byID are the situations of some lists: a large floor has thousands, and is looked at every
// second.
func byID(lists ...[]Situation) map[string]*Situation {
	n := 0
	for _, list := range lists {
		n += len(list)
	}
	out := make(map[string]*Situation, n)
	for _, list := range lists {
		for i := range list {
			out[list[i].ID] = &list[i]
		}
	}
	return out
}

// news are the alerts that a situation has got, or that have become worse.
func news(was, sit *Situation) []alert.Alert {
	if was == nil {
		return sit.Alerts
	}
	var out []alert.Alert
	for i := range sit.Alerts {
		a := &sit.Alerts[i]
		if !slices.ContainsFunc(was.Alerts, func(b alert.Alert) bool { return b.ID == a.ID && b.Level >= a.Level }) {
			out = append(out, *a)
		}
	}
	return out
}
