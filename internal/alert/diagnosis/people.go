package diagnosis

import (
	"slices"
	"strings"
	"time"

	"wallboard/internal/textformat"
	"wallboard/model"
)

// Departure is an agent who is no longer available to a service.
type Departure struct {
	Username string
	Name     string // display name; after a logout, it is followed by the username if the agent has a namesake
	At       time.Time
	Status   model.UserStatus // current state; "": the agent has logged out
	// Activity is the activity code of an agent who is not ready. Service and Channel are those of
	// the contact that keeps an agent busy.
	Activity string
	Service  string
	Channel  model.Channel
}

// agentTable tracks the agents of a floor.
type agentTable struct {
	agents       map[model.UserStatKey]*agent
	byUsername   map[string][]*agent // entries of an agent by username, one per channel
	rows         []*agent            // entries in the order of the table
	generation   uint64              // generation of the table that rows follows
	users        *model.Table[string, model.User]
	loggedOut    []loggedOutAgent
	ready        map[model.Channel]int
	updateNumber uint64
	namesVersion int
}

// agent is the last known state of an agent on one channel.
type agent struct {
	key            model.UserStatKey
	record         *model.UserStat
	services       []string
	stateChangedAt time.Time // when a state change was last observed; zero: never
	updateNumber   uint64
	states         stateRing
}

// loggedOutAgent is an agent who logged out.
type loggedOutAgent struct {
	Departure
	services []string
}

// updateAgents updates the agents from a snapshot, and the numbers of agents in the histories of
// their services.
func (p *agentTable) updateAgents(t *History, s *model.Snapshot, now time.Time) {
	rows := s.UserStats.Rows()
	if p.generation != s.UserStats.Generation() || len(p.rows) != len(rows) || !p.sameOrder(rows) {
		p.arrangeRows(t, s, now)
	}
	moved := p.updateUsers(s.Users)
	for i, u := range rows {
		if a := p.rows[i]; a.record != u || moved.mayContain(a.key.Username) && !sameServices(a.services, servicesOf(s, a.key.Username)) {
			p.updateAgent(t, s, a, u, now)
		}
	}
	for len(p.loggedOut) > 0 && now.Sub(p.loggedOut[0].At) > keepLoggedOut {
		p.loggedOut = p.loggedOut[1:]
	}
}

// changedUsers holds the usernames of the agents whose services may have changed.
type changedUsers struct {
	names map[string]bool
	all   bool
}

func (w *changedUsers) mayContain(name string) bool {
	return w.all || len(w.names) > 0 && w.names[name]
}

// updateUsers processes the table of users and returns the agents whose services may have changed.
// It compares rows by position, which is fast. Thousands of agents change their state each second,
// but hardly any change their services.
func (p *agentTable) updateUsers(users *model.Table[string, model.User]) (w changedUsers) {
	before := p.users
	p.users = users
	if before == users {
		return w
	}
	old, rows := before.Rows(), users.Rows()
	if before.Generation() != users.Generation() || len(old) != len(rows) {
		return changedUsers{all: true}
	}
	for i, u := range rows {
		switch was := old[i]; {
		case was == u:
		case was.Key() != u.Key(): // the table is not a later version of the previous one
			return changedUsers{all: true}
		case !sameServices(was.Services, u.Services):
			if w.names == nil {
				w.names = make(map[string]bool)
			}
			w.names[u.Key()] = true
		}
	}
	return w
}

func (p *agentTable) sameOrder(rows []*model.UserStat) bool {
	for i, u := range rows {
		if p.rows[i].record != u && p.rows[i].key != u.Key() {
			return false
		}
	}
	return true
}

// arrangeRows puts the agents in the order of the table. It adds new agents and removes those who
// have logged out.
func (p *agentTable) arrangeRows(t *History, s *model.Snapshot, now time.Time) {
	p.generation, p.rows = s.UserStats.Generation(), p.rows[:0]
	p.updateNumber++
	before, kept := len(p.agents), 0
	for u := range s.UserStats.All() {
		a := p.agents[u.Key()]
		if a == nil {
			a = &agent{key: u.Key()}
			p.agents[a.key] = a
			p.byUsername[a.key.Username] = append(p.byUsername[a.key.Username], a)
		} else if a.updateNumber != p.updateNumber {
			kept++
		}
		a.updateNumber = p.updateNumber
		p.rows = append(p.rows, a)
	}
	allNew := before > 0 && kept == 0 && len(p.rows) > 0 // all usernames have changed because of a mask or another platform
	for k, a := range p.agents {
		if a.updateNumber == p.updateNumber {
			continue
		}
		p.countAgent(t, a, now, -1)
		if a.record != nil && !allNew {
			p.loggedOut = append(p.loggedOut, loggedOutAgent{Departure{Username: k.Username, Name: p.distinctName(a), At: now, Channel: k.Channel}, a.services})
		}
		p.removeAgent(a)
	}
	if allNew {
		p.loggedOut = nil
		p.namesVersion++
	}
	if extra := len(p.loggedOut) - maxLoggedOut; extra > 0 {
		p.loggedOut = slices.Delete(p.loggedOut, 0, extra)
	}
}

// distinctName returns the name of an agent, followed by the username if another agent, who may have
// logged out, has the same name.
func (p *agentTable) distinctName(a *agent) string {
	name, username := AgentName(a.record), a.key.Username
	if name == username {
		return name
	}
	distinct := name + " (" + username + ")"
	for other, entries := range p.byUsername {
		if r := entries[0].record; other != username && r != nil && r.Surname == a.record.Surname && r.Name == a.record.Name {
			return distinct
		}
	}
	for i := range p.loggedOut {
		if g := &p.loggedOut[i]; g.Username != username && (g.Name == name || g.Name == name+" ("+g.Username+")") {
			return distinct
		}
	}
	return name
}

// removeAgent removes the entry of an agent on a channel.
func (p *agentTable) removeAgent(a *agent) {
	name := a.key.Username
	delete(p.agents, a.key)
	left := slices.DeleteFunc(p.byUsername[name], func(o *agent) bool { return o == a })
	if p.byUsername[name] = left; len(left) == 0 {
		delete(p.byUsername, name)
	}
}

// updateAgent updates an agent from a changed record.
func (p *agentTable) updateAgent(t *History, s *model.Snapshot, a *agent, u *model.UserStat, now time.Time) {
	p.countAgent(t, a, now, -1)
	a.countEndedWork(t, u, now)
	if a.record != nil && a.record.Status != u.Status {
		a.stateChangedAt = now
	}
	a.record, a.services = u, servicesOf(s, a.key.Username)
	a.states.put(u.Status, now)
	p.countAgent(t, a, now, 1)
}

func sameServices(a, b []string) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0]) || slices.Equal(a, b)
}

// servicesOf returns the services of an agent according to the table of users.
func servicesOf(s *model.Snapshot, username string) []string {
	if u := s.Users.Get(username); u != nil {
		return u.Services
	}
	return nil
}

// countAgent adds delta to the numbers of agents in all services of the agent a. delta is 1 to add
// the agent and -1 to remove the agent.
func (p *agentTable) countAgent(t *History, a *agent, now time.Time, delta float64) {
	if a.record == nil {
		return
	}
	if a.record.Status == model.Ready {
		p.ready[a.key.Channel] += int(delta)
	}
	for _, code := range a.services {
		l := t.services[model.ServiceKey{Code: code, Channel: a.key.Channel}]
		if l == nil {
			continue
		}
		l.accumulate(now)
		if _, is := l.agents[a]; is == (delta > 0) {
			continue // the agent's list contains this service twice
		}
		*stateCount(&l.present, code, a.record) += delta
		if delta > 0 {
			l.agents[a] = struct{}{}
		} else {
			delete(l.agents, a)
		}
	}
}

// addAgentsTo adds the agents of a service to the history of the service, which must be new.
func (p *agentTable) addAgentsTo(l *serviceHistory) {
	for _, a := range p.agents {
		if a.record == nil || a.key.Channel != l.key.Channel || !slices.Contains(a.services, l.key.Code) {
			continue
		}
		if _, is := l.agents[a]; !is {
			*stateCount(&l.present, l.key.Code, a.record)++
			l.agents[a] = struct{}{}
		}
	}
}

// stateCount returns the field of h that counts an agent in the state of u, from the point of view
// of service.
func stateCount(h *HeadCount, service string, u *model.UserStat) *float64 {
	with := u.CurrentService.String()
	switch u.Status {
	case model.Ready:
		return &h.Ready
	case model.NotReady:
		return &h.Away
	case model.WNR:
		if with == service || with == "" {
			return &h.WrapUp
		}
		return &h.BusyElsewhere
	case model.Booked, model.Busy, model.NotReadyBusy:
		if with == service || with == "" && u.Status != model.NotReadyBusy {
			return &h.Handling
		}
		return &h.BusyElsewhere
	case model.BusyDNCallIn, model.BusyDNCallOut, model.BusyDNCallOutPrivate:
		return &h.OnOwnCalls
	case model.BusyElsewhere:
	}
	return &h.BusyElsewhere
}

// countEndedWork counts a talk, after-call work or own call that has ended according to the new record u.
func (a *agent) countEndedWork(t *History, u *model.UserStat, now time.Time) {
	if a.record == nil || a.record.Status == u.Status && a.record.CurrentService == u.CurrentService {
		return
	}
	switch a.record.Status {
	case model.BusyDNCallIn, model.BusyDNCallOut, model.BusyDNCallOutPrivate:
		for _, code := range a.services {
			if l := t.services[model.ServiceKey{Code: code, Channel: a.key.Channel}]; l != nil {
				l.minuteAt(now).OwnCalls++
			}
		}
		return
	case model.Ready, model.NotReady, model.BusyElsewhere, model.Booked, model.Busy, model.NotReadyBusy, model.WNR:
	}
	l := t.services[model.ServiceKey{Code: a.record.CurrentService.String(), Channel: a.key.Channel}]
	if l == nil {
		return
	}
	switch a.record.Status {
	case model.Busy, model.NotReadyBusy:
		if u.Status != model.Busy && u.Status != model.NotReadyBusy && !allowsMultipleContacts(a.key.Channel) {
			l.minuteAt(now).Talks++
		}
	case model.WNR:
		l.minuteAt(now).WrapUps++
	case model.Ready, model.NotReady, model.BusyElsewhere, model.Booked, model.BusyDNCallIn, model.BusyDNCallOut, model.BusyDNCallOutPrivate:
	}
}

// StateSince returns when the state of an agent was last seen to change, or the zero time if no
// change was observed.
func (t *History) StateSince(k model.UserStatKey) time.Time {
	if a := t.agents.agents[k]; a != nil {
		return a.stateChangedAt
	}
	return time.Time{}
}

// AgentName returns the display name of an agent.
func AgentName(u *model.UserStat) string {
	return textformat.FullName(u.Surname, u.Name, u.Username.String())
}

// Departures returns the agents of a service who have become unavailable since a time, the latest
// first: they took a break, began other work or logged out.
func (t *History) Departures(k model.ServiceKey, since time.Time) []Departure {
	l := t.services[k]
	if l == nil {
		return nil
	}
	var out []Departure
	for i := range t.agents.loggedOut {
		g := &t.agents.loggedOut[i]
		if g.Channel == k.Channel && !g.At.Before(since) && slices.Contains(g.services, k.Code) && t.agents.agents[model.UserStatKey{Username: g.Username, Channel: g.Channel}] == nil {
			out = append(out, g.Departure)
		}
	}
	for a := range l.agents {
		u := a.record
		var h HeadCount
		switch stateCount(&h, k.Code, u) {
		case &h.Away, &h.BusyElsewhere, &h.OnOwnCalls:
		default:
			continue
		}
		at, ok := u.TimeInState.Get()
		if !ok {
			at = a.stateChangedAt
		}
		if at.Before(since) {
			continue
		}
		g := Departure{Username: a.key.Username, Name: AgentName(u), At: at, Status: u.Status, Channel: u.Channel}
		if u.Status == model.NotReady {
			g.Activity = u.ActivityCode.String()
		} else {
			g.Service = u.CurrentService.String()
		}
		out = append(out, g)
	}
	slices.SortFunc(out, func(a, b Departure) int {
		if c := b.At.Compare(a.At); c != 0 {
			return c
		}
		return strings.Compare(a.Username, b.Username)
	})
	return out
}
