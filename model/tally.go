package model

import "maps"

// Tally is [FloorOf] for a viewer of one picture after the other: of the users,
// of whom there are thousands, it adds up those who have changed. The zero Tally
// is ready to use. It belongs to one goroutine.
type Tally struct {
	channel Channel
	from    *Table[UserStatKey, UserStat] // what it is of
	users   int
	states  map[UserStatus]int
	agents  sums[AgentFigures]
}

// Floor sums up one channel of a snapshot.
func (t *Tally) Floor(s *Snapshot, ch Channel) Floor {
	t.follow(s.UserStats, ch)
	f := floorOfServices(s, ch, nil)
	f.Users, f.States = t.users, maps.Clone(t.states)
	f.addUsers(s, ch)
	t.agents.into(&f.Agents, agentCounters)
	return f
}

// addUsers adds the users of whom the platform tells a state, and no figures, as where
// the subscription to these is refused. Operators have figures of their own.
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

// follow takes in a table of users. Who stands where others stood before is of no
// matter to a sum.
func (t *Tally) follow(is *Table[UserStatKey, UserStat], ch Channel) {
	was, now := t.from.Rows(), is.Rows()
	if t.states == nil || t.channel != ch || 2*changes(was, now) > len(now) {
		*t = Tally{channel: ch, states: make(map[UserStatus]int)} // less to add than to take away and add
		was = nil
	}
	t.from = is
	for i, r := range was {
		if i >= len(now) || now[i] != r {
			t.count(r, -1)
		}
	}
	for i, r := range now {
		if i >= len(was) || was[i] != r {
			t.count(r, 1)
		}
	}
}

// changes counts the places of now where was has another user.
func changes(was, now []*UserStat) int {
	n := max(len(now)-len(was), 0)
	for i, r := range was[:min(len(was), len(now))] {
		if now[i] != r {
			n++
		}
	}
	return n
}

// count adds a user, or takes them away again.
func (t *Tally) count(r *UserStat, sign int) {
	if r.Channel != t.channel {
		return
	}
	t.users += sign
	if t.states[r.Status] += sign; t.states[r.Status] == 0 {
		delete(t.states, r.Status)
	}
	t.agents.add(&r.AgentFigures, agentCounters, sign)
}
