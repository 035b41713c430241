package situation

import (
	"slices"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/words"
)

// ChangeKind is the kind of a [Change].
type ChangeKind string

// Kinds of changes.
const (
	ChangeBegun  ChangeKind = "begun"  // the situation is new in the view
	ChangeWorse  ChangeKind = "worse"  // the situation has become critical
	ChangeJoined ChangeKind = "joined" // the situation has new alerts or one of its alerts has become worse
	ChangeEnded  ChangeKind = "over"   // the situation has ended
	// ChangeExplained means that the explanation of the situation has changed; see [ExplanationChanges].
	ChangeExplained ChangeKind = "explained"
)

// Change describes a change of a situation from one view to a later one.
type Change struct {
	Kind      ChangeKind
	Situation *Situation    // current state or, for ChangeEnded, the last known state
	Daily     bool          // the situation is about figures of the day
	Ended     time.Time     // for ChangeEnded: when the situation ended
	Headline  string        // for ChangeEnded: describes how bad the situation was
	headline  words.Text    // Headline as a message; zero: only the text was recorded
	NewAlerts []alert.Alert // alerts that were added or became worse
}

// Lasted returns how long the situation of a [ChangeEnded] lasted.
func (c *Change) Lasted() time.Duration { return max(c.Ended.Sub(c.Situation.Since), 0) }

// News is what viewers are told about changes of situations.
type News struct {
	Critical     []*Situation // situations that have begun as critical or become so, most urgent first
	LiveCritical bool         // Critical has a situation that is not about figures of the day
	Resolved     []*Change    // situations that were critical and have ended
	Bell         bool         // an alert with a bell has begun or become worse
	RecoveryBell bool         // a critical situation with an alert with a bell has ended
}

// IsNews reports whether [NewsOf] may announce the change or ring the bell for it.
func (c *Change) IsNews() bool {
	if c.Kind == ChangeEnded {
		return c.Situation.HighestLevel == alert.Critical
	}
	return c.Kind != ChangeJoined && c.Situation.Level == alert.Critical || slices.ContainsFunc(c.NewAlerts, ringsBell)
}

// ringsBell reports whether the bell rings for an alert.
func ringsBell(a alert.Alert) bool {
	return a.Bell && a.SilentUntil.IsZero() && a.Ack == (alert.Ack{})
}

// NewsOf returns the news of changes for a viewer who sees the view now. The changes may have
// happened some time ago. Besides ended situations, News therefore contains only situations that
// still need action in now, in their current state, each one once and the most urgent first.
func NewsOf(changes []Change, now *View) (out News) {
	critical := make(map[*Situation]bool)
	for i := range changes {
		c := &changes[i]
		if c.Kind == ChangeEnded {
			if c.IsNews() {
				out.Resolved = append(out.Resolved, c)
				out.RecoveryBell = out.RecoveryBell || slices.ContainsFunc(c.Situation.Alerts, func(a alert.Alert) bool { return a.Bell })
			}
			continue
		}
		sit := now.listedByID(c.Situation.ID)
		if sit == nil || !sit.NeedsAction() {
			continue
		}
		critical[sit] = critical[sit] || c.Kind != ChangeJoined && sit.Level == alert.Critical
		out.Bell = out.Bell || slices.ContainsFunc(c.NewAlerts, func(a alert.Alert) bool {
			return a.Bell && slices.ContainsFunc(sit.Alerts, func(b alert.Alert) bool { return b.ID == a.ID && ringsBell(b) })
		})
	}
	for _, day := range []bool{false, true} {
		for i := range now.listedSituations(day) {
			if sit := &now.listedSituations(day)[i]; critical[sit] {
				out.Critical, out.LiveCritical = append(out.Critical, sit), out.LiveCritical || !day
			}
		}
	}
	return out
}

// Changes returns the changes of situations from one view to the next, ended situations first. It
// returns nil if one of the views is nil. A live situation that is now part of another one or
// silenced does not count as ended. A silenced situation does not count as begun.
func Changes(before, now *View) []Change {
	if before == nil || now == nil || before == now {
		return nil
	}
	var out []Change
	was, current := byID(before.Live, before.Today), byID(now.Live, now.HeldBack, now.Today)
	for _, day := range []bool{false, true} {
		for i := range before.listedSituations(day) {
			sit := &before.listedSituations(day)[i]
			if current[sit.ID] != nil {
				continue
			}
			if c, is := endedChange(sit, day, now); is {
				out = append(out, c)
			}
		}
	}
	for _, day := range []bool{false, true} {
		list := now.listedSituations(day)
		for i := range list {
			sit := &list[i]
			old := was[sit.ID]
			c := Change{Situation: sit, Daily: day, NewAlerts: newAlerts(old, sit)}
			switch {
			case old == nil:
				c.Kind = ChangeBegun
			case old.Level < sit.Level:
				c.Kind = ChangeWorse
			case len(c.NewAlerts) > 0:
				c.Kind = ChangeJoined
			default:
				continue
			}
			out = append(out, c)
		}
	}
	return out
}

// SilencedEndChanges returns a [ChangeEnded] for each situation that was silenced in the view before and
// has ended. These changes are recorded but not announced, so [Changes] does not return them.
func SilencedEndChanges(before, now *View) []Change {
	if before == nil || now == nil || len(now.Recovered) == 0 {
		return nil
	}
	var out []Change
	for i := range before.HeldBack {
		sit := &before.HeldBack[i]
		if silentUntil(sit.Alerts).IsZero() {
			continue
		}
		if c, is := endedChange(sit, false, now); is {
			out = append(out, c)
		}
	}
	return out
}

// endedChange returns the change for a situation that is missing in the view now. The bool result is false
// for a live situation that did not end, but was merged into another one or silenced. day is true for a
// situation about figures of the day.
func endedChange(sit *Situation, day bool, now *View) (Change, bool) {
	c := Change{Kind: ChangeEnded, Situation: sit, Daily: day, Ended: now.At, Headline: sit.Headline, headline: sit.messages.headline}
	if day {
		return c, true
	}
	i := slices.IndexFunc(now.Recovered, func(r EndedSituation) bool { return r.ID == sit.ID })
	if i < 0 {
		return Change{}, false
	}
	r := &now.Recovered[i]
	c.Ended, c.Headline, c.headline = r.Ended, r.Headline, r.headline
	return c, true
}

// listedSituations returns the situations about figures of the day if day is true, otherwise the
// live ones.
func (v *View) listedSituations(day bool) []Situation {
	if day {
		return v.Today
	}
	return v.Live
}

// byID returns the situations by their ID. It allocates the map at its final size, because a large
// floor has thousands of situations, and they are compared every second.
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

// newAlerts returns the alerts of sit that are not in was, its earlier state, or that have become
// worse since. If was is nil, it returns all alerts.
func newAlerts(was, sit *Situation) []alert.Alert {
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
