package situation

import (
	"slices"
	"time"

	"wallboard/alert"
)

// heldAgents is how many times as long as that of a queue a warning about an agent is
// held back: while nobody waits for them, nobody is hurt.
const heldAgents = 5

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
		l.told = l.told || lasts >= heldAgents*w.hold
	case alert.Feed, alert.Floor, alert.Campaign:
		l.told = true
	}
}

// builtIn are the names of the built-in rules about queues and agents.
var builtIn = append(slices.Clone(ofQueues), "wrap-up", "not ready", "booked", "talking")

// ownRule reports whether one of some alerts is of a rule that the board does not come
// with.
func ownRule(alerts []alert.Alert) bool {
	return slices.ContainsFunc(alerts, func(a alert.Alert) bool { return !a.Day && !slices.Contains(builtIn, a.Rule) })
}
