package situation

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"wallboard/alert"
)

// How many times as long as that of a queue a warning about an agent is held back: while
// nobody waits for them, nobody is hurt. A break that is somewhat long is over before
// anybody would ask about it.
const (
	heldAgents = 5
	heldBreaks = 15
)

// tell decides whether a situation is told. What is told stays so for its life. A
// warning that nobody would act on is held back: a queue that nobody is in any more,
// or that clears by itself before anybody could send help. What is critical, what own
// rules say, what is about the feed, the floor or a campaign, and what was there from
// the start is told at once.
func (w *Watch) tell(l *life, now time.Time) {
	sit := &l.current
	lasts := now.Sub(sit.Since)
	if w.hold <= 0 || sit.Level != alert.Warning || allOfDay(sit.Alerts) || lasts < 0 || sit.FromStart || ownRule(sit.Alerts) {
		l.told = true
		return
	}
	switch sit.Place.Key.Scope {
	case alert.Service, alert.Group:
		clears := sit.Help.ByItselfKnown && sit.Help.ByItself <= w.hold
		l.told = l.told || lasts >= w.hold && sit.Hurts > 0 && !clears
	case alert.User:
		times := time.Duration(heldAgents)
		if !slices.ContainsFunc(sit.Alerts, func(a alert.Alert) bool { return a.Rule != "not ready" }) {
			times = heldBreaks
		}
		l.told = l.told || lasts >= times*w.hold
	case alert.Feed, alert.Floor, alert.Campaign:
		l.told = true
	}
}

// watched are the places where something goes on that is not told yet, by name.
func (w *Watch) watched() []Place {
	var out []Place
	for _, l := range w.lives {
		if l.open && !l.told && silentUntil(l.current.Alerts).IsZero() && l.current.Place.Key.Scope != alert.User {
			out = append(out, l.current.Place)
		}
	}
	slices.SortFunc(out, func(a, b Place) int {
		return cmp.Or(cmp.Compare(a.Title, b.Title), cmp.Compare(a.Key.String(), b.Key.String()))
	})
	return out
}

// unquiet is the quiet line where something is raised and nobody has to act on it yet:
// it says what, and does not say that all is well.
func unquiet(v *View) string {
	const most = 3
	text := "Nothing to do yet"
	if n := len(v.Watched); n > 0 {
		var names []string
		for _, p := range v.Watched[:min(n, most)] {
			names = append(names, p.Title)
		}
		text += " · watching " + strings.Join(names, ", ")
		if n > most {
			text += " and " + strconv.Itoa(n-most) + " more"
		}
	}
	if n := len(v.Silenced); n > 0 {
		text += " · " + strconv.Itoa(n) + " silenced"
	}
	return text
}

// builtIn are the names of the built-in rules about queues and agents.
var builtIn = append(slices.Clone(ofQueues), "wrap-up", "not ready", "booked", "talking")

// ownRule reports whether one of some alerts is of a rule that the board does not come
// with.
func ownRule(alerts []alert.Alert) bool {
	return slices.ContainsFunc(alerts, func(a alert.Alert) bool { return !a.Day && !slices.Contains(builtIn, a.Rule) })
}
