package forecast

import (
	"time"

	"wallboard/model"
)

// AgentsByHalfHour holds the number of agents logged in on a channel at each half hour of a day. 0 means
// that the number is unknown.
type AgentsByHalfHour [HalfHours + 1]uint32

// countAgents stores the numbers of agents of a snapshot at the half hour slot, unless they are
// already known. It reports whether it stored any.
func (d *IntradayDay) countAgents(s *model.Snapshot, slot int) (stored bool) {
	counts := make(map[model.Channel]*AgentsByHalfHour)
	for u := range s.UserStats.All() {
		if counts[u.Channel] == nil {
			counts[u.Channel] = new(AgentsByHalfHour)
		}
		counts[u.Channel][slot]++
	}
	return d.mergeAgents(counts)
}

// mergeAgents adds the numbers of agents that d lacks from more. It reports whether it added any.
func (d *IntradayDay) mergeAgents(more map[model.Channel]*AgentsByHalfHour) (added bool) {
	for ch, c := range more {
		own := d.Agents[ch]
		if own == nil {
			if d.Agents == nil {
				d.Agents = make(map[model.Channel]*AgentsByHalfHour)
			}
			own = new(AgentsByHalfHour)
			d.Agents[ch] = own
		}
		for i, n := range c {
			if own[i] == 0 && n > 0 {
				own[i], added = n, true
			}
		}
	}
	return added
}

func cloneAgents(agents map[model.Channel]*AgentsByHalfHour) map[model.Channel]*AgentsByHalfHour {
	out := make(map[model.Channel]*AgentsByHalfHour, len(agents))
	for ch, c := range agents {
		out[ch] = new(*c)
	}
	return out
}

// agentsAt returns the number of agents at a time of day, interpolated between two half hours. If only one
// of them is known, it returns that number, and if none is known, 0.
func (c *AgentsByHalfHour) agentsAt(timeOfDay time.Duration) float64 {
	const half = 30 * time.Minute
	slot := min(int(timeOfDay/half), HalfHours-1)
	from, to := float64(c[slot]), float64(c[slot+1])
	if from == 0 || to == 0 {
		return max(from, to)
	}
	return from + (to-from)*float64(timeOfDay-time.Duration(slot)*half)/float64(half)
}

// UsualStaff returns the usual number of agents logged in on a channel at t, divided by the usual
// number at now. Both numbers are from the earlier days that are comparable with the day of now. If
// one of them is unknown, UsualStaff returns 0.
func (l *IntradayLog) UsualStaff(now, t time.Time, ch model.Channel) float64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	present, then := 0.0, 0.0
	for _, d := range l.earlierDays(l.local(now)) {
		c := d.Agents[ch]
		if c == nil {
			continue
		}
		if a, b := c.agentsAt(sinceMidnight(l.local(now))), c.agentsAt(sinceMidnight(l.local(t))); a > 0 && b > 0 {
			present, then = present+a, then+b
		}
	}
	return then / max(present, 1)
}
