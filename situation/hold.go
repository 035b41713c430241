package situation

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"wallboard/alert"
	"wallboard/model"
)

// How many times as long as a queue other things are held back. A warning about an agent
// while nobody waits for them hurts nobody; a break that is somewhat long is over before
// anybody would ask about it. The board's word that a queue clears shortly counts for a
// while, and for one that waits for too long already for no longer than anybody would
// take to send help.
const (
	heldAgents  = 5
	heldBreaks  = 30 // of a kind that nobody knows, for which the limit is only a guess
	heldClears  = 5
	heldTooLong = 1
	shortly     = 2 // in which it clears
	few         = 2 // who wait: of more it matters whether they become more
	manyQueues  = 4 // services with a queue at once
	partOfAll   = 6 // the part of all services on a channel that they are at least
	crowd       = 5 // who wait: so many are told of at once where few agents are there for them
)

// tell decides whether a situation is told. What is told stays so for its life. What
// nobody would act on is held back: a queue that nobody is in any more, one in which one
// alone has hardly waited, or one that clears by itself before anybody could send help and
// does not grow; unless it is a crowd. What is critical is told at once, but for a queue
// that is so by a long wait alone and clears shortly by what the board expects; so is what
// own rules say, a queue that has lasted for half the time where many services have one at
// once, as in a lunch of all, what is about the feed, the floor or a campaign, and what was there from
// the start.
func (w *Watch) tell(l *life, now time.Time) {
	sit := &l.current
	lasts := now.Sub(sit.Since)
	l.note(now)
	if w.hold <= 0 || allOfDay(sit.Alerts) || lasts < 0 || sit.FromStart || ownRule(sit.Alerts) ||
		sit.Level == alert.Critical && !byWait(sit.Alerts) {
		l.told = true
		return
	}
	switch sit.Place.Key.Scope {
	case alert.Service, alert.Group:
		l.told = l.told || sit.Hurts > 0 && !sit.brief && (w.late(l, lasts, now) || l.crowded() || w.widespread && lasts >= w.hold/2)
	case alert.User:
		l.told = l.told || lasts >= heldFor(sit.Alerts)*w.hold
	case alert.Feed, alert.Floor, alert.Campaign:
		l.told = true
	}
}

// widespread reports whether so many services have a queue at once that it is no chance:
// several, and a part of all.
func widespread(places []*gathered, s *model.Snapshot) bool {
	queues := 0
	for _, p := range places {
		k := p.key.place
		if k.Scope != alert.Service || p.key.day {
			continue
		}
		if r := s.Services.Get(model.ServiceKey{Code: k.Code, Channel: k.Channel}); r != nil && r.ChannelStats.QueuedCalls.Or(0) > 0 {
			queues++
		}
	}
	return queues >= manyQueues && partOfAll*queues >= s.Services.Len()
}

// brief reports whether one alone waits, and for less than anybody would take to send
// help.
func (q queue) brief(hold time.Duration) bool {
	n, ok := q.waiting.Get()
	longest, timed := q.longest.Seconds()
	return ok && timed && n == 1 && longest < hold
}

// heldFor is how many times as long as a queue what is wrong with an agent is held back.
func heldFor(alerts []alert.Alert) time.Duration {
	if slices.ContainsFunc(alerts, func(a alert.Alert) bool { return a.Rule != alert.NotReady }) {
		return heldAgents
	}
	return heldBreaks
}

// crowded reports whether at least as many wait as agents are logged in for them, or half
// as many who become more: no contact that ends, and no pause, makes that good.
func (l *life) crowded() bool {
	sit := &l.current
	return sit.Hurts >= crowd && (sit.Hurts >= sit.logged || l.grows() && sit.Hurts >= sit.logged/2)
}

// late reports whether a queue has gone on for so long that somebody has to know.
func (w *Watch) late(l *life, lasts time.Duration, now time.Time) bool {
	sit := &l.current
	clears := sit.Help.ByItselfKnown && sit.Help.ByItself <= shortly*w.hold && !l.grows()
	if sit.Level == alert.Critical {
		return !clears || now.Sub(sit.Critical) >= heldTooLong*w.hold
	}
	return lasts >= w.hold && (!clears || lasts >= heldClears*w.hold)
}

// byWait reports whether alerts are critical by how long somebody waits alone.
func byWait(alerts []alert.Alert) bool {
	return !slices.ContainsFunc(alerts, func(a alert.Alert) bool { return a.Level == alert.Critical && a.Rule != "longest wait" })
}

// recentFor is the time that a queue is compared over, to see whether it grows.
const recentFor = 30 * time.Second

// note notes since when a situation has been critical, and how many it hurt a while ago.
func (l *life) note(now time.Time) {
	switch {
	case l.current.Level != alert.Critical:
		l.current.Critical = time.Time{}
	case l.current.Critical.IsZero() || l.current.Critical.After(now):
		l.current.Critical = now
	}
	if passed := now.Sub(l.noted); passed >= recentFor || passed < 0 {
		l.before, l.hurt, l.noted = l.hurt, l.current.Hurts, now
	}
}

// grows reports whether more people are hurt than a while ago, and more than a few.
func (l *life) grows() bool { return l.current.Hurts > few && l.current.Hurts > l.before }

// held are the situations that are not told, by name.
func (w *Watch) held() []Situation {
	var out []Situation
	for _, l := range w.lives {
		if l.open && (!l.told || !silentUntil(l.current.Alerts).IsZero()) {
			out = append(out, l.current)
		}
	}
	slices.SortFunc(out, func(a, b Situation) int {
		return cmp.Or(cmp.Compare(a.Place.Title, b.Place.Title), cmp.Compare(a.ID, b.ID))
	})
	return out
}

// Watched are the places where something goes on that nobody has to act on yet, by name:
// not all is well.
func (v *View) Watched() []Place {
	var out []Place
	for i := range v.Held {
		if sit := &v.Held[i]; sit.Place.Key.Scope != alert.User && silentUntil(sit.Alerts).IsZero() {
			out = append(out, sit.Place)
		}
	}
	return out
}

// unquiet is the quiet line where something is raised and nobody has to act on it yet:
// it says what, and does not say that all is well.
func unquiet(v *View) string {
	const most = 3
	text := "Nothing to do yet"
	watched := v.Watched()
	if n := len(watched); n > 0 {
		var names []string
		for _, p := range watched[:min(n, most)] {
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
var builtIn = append(slices.Clone(ofQueues), "wrap-up", alert.NotReady, alert.BreakTooLong, "booked", "talking")

// ownRule reports whether one of some alerts is of a rule that the board does not come
// with.
func ownRule(alerts []alert.Alert) bool {
	return slices.ContainsFunc(alerts, func(a alert.Alert) bool { return !a.Day && !slices.Contains(builtIn, a.Rule) })
}
