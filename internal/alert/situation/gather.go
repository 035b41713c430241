package situation

import (
	"slices"
	"time"
	"weak"

	"wallboard/internal/alert"
	"wallboard/model"
)

// placeAlerts holds the alerts that form the situation of one place.
type placeAlerts struct {
	key    placeKey
	alerts []alert.Alert
}

// grouping holds the buffers that [Tracker.groupByPlace] reuses in each update.
type grouping struct {
	places           []placeAlerts
	index            map[placeKey]int // index in places
	counts           []int            // number of alerts of each place
	placeOf          []int            // index in places of the place of each active alert
	open, unsilenced map[alert.Key]bool
}

func (g *grouping) reset(alerts int) {
	if g.index == nil {
		g.index, g.open, g.unsilenced = make(map[placeKey]int), make(map[alert.Key]bool), make(map[alert.Key]bool)
	}
	clear(g.index)
	clear(g.open)
	clear(g.unsilenced)
	clear(g.places) // the previous alerts may be unused now
	g.places, g.counts, g.placeOf = g.places[:0], g.counts[:0], slices.Grow(g.placeOf[:0], alerts)[:alerts]
}

// put assigns the active alert with index i to a place.
func (g *grouping) put(k placeKey, i int) {
	n, known := g.index[k]
	if !known {
		n = len(g.places)
		g.index[k] = n
		g.places, g.counts = append(g.places, placeAlerts{key: k}), append(g.counts, 0)
	}
	g.placeOf[i] = n
	g.counts[n]++
}

// sort sorts the active alerts by place and assigns each place its part of the list. It changes the
// list in place, because a copy of all alerts in each update is expensive. It returns the position
// to which each alert was moved.
func (g *grouping) sort(active []alert.Alert) (moved []int) {
	start := 0
	for n := range g.places {
		end := start + g.counts[n]
		g.places[n].alerts = active[start:end:end]
		g.counts[n], start = start, end
	}
	moved = make([]int, len(active))
	for i, n := range g.placeOf {
		moved[i] = g.counts[n]
		g.counts[n]++
	}
	to := append(g.placeOf[:0], moved...)
	for i := range to {
		for k := to[i]; k != i; k = to[i] {
			active[i], active[k] = active[k], active[i]
			to[i], to[k] = to[k], k
		}
	}
	return moved
}

// groupByPlace groups the active alerts by the place to whose situation they belong, in the order of the
// places' first alerts. It moves the alerts within active, to which the tracker keeps a reference. The
// results contain slices of active and are valid until the next call.
func (w *Tracker) groupByPlace(s *model.Snapshot, active []alert.Alert, now time.Time) []placeAlerts {
	g := &w.grouping
	g.reset(len(active))
	put := func(place alert.Key, i int) { g.put(placeKey{place, active[i].Daily}, i) }
	open := g.open          // places with an active live alert
	audible := g.unsilenced // places with an active live alert that is not silenced
	for i := range active {
		switch a := &active[i]; a.Key.Scope {
		case alert.Group, alert.User:
		case alert.Feed:
			put(alert.Key{Scope: alert.Feed}, i)
		case alert.Service, alert.Campaign, alert.Floor:
			put(a.Key, i)
			open[a.Key] = open[a.Key] || !a.Daily
			audible[a.Key] = audible[a.Key] || !a.Daily && a.SilentUntil.IsZero()
		}
	}
	// An alert that is not silenced does not join a silenced situation.
	joins := func(a *alert.Alert, place alert.Key) bool {
		return !open[place] || audible[place] || !a.SilentUntil.IsZero()
	}
	w.groupServices.update(s, containsAlert(active, func(a *alert.Alert) bool { return a.Key.Scope == alert.Group }), now)
	still, people := make(map[string]alert.Key), make(map[placeKey]alert.Key)
	for i := range active {
		switch a := &active[i]; a.Key.Scope {
		case alert.Group:
			place, is := w.placeOfGroup(a, open)
			if is = is && joins(a, place); is {
				still[a.ID] = place
			} else {
				place = a.Key
			}
			put(place, i)
		case alert.User:
			place := w.placeOfUser(s, a, open)
			if place == a.Key || !joins(a, place) {
				place = w.agentPlace(people, a)
			}
			put(place, i)
		case alert.Feed, alert.Service, alert.Campaign, alert.Floor:
		}
	}
	w.joinedTo, w.agentPlaces = still, people
	w.lastAlerts = alertList{active, g.sort(active)}
	return g.places
}

// placeOfGroup returns the service whose situation the alert of a group joins. An alert stays with
// the situation that it has joined. The bool result is false if the alert joins no situation.
func (w *Tracker) placeOfGroup(a *alert.Alert, open map[alert.Key]bool) (alert.Key, bool) {
	if a.Daily {
		return a.Key, false
	}
	if place, hasJoined := w.joinedTo[a.ID]; hasJoined {
		return place, true
	}
	return w.groupServices.serviceOf(a.Key, open)
}

// agentPlace returns the place of an agent's alert that does not join the situation of a service.
// The alerts of one agent on all channels form one situation, on the channel of the first alert.
// people holds the places of the agents found so far in this evaluation.
func (w *Tracker) agentPlace(people map[placeKey]alert.Key, a *alert.Alert) alert.Key {
	who := placeKey{alert.Key{Scope: alert.User, Code: a.Key.Code}, a.Daily}
	place, here := people[who]
	if !here {
		if place, here = w.agentPlaces[who]; !here {
			place = a.Key
		}
		people[who] = place
	}
	return place
}

// placeOfUser returns the service whose situation names the agent of the alert as a cause. If there
// is none, it returns the key of the agent.
func (w *Tracker) placeOfUser(s *model.Snapshot, a *alert.Alert, open map[alert.Key]bool) alert.Key {
	u := s.Users.Get(a.Key.Code)
	if u == nil || a.Daily {
		return a.Key
	}
	for _, code := range u.Services {
		k := alert.Key{Scope: alert.Service, Code: code, Channel: a.Key.Channel}
		if l := w.places[placeKey{k, false}]; open[k] && l != nil && l.hasSituation && l.current.namesAgent(a.Key.Code) {
			return k
		}
	}
	return a.Key
}

// namesAgent reports whether a cause of the situation says that the agent has left or is in long
// after-call work.
func (sit *Situation) namesAgent(username string) bool {
	for i := range sit.Causes {
		for _, p := range sit.Causes[i].Departed {
			if p.Username == username {
				return true
			}
		}
	}
	return false
}

// groupServices counts, for each group and service, the agents who belong to the group and serve
// the service.
type groupServices struct {
	users     weak.Pointer[model.Table[string, model.User]] // the table counted last
	agents    int                                           // number of records in the counted table
	counts    map[string]map[string]int                     // number of agents who belong to a group and serve a service: by group, then by service
	countedAt time.Time                                     // time of the last count
}

// countsMaxAge is how long a count stays valid if no alert needs it and the number of agents does
// not rise.
const countsMaxAge = 30 * time.Second

// update counts again if the table of users has changed. needed is true if there is an alert about
// a group. Otherwise update may keep a count for [countsMaxAge]. A group without agents keeps its
// previous counts, because the platform may no longer report agents who have logged out.
func (d *groupServices) update(s *model.Snapshot, needed bool, now time.Time) {
	users := weak.Make(s.Users)
	newAgents := d.counts == nil || s.Users.Len() > d.agents
	if d.users == users || !needed && !newAgents && now.Sub(d.countedAt).Abs() < countsMaxAge {
		return
	}
	was := d.counts
	d.users, d.agents, d.countedAt, d.counts = users, s.Users.Len(), now, make(map[string]map[string]int)
	for u := range s.Users.All() {
		for _, g := range u.Skillsets {
			if d.counts[g] == nil {
				d.counts[g] = make(map[string]int)
			}
			for _, code := range u.Services {
				d.counts[g][code]++
			}
		}
	}
	for g, codes := range was {
		if d.counts[g] == nil {
			d.counts[g] = codes
		}
	}
}

// serviceOf returns the service that most agents of a group serve. It considers only services on
// the channel of the group with an active live alert in open. The bool result is false if there is
// none.
func (d *groupServices) serviceOf(group alert.Key, open map[alert.Key]bool) (alert.Key, bool) {
	var best alert.Key
	most := 0
	for k, live := range open {
		if !live || k.Scope != alert.Service || k.Channel != group.Channel {
			continue
		}
		if n := d.counts[group.Code][k.Code]; n > most || n == most && n > 0 && k.Code < best.Code {
			best, most = k, n
		}
	}
	return best, most > 0
}
