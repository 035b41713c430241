package diagnosis

import (
	"slices"
	"time"

	"wallboard/model"
)

// MergeHistory adds the observations of an earlier history to t: the figures of services, the agents
// who left, and the states of agents. past must not be used afterwards. If nameless is true, agents
// had other names in past, and MergeHistory leaves out their data.
func (t *History) MergeHistory(past *History, nameless bool) {
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
		l.insertHistory(was)
		if recent {
			l.noReadySince = t.earlierStart(l.noReadySince, was.noReadySince)
			l.readySince = t.earlierStart(l.readySince, was.readySince)
			l.waitingSince = t.earlierStart(l.waitingSince, was.waitingSince)
		}
	}
	if !nameless {
		t.agents.insertHistory(&past.agents, stepOf(past.lastFresh), recent)
		t.outages = slices.Concat(recentOutages(past.outages, t.startedAt), t.outages)
	}
	t.startedAt = past.startedAt
}

// earlierStart returns the start of a condition. now is its start in t, and before is its start in
// an earlier history. If the condition was already met when t began, earlierStart returns before.
func (t *History) earlierStart(now, before time.Time) time.Time {
	if now.Equal(t.startedAt) && !before.IsZero() {
		return before
	}
	return now
}

// insertHistory adds the minutes of an earlier history. The last of these may also be the first minute of
// l.
func (l *serviceHistory) insertHistory(past *serviceHistory) {
	l.forgetResults()
	past.store(&past.current)
	if m, ok := past.minute(l.current.number); ok {
		l.current.add(&m)
	}
	l.minutes.AdvanceTo(past.minutes.Latest())
	for i := range numTotals {
		l.minutes.Update(i, func(minute int64, own float32) float32 {
			switch was := past.minutes.Get(i, minute); {
			case model.IsGap(was):
				return own
			case model.IsGap(own):
				return was
			case i == totalUnknown:
				return float32(int(was) | int(own))
			default:
				return was + own
			}
		})
	}
}

// insertHistory adds the agents who left and, up to the step last, the states of agents. If recent is
// true, the recording ended only a moment before this history began, and insertHistory also adds the
// times of state changes.
func (p *agentTable) insertHistory(past *agentTable, last int64, recent bool) {
	p.loggedOut = slices.Concat(past.loggedOut, p.loggedOut)
	p.loggedOut = p.loggedOut[max(0, len(p.loggedOut)-maxLoggedOut):]
	for k, a := range p.agents {
		was := past.agents[k]
		if was == nil {
			continue
		}
		a.states.insertHistory(was.states, last)
		if recent && was.record != nil && a.record != nil && a.stateChangedAt.IsZero() && was.record.Status == a.record.Status {
			a.stateChangedAt = was.stateChangedAt
		}
	}
}
