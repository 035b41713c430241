package model

import "maps"

// FloorTally computes the result of [FloorOf] for one snapshot after another. If few records in
// UserStats have changed since the last snapshot, it adds up only these again. The zero FloorTally
// is ready to use. It is not safe for concurrent use.
type FloorTally struct {
	channel   Channel
	lastTable *Table[UserStatKey, UserStat] // UserStats of the last snapshot
	users     int                           // number of users on the channel
	states    map[UserStatus]int            // number of users by state
	agents    counterSums[AgentFigures]     // sums of the users' figures
}

// Floor sums up one channel of a snapshot. It returns the same as [FloorOf] for all records.
func (t *FloorTally) Floor(s *Snapshot, ch Channel) Floor {
	t.update(s.UserStats, ch)
	f := floorOfServices(s, ch, nil)
	f.Users, f.States = t.users, maps.Clone(t.states)
	f.addUsers(s, ch)
	t.agents.writeTo(&f.Agents, agentCounters)
	return f
}

// addUsers adds users whose state is known but who have no record in UserStats, for example because
// the server refuses userStats. Operators are omitted, because they have their own figures.
func (f *Floor) addUsers(s *Snapshot, ch Channel) {
	var operators map[string]bool
	for u := range s.Users.All() {
		state := u.StateOn(ch)
		if state == "" || s.UserStats.Get(UserStatKey{u.Key(), ch}) != nil {
			continue
		}
		if operators == nil {
			operators = make(map[string]bool, s.Operators.Len())
			for o := range s.Operators.All() {
				operators[o.Key().Username] = true
			}
		}
		if !operators[u.Key()] {
			f.Users++
			f.States[state]++
		}
	}
}

// update changes the sums to those of the users in current. The order of the rows does not affect
// the sums.
func (t *FloorTally) update(current *Table[UserStatKey, UserStat], ch Channel) {
	previous, now := t.lastTable.Rows(), current.Rows()
	if t.states == nil || t.channel != ch || 2*countChanges(previous, now) > len(now) {
		*t = FloorTally{channel: ch, states: make(map[UserStatus]int)} // starting over is faster
		previous = nil
	}
	t.lastTable = current
	for i, r := range previous {
		if i >= len(now) || now[i] != r {
			t.countUser(r, -1)
		}
	}
	for i, r := range now {
		if i >= len(previous) || previous[i] != r {
			t.countUser(r, 1)
		}
	}
}

// countChanges returns the number of rows in now that differ from the row of was at the same index.
func countChanges(was, now []*UserStat) int {
	n := max(len(now)-len(was), 0)
	for i, r := range was[:min(len(was), len(now))] {
		if now[i] != r {
			n++
		}
	}
	return n
}

// countUser adds a user to the sums if sign is 1, or subtracts them if sign is -1.
func (t *FloorTally) countUser(r *UserStat, sign int) {
	if r.Channel != t.channel {
		return
	}
	t.users += sign
	if t.states[r.Status] += sign; t.states[r.Status] == 0 {
		delete(t.states, r.Status)
	}
	t.agents.add(&r.AgentFigures, agentCounters, sign)
}
