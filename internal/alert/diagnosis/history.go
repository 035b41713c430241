package diagnosis

import (
	"maps"
	"slices"
	"strings"
	"time"

	"wallboard/model"
)

const (
	// longestGap is the longest time between two snapshots that does not count as a gap in the
	// observation.
	longestGap = 30 * time.Second
	// maxLoggedOut limits the number of logged-out agents in the history, and keepLoggedOut how
	// long they stay there.
	maxLoggedOut  = 500
	keepLoggedOut = 2 * time.Hour
)

// History is the recent history of a floor. It is not safe for concurrent use.
type History struct {
	services   map[model.ServiceKey]*serviceHistory
	rows       []*serviceHistory // histories in the order of the table of services
	generation uint64            // generation of the table that rows follows

	agents agentTable

	snapshot   *model.Snapshot
	lastUpdate time.Time // time of the last call of Update with current figures; zero after an interruption
	lastFresh  time.Time // like lastUpdate but not reset by an interruption
	outages    []outage
	startedAt  time.Time // start of the history
	restarts   uint64
}

// NewHistory returns an empty History.
func NewHistory() *History {
	return &History{
		services: make(map[model.ServiceKey]*serviceHistory),
		agents: agentTable{
			agents: make(map[model.UserStatKey]*agent), byUsername: make(map[string][]*agent), ready: make(map[model.Channel]int),
		},
	}
}

// Since returns the start of the history, or the zero time if nothing has been observed yet.
func (t *History) Since() time.Time { return t.startedAt }

// NamesVersion returns a counter that increases when the names of agents change, for example
// because a mask hides them. Callers must then drop texts with names of agents.
func (t *History) NamesVersion() int { return t.agents.namesVersion }

// Update adds a snapshot to the history. now is the server time. A snapshot in which agents or services
// are not current interrupts the observation instead. Update skips unchanged records.
func (t *History) Update(s *model.Snapshot, now time.Time) {
	now = now.Round(0)
	if !IsFresh(&s.Health) {
		t.accumulateAll()
		t.lastUpdate = time.Time{}
		return
	}
	passed := now.Sub(t.lastUpdate)
	gap := t.lastUpdate.IsZero() || passed < 0 || passed > longestGap || s.Health.Restarts != t.restarts
	if gap {
		t.restartServices(now, passed < 0)
		t.recordOutage(now)
	}
	if t.startedAt.IsZero() || now.Before(t.startedAt) {
		t.startedAt = now
	}
	t.lastUpdate, t.lastFresh, t.restarts = now, now, s.Health.Restarts
	if s == t.snapshot && !gap {
		return
	}
	t.updateServices(s, now)
	t.agents.updateAgents(t, s, now)
	t.snapshot = s
}

// IsFresh reports whether the figures of services and agents are current.
func IsFresh(h *model.Health) bool {
	if h.Link.State != model.LinkUp {
		return false
	}
	for _, op := range []model.Op{model.OpServices, model.OpUserStats, model.OpUsers} {
		if sub := h.Subscription(op); sub != nil && !sub.State.IsFresh() && sub.State != model.SubWaiting {
			return false
		}
	}
	return true
}

// accumulateAll adds the time since the last update to the figures of all services.
func (t *History) accumulateAll() {
	if t.lastUpdate.IsZero() {
		return
	}
	for _, l := range t.services {
		l.accumulate(t.lastUpdate)
	}
}

// restartServices restarts the counting for all services after a period without observation. If
// setBack is true, the clock was set back and restartServices drops the minutes in the future.
func (t *History) restartServices(now time.Time, setBack bool) {
	t.accumulateAll()
	for _, l := range t.services {
		l.restart(now)
		if setBack {
			l.dropFuture(now)
		}
	}
}

// updateServices updates the histories of the services from a snapshot.
func (t *History) updateServices(s *model.Snapshot, now time.Time) {
	rows := s.Services.Rows()
	if t.generation != s.Services.Generation() || len(t.rows) != len(rows) || !t.sameOrder(rows) {
		t.arrangeRows(s, now)
	}
	for i, r := range rows {
		if l := t.rows[i]; l.record != r {
			l.accumulate(now)
			l.update(r, now)
		}
	}
}

// sameOrder reports whether rows and t.rows list the same services in the same order.
func (t *History) sameOrder(rows []*model.Service) bool {
	for i, r := range rows {
		if t.rows[i].record != r && t.rows[i].key != r.Key() {
			return false
		}
	}
	return true
}

// arrangeRows puts the histories of services in the order of the table. It adds new services and
// drops those that no longer exist.
func (t *History) arrangeRows(s *model.Snapshot, now time.Time) {
	t.generation, t.rows = s.Services.Generation(), t.rows[:0]
	for r := range s.Services.All() {
		l := t.services[r.Key()]
		if l == nil {
			l = newServiceHistory(r.Key(), now)
			t.services[l.key] = l
			t.agents.addAgentsTo(l)
		}
		t.rows = append(t.rows, l)
	}
	if len(t.services) > len(t.rows) {
		maps.DeleteFunc(t.services, func(k model.ServiceKey, _ *serviceHistory) bool { return s.Services.Get(k) == nil })
	}
}

// serviceHistory returns the history of a service, complete up to the last update, or nil if there
// is no such service.
func (t *History) serviceHistory(k model.ServiceKey) *serviceHistory {
	l := t.services[k]
	if l != nil && !t.lastUpdate.IsZero() {
		l.accumulate(t.lastUpdate)
	}
	return l
}

// PeriodTotals returns the totals of a service between two times. If the period was not observed,
// Seconds of the result is 0.
func (t *History) PeriodTotals(k model.ServiceKey, from, to time.Time) PeriodTotals {
	if l := t.serviceHistory(k); l != nil {
		return l.totalsBetween(from, to)
	}
	return PeriodTotals{}
}

// UsualStaff returns the usual number of a service's agents who are logged in and not away: the
// upper quartile over the minutes of a period. ok is false if the number is unknown.
func (t *History) UsualStaff(k model.ServiceKey, from, to time.Time) (n float64, ok bool) {
	if l := t.serviceHistory(k); l != nil {
		return l.usualStaff(from, to)
	}
	return 0, false
}

// UsualElsewhere returns the usual number of a service's agents who are busy elsewhere: with
// another service or channel, or on other calls. It is the median over the minutes of a period. ok
// is false if the number is unknown.
func (t *History) UsualElsewhere(k model.ServiceKey, from, to time.Time) (n float64, ok bool) {
	if l := t.serviceHistory(k); l != nil {
		return l.usualElsewhere(from, to)
	}
	return 0, false
}

// ReadyAgents returns the number of ready agents on a channel.
func (t *History) ReadyAgents(ch model.Channel) int { return t.agents.ready[ch] }

// CurrentHeadCount returns how many of a service's agents are in each state. Unknown numbers are 0.
func (t *History) CurrentHeadCount(k model.ServiceKey) HeadCount {
	if l := t.services[k]; l != nil {
		h, _ := l.headCount()
		return h
	}
	return HeadCount{}
}

// NoneReadySince returns since when a service has had no ready agent, but not before from, the
// start of a situation. It returns the zero time if an agent is ready, if the number of ready
// agents is unknown, or if the observation began after from and has seen no ready agent.
func (t *History) NoneReadySince(k model.ServiceKey, from time.Time) time.Time {
	l := t.services[k]
	switch {
	case l == nil || l.noReadySince.IsZero() || l.noReadySince.After(from) && l.noReadySince.Equal(l.observedSince):
		return time.Time{}
	case l.noReadySince.Before(from):
		return from
	}
	return l.noReadySince
}

// ReadySince returns since when a service has had at least one ready agent. If no agent is ready or
// nothing is known, it returns the zero time.
func (t *History) ReadySince(k model.ServiceKey) time.Time {
	if l := t.services[k]; l != nil {
		return l.readySince
	}
	return time.Time{}
}

// WaitingSince returns since when contacts of a service have been waiting without interruption. If
// no contact is waiting or nothing is known, it returns the zero time.
func (t *History) WaitingSince(k model.ServiceKey) time.Time {
	if l := t.services[k]; l != nil {
		return l.waitingSince
	}
	return time.Time{}
}

// Agents returns the agents who serve a service on its channel, sorted by username.
func (t *History) Agents(k model.ServiceKey) []*model.UserStat {
	l := t.services[k]
	if l == nil {
		return nil
	}
	out := make([]*model.UserStat, 0, len(l.agents))
	for a := range l.agents {
		out = append(out, a.record)
	}
	slices.SortFunc(out, func(a, b *model.UserStat) int {
		return strings.Compare(a.Username.String(), b.Username.String())
	})
	return out
}
