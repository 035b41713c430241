package diagnosis

import (
	"slices"
	"time"
)

// Remember adds what past has observed before this history began: the figures of services, and the
// agents who left. past must not be used afterwards. If nameless is set, the agents had other names
// then, and their history is left out.
func (t *History) Remember(past *History, nameless bool) {
	if past.startedAt.IsZero() || !t.startedAt.IsZero() && t.startedAt.Before(past.lastUpdate) {
		return
	}
	past.accumulateAll()
	recent := t.startedAt.Sub(past.lastUpdate) <= longestGap
	for k, l := range t.services {
		was := past.services[k]
		if was == nil {
			continue
		}
		for i := range was.minutes {
			l.insertPast(&was.minutes[i])
		}
		if recent {
			l.noReadySince = t.earlierStart(l.noReadySince, was.noReadySince)
			l.readySince = t.earlierStart(l.readySince, was.readySince)
			l.waitingSince = t.earlierStart(l.waitingSince, was.waitingSince)
		}
	}
	if !nameless {
		t.agents.insertPast(&past.agents, stepOf(past.lastFresh), recent)
		t.outages = slices.Concat(recentOutages(past.outages, t.startedAt), t.outages)
	}
	t.startedAt = past.startedAt
}

// earlierStart returns when a condition began. now is the start that this history knows, before the
// one that the earlier history knows; before counts if the condition already held when this history
// began.
func (t *History) earlierStart(now, before time.Time) time.Time {
	if now.Equal(t.startedAt) && !before.IsZero() {
		return before
	}
	return now
}

// insertPast adds a recorded minute. It does not replace a later minute.
func (l *serviceHistory) insertPast(m *minute) {
	switch own := &l.minutes[m.number%keptMinutes]; {
	case m.number == 0 || own.number > m.number:
	case own.number == m.number:
		own.add(&m.Span)
	default:
		*own = *m
	}
}

// insertPast adds the agents who left and the states of agents up to last, the last recorded step.
// If the recording ended only a moment before this history began (recent), it also adds the times
// of state changes.
func (p *agentTable) insertPast(past *agentTable, last int64, recent bool) {
	p.loggedOut = slices.Concat(past.loggedOut, p.loggedOut)
	p.loggedOut = p.loggedOut[max(0, len(p.loggedOut)-maxLoggedOut):]
	for k, a := range p.agents {
		was := past.agents[k]
		if was == nil {
			continue
		}
		a.states.insertPast(was.states, last)
		if recent && was.record != nil && a.record != nil && a.stateChangedAt.IsZero() && was.record.Status == a.record.Status {
			a.stateChangedAt = was.stateChangedAt
		}
	}
}
