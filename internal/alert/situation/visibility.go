package situation

import (
	"cmp"
	"slices"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/words"
	"wallboard/model"
)

// Factors and limits for holding situations back. The factors multiply [Options.Hold].
//
// A warning about an agent has little effect while no caller waits for the agent, and a break that is
// slightly too long usually ends before a supervisor asks about it. A forecast that the queue clears holds a
// situation back only for a limited time. If a caller has already waited too long, the limit is the time that
// helping agents need to arrive.
const (
	holdFactorAgents       = 5
	holdFactorBreaks       = 30 // for activity codes of unknown kind, whose limits are guesses
	holdFactorClearing     = 5
	holdFactorCritical     = 1
	shortClearFactor       = 2 // multiple of Hold; a queue that clears within this time clears shortly
	maxSmallQueue          = 2 // up to this many waiting callers, a queue does not count as growing
	minWidespreadQueues    = 4 // queues are widespread only if at least this number of services has one
	widespreadQueueDivisor = 6 // queues are widespread only if at least one in widespreadQueueDivisor services has one
	minCrowdedQueue        = 5 // minimum size of a queue that is shown at once if few agents are logged in
)

// updateVisible decides whether a situation is shown or held back. A situation of a service, group
// or agent that has been shown stays visible until it ends.
//
// Empty queues and single callers who have just arrived are held back. A warning is held back for
// [Options.Hold], or a multiple of it if it is about an agent. A queue that does not grow and will clear
// shortly is held back for longer. Critical situations are shown at once, except queues that are critical
// only because of the longest wait and that will clear shortly by forecast. Also shown at once are long
// queues, situations of custom rules, of the feed, the floor and campaigns, of figures of the day, and
// those that existed at the start. If many services have queues, half of Options.Hold applies.
func (w *Tracker) updateVisible(l *placeState, now time.Time) {
	sit := &l.current
	lasts := now.Sub(sit.Since)
	l.updateSamples(now)
	if w.hold <= 0 || allDaily(sit.Alerts) || lasts < 0 || sit.FromStart && !w.pastSituations.follower.journal.Covers(now) || hasCustomRule(sit.Alerts) ||
		sit.Level == alert.Critical && !onlyLongWait(sit.Alerts) {
		l.visible = true
		return
	}
	switch sit.Place.Key.Scope {
	case alert.Service, alert.Group:
		l.visible = l.visible || sit.Affected > 0 && !sit.displayPriority.isShortWait && (w.isOverdue(l, lasts, now) || l.isCrowded() || w.queuesWidespread && lasts >= w.hold/2)
	case alert.User:
		l.visible = l.visible || lasts >= holdFactor(sit.Alerts)*w.hold
	case alert.Feed, alert.Floor, alert.Campaign:
		l.visible = true
	}
}

// areQueuesWidespread reports whether many services have a queue: at least [minWidespreadQueues] services,
// and at least one in [widespreadQueueDivisor].
func areQueuesWidespread(places []placeAlerts, s *model.Snapshot) bool {
	queues := 0
	for _, p := range places {
		k := p.key.place
		if k.Scope != alert.Service || p.key.daily {
			continue
		}
		if r := s.Services.Get(model.ServiceKey{Code: k.Code, Channel: k.Channel}); r != nil && r.ChannelStats.QueuedCalls.Or(0) > 0 {
			queues++
		}
	}
	return queues >= minWidespreadQueues && widespreadQueueDivisor*queues >= s.Services.Len()
}

// isBrief reports whether a single contact waits and has waited for less than hold.
func (q queue) isBrief(hold time.Duration) bool {
	n, ok := q.waiting.Get()
	longest, timed := q.longestWait.Seconds()
	return ok && timed && n == 1 && longest < hold
}

// holdFactor returns the factor of [Options.Hold] for a situation about an agent that consists of
// alerts.
func holdFactor(alerts []alert.Alert) time.Duration {
	if slices.ContainsFunc(alerts, func(a alert.Alert) bool { return a.Rule != alert.RuleNotReady }) {
		return holdFactorAgents
	}
	return holdFactorBreaks
}

// isCrowded reports whether the queue is too long to clear when one call or break ends. Such a
// queue has at least [minCrowdedQueue] contacts. It also has as many contacts as logged-in agents, or
// half as many and is growing.
func (l *placeState) isCrowded() bool {
	sit := &l.current
	return sit.Affected >= minCrowdedQueue && (sit.Affected >= sit.displayPriority.loggedIn || l.isGrowing() && sit.Affected >= sit.displayPriority.loggedIn/2)
}

// isOverdue reports whether a queue must be shown. A critical queue must be shown if it is not
// expected to clear shortly or has been critical for too long. Another queue must be shown only
// after w.hold, if it is not expected to clear shortly or has lasted too long. lasts is how long
// the queue has lasted.
func (w *Tracker) isOverdue(l *placeState, lasts time.Duration, now time.Time) bool {
	sit := &l.current
	clears := sit.Help.ClearTimeKnown && sit.Help.ClearTime <= shortClearFactor*w.hold && !l.isGrowing()
	if sit.Level == alert.Critical {
		return !clears || now.Sub(sit.CriticalSince) >= holdFactorCritical*w.hold
	}
	return lasts >= w.hold && (!clears || lasts >= holdFactorClearing*w.hold)
}

// onlyLongWait reports whether all critical alerts are about the longest wait.
func onlyLongWait(alerts []alert.Alert) bool {
	return !slices.ContainsFunc(alerts, func(a alert.Alert) bool { return a.Level == alert.Critical && a.Rule != alert.RuleLongestWait })
}

// sampleInterval is the interval at which [placeState.updateSamples] samples the number of people
// affected.
const sampleInterval = 30 * time.Second

// updateSamples sets the time since which the situation has been critical. Every [sampleInterval]
// it also samples the number of people affected.
func (l *placeState) updateSamples(now time.Time) {
	switch {
	case l.current.Level != alert.Critical:
		l.current.CriticalSince = time.Time{}
	case l.current.CriticalSince.IsZero() || l.current.CriticalSince.After(now):
		l.current.CriticalSince = now
	}
	if passed := now.Sub(l.sampledAt); passed >= sampleInterval || passed < 0 {
		l.previousAffected, l.lastAffected, l.sampledAt = l.lastAffected, l.current.Affected, now
	}
}

// isGrowing reports whether more people are affected than two samples ago, and more than
// [maxSmallQueue].
func (l *placeState) isGrowing() bool {
	return l.current.Affected > maxSmallQueue && l.current.Affected > l.previousAffected
}

// hiddenOrSilenced returns the situations that are held back or silenced, sorted by the title of
// their place.
func (w *Tracker) hiddenOrSilenced() []Situation {
	var out []Situation
	for _, l := range w.places {
		if l.hasSituation && (!l.visible || !silentUntil(l.current.Alerts).IsZero()) {
			out = append(out, l.current)
		}
	}
	slices.SortFunc(out, func(a, b Situation) int {
		return cmp.Or(cmp.Compare(a.Place.Title, b.Place.Title), cmp.Compare(a.ID, b.ID))
	})
	return out
}

// heldBack returns the situations that are held back, sorted by title. It leaves out situations
// about agents and silenced ones.
func (v *View) heldBack() []*Situation {
	var out []*Situation
	for i := range v.HeldBack {
		if sit := &v.HeldBack[i]; sit.Place.Key.Scope != alert.User && silentUntil(sit.Alerts).IsZero() {
			out = append(out, sit)
		}
	}
	return out
}

// PlacesHeldBack returns the places whose situation is held back, sorted by title. It leaves out
// agents and silenced places.
func (v *View) PlacesHeldBack() []Place {
	var out []Place
	for _, sit := range v.heldBack() {
		out = append(out, sit.Place)
	}
	return out
}

// heldBackLine returns the quiet line for a view in which all situations are held back or silenced.
// The line does not say that all is well, because rows and tiles show the alerts of the places.
func heldBackLine(v *View) words.Text {
	const most = 3
	monitoring := words.SituationMonitoring
	watched := v.heldBack()
	unattended := v.unattendedMessage()
	if !unattended.IsZero() {
		monitoring = words.SituationMonitoringToo
		if len(v.Unattended) == 1 && len(watched) == 1 && watched[0].Place.Key == v.Unattended[0].Place.Key {
			watched = nil // the text already names the place
		}
	}
	parts := []words.Text{unattended}
	if n := len(watched); n > 0 {
		var names []words.Text
		for _, sit := range watched[:min(n, most)] {
			name := sit.Place.message()
			if sit.Level == alert.Critical {
				name = words.SituationMonitoringCritical(name)
			}
			names = append(names, name)
		}
		places := words.List(names)
		if n > most {
			places = words.SituationAndMore(names, n-most)
		}
		parts = append(parts, monitoring(places))
	}
	if n := len(v.Silenced); n > 0 {
		parts = append(parts, words.SituationSilenced(n))
	}
	return words.JoinStatements(parts...)
}

// hasCustomRule reports whether one of the live alerts was raised by a custom rule or by a built-in
// rule about something other than queues and agents.
func hasCustomRule(alerts []alert.Alert) bool {
	return slices.ContainsFunc(alerts, func(a alert.Alert) bool { return !a.Daily && alert.BuiltInRule(a.Rule).Column == alert.ColumnNone })
}
