package situation

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"wallboard/internal/alert"
	"wallboard/model"
)

// Factors and limits for holding situations back; the heldX factors multiply
// [Options.Hold]. A warning about an agent has little effect while no caller waits for
// the agent, and a slightly long break usually ends before a supervisor asks about it.
// The forecast that a queue clears is trusted for a limited time; if a caller already
// waits too long, only for the time that help needs to arrive.
const (
	holdAgents   = 5
	holdBreaks   = 30 // for codes of unknown kind, whose limit is a guess
	holdClearing = 5
	holdCritical = 1
	clearsSoon   = 2 // Hold times within which a queue clears "shortly"
	fewWaiting   = 2 // waiting callers; growth is ignored up to this number
	manyQueues   = 4 // services with a queue at the same time
	queueShare   = 6 // that are at least one in this many of all services
	crowdSize    = 5 // waiting callers that are reported at once if few agents are logged in
)

// updateVisible decides whether a situation is shown or held back. Once shown, it stays visible
// for its life.
//
// Situations that need no action yet are held back: an empty queue, a single caller who
// has just arrived, and a queue that does not grow and clears before help could arrive,
// unless many callers wait. Critical situations are shown at once, except queues that
// are critical only by the longest wait and clear shortly by forecast. Also shown at
// once are situations of custom rules, of the feed, the floor and campaigns, and those
// that existed at the start. If many services have queues at the same time, a queue is
// held back for only half of [Options.Hold].
func (w *Tracker) updateVisible(l *placeState, now time.Time) {
	sit := &l.current
	lasts := now.Sub(sit.Since)
	l.note(now)
	if w.hold <= 0 || allDaily(sit.Alerts) || lasts < 0 || sit.FromStart || hasCustomRule(sit.Alerts) ||
		sit.Level == alert.Critical && !onlyLongWait(sit.Alerts) {
		l.visible = true
		return
	}
	switch sit.Place.Key.Scope {
	case alert.Service, alert.Group:
		l.visible = l.visible || sit.Affected > 0 && !sit.brief && (w.overdue(l, lasts, now) || l.crowded() || w.widespread && lasts >= w.hold/2)
	case alert.User:
		l.visible = l.visible || lasts >= holdFactor(sit.Alerts)*w.hold
	case alert.Feed, alert.Floor, alert.Campaign:
		l.visible = true
	}
}

// widespread reports whether so many services have a queue that chance does not explain
// it: at least [manyQueues] and a certain share of all.
func widespread(places []*placeAlerts, s *model.Snapshot) bool {
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
	return queues >= manyQueues && queueShare*queues >= s.Services.Len()
}

// brief reports whether a single contact waits and has waited for less than hold.
func (q queue) brief(hold time.Duration) bool {
	n, ok := q.waiting.Get()
	longest, timed := q.longest.Seconds()
	return ok && timed && n == 1 && longest < hold
}

// holdFactor returns the factor by which an agent's alerts are held back.
func holdFactor(alerts []alert.Alert) time.Duration {
	if slices.ContainsFunc(alerts, func(a alert.Alert) bool { return a.Rule != alert.NotReady }) {
		return holdAgents
	}
	return holdBreaks
}

// crowded reports whether at least as many contacts wait as agents are logged in, or
// half as many and growing. Such a queue does not clear when one call or break ends.
func (l *placeState) crowded() bool {
	sit := &l.current
	return sit.Affected >= crowdSize && (sit.Affected >= sit.logged || l.growing() && sit.Affected >= sit.logged/2)
}

// overdue reports whether a queue has lasted so long that it must be shown.
func (w *Tracker) overdue(l *placeState, lasts time.Duration, now time.Time) bool {
	sit := &l.current
	clears := sit.Help.ClearsInKnown && sit.Help.ClearsIn <= clearsSoon*w.hold && !l.growing()
	if sit.Level == alert.Critical {
		return !clears || now.Sub(sit.Critical) >= holdCritical*w.hold
	}
	return lasts >= w.hold && (!clears || lasts >= holdClearing*w.hold)
}

// onlyLongWait reports whether the longest wait is the only reason that alerts are critical.
func onlyLongWait(alerts []alert.Alert) bool {
	return !slices.ContainsFunc(alerts, func(a alert.Alert) bool { return a.Level == alert.Critical && a.Rule != "longest wait" })
}

// sampleEvery is the interval over which [placeState.growing] compares a queue.
const sampleEvery = 30 * time.Second

// note records since when the situation has been critical, and samples its size every
// [sampleEvery].
func (l *placeState) note(now time.Time) {
	switch {
	case l.current.Level != alert.Critical:
		l.current.Critical = time.Time{}
	case l.current.Critical.IsZero() || l.current.Critical.After(now):
		l.current.Critical = now
	}
	if passed := now.Sub(l.sampledAt); passed >= sampleEvery || passed < 0 {
		l.prevAffected, l.lastAffected, l.sampledAt = l.lastAffected, l.current.Affected, now
	}
}

// growing reports whether more people are affected than at the last sample, and more than
// a few.
func (l *placeState) growing() bool {
	return l.current.Affected > fewWaiting && l.current.Affected > l.prevAffected
}

// held returns the situations that are held back or silenced, by title.
func (w *Tracker) held() []Situation {
	var out []Situation
	for _, l := range w.places {
		if l.open && (!l.visible || !silentUntil(l.current.Alerts).IsZero()) {
			out = append(out, l.current)
		}
	}
	slices.SortFunc(out, func(a, b Situation) int {
		return cmp.Or(cmp.Compare(a.Place.Title, b.Place.Title), cmp.Compare(a.ID, b.ID))
	})
	return out
}

// HeldPlaces returns the places with a situation that is held back, by title, without
// agents and silenced places.
func (v *View) HeldPlaces() []Place {
	var out []Place
	for i := range v.Held {
		if sit := &v.Held[i]; sit.Place.Key.Scope != alert.User && silentUntil(sit.Alerts).IsZero() {
			out = append(out, sit.Place)
		}
	}
	return out
}

// watchingLine returns the quiet line for a view that has only held-back or silenced
// situations. It does not say that all is well.
func watchingLine(v *View) string {
	const most = 3
	text := "Nothing to do yet"
	watched := v.HeldPlaces()
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

// builtInRules lists the built-in rules about queues and agents.
var builtInRules = append(slices.Clone(queueRules), "wrap-up", alert.NotReady, alert.BreakTooLong, "booked", "talking")

// hasCustomRule reports whether a live alert comes from a custom rule.
func hasCustomRule(alerts []alert.Alert) bool {
	return slices.ContainsFunc(alerts, func(a alert.Alert) bool { return !a.Day && !slices.Contains(builtInRules, a.Rule) })
}
