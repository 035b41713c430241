package model

import "slices"

// StateCount is the number of agents in a state.
type StateCount struct {
	State UserStatus
	Count Int
}

// HeadCount holds how many agents of a service or group are logged in and in each state, as sent by
// the platform. The platform does not send all of these numbers.
type HeadCount struct {
	LoggedIn, Ready, NotReady, WrapUp Int

	// The platform does not send the numbers below for groups.
	Busy, OnService             Int // Busy includes OnService, CallIn, CallOut and PrivateOut
	CallIn, CallOut, PrivateOut Int
}

// HeadCount returns the numbers of agents of a service.
func (u *ServiceUsers) HeadCount() HeadCount {
	return HeadCount{
		LoggedIn: u.LoggedUsers.Count, Ready: u.ReadyUsers.Count, NotReady: u.NotReadyUsers.Count,
		WrapUp: u.PostCallUsers.Count, Busy: u.BusyUsers.Count, OnService: u.BusyOnServUsers.Count,
		CallIn: u.BusyOnDNCallInUsers.Count, CallOut: u.BusyOnDNCallOutUsers.Count,
		PrivateOut: u.BusyOnDNCallOutUsersPrivate.Count,
	}
}

// HeadCount returns the numbers of agents of a group.
func (u *GroupUsers) HeadCount() HeadCount {
	return HeadCount{
		LoggedIn: u.LoggedUsers.Count, Ready: u.ReadyUsers.Count, NotReady: u.NotReadyUsers.Count,
		WrapUp: u.PostCallUsers.Count,
	}
}

// AgentCounts holds the number of agents of a service or group in each state, counted from the
// records of the agents.
type AgentCounts struct {
	States   map[UserStatus]int64 // nil if no agent is known
	BusyHere int64                // number of agents with the state BUSY on a contact of the service or group
}

// CountServiceAgents counts the agents who are logged in to a service. logged lists the profiles of these
// agents. If the profiles are unknown, CountServiceAgents counts the agents who are assigned to the service
// or have a contact of it.
func CountServiceAgents(s *Snapshot, k ServiceKey, logged *ProfilesInStatus) AgentCounts {
	return countAgents(s, k.Channel, logged,
		func(r *UserStat) bool { return r.IsInService(k.Code, s.Users.Get(r.Key().Username)) },
		func(r *UserStat) bool { return r.CurrentService.String() == k.Code })
}

// CountGroupAgents counts the agents of a group as [CountServiceAgents] counts those of a service.
func CountGroupAgents(s *Snapshot, k GroupKey, logged *ProfilesInStatus) AgentCounts {
	return countAgents(s, k.Channel, logged,
		func(r *UserStat) bool { return r.IsInGroup(k.Code, s.Users.Get(r.Key().Username)) },
		func(r *UserStat) bool { return r.CurrentGroup.String() == k.Code })
}

func countAgents(s *Snapshot, ch Channel, logged *ProfilesInStatus, isAssigned, hasContact func(*UserStat) bool) AgentCounts {
	ids := make(map[int64]bool, len(logged.ProfileIDs))
	for _, id := range logged.ProfileIDs {
		ids[id] = true
	}
	var c AgentCounts
	for r := range s.UserStats.All() {
		if r.Channel != ch {
			continue
		}
		id, ok := r.LoggedProfileID.Get()
		if logged.ProfileIDs != nil && (!ok || !ids[id]) || logged.ProfileIDs == nil && !isAssigned(r) {
			continue
		}
		if c.States == nil {
			c.States = make(map[UserStatus]int64)
		}
		c.States[r.Status]++
		if r.Status == Busy && hasContact(r) {
			c.BusyHere++
		}
	}
	return c
}

// IsInService reports whether an agent is assigned to a service or has a contact of it. u is the
// user record of the agent, or nil if it is unknown.
func (r *UserStat) IsInService(code string, u *User) bool {
	return r.CurrentService.String() == code || u != nil && slices.Contains(u.Services, code)
}

// IsInGroup reports whether an agent is assigned to a group or has a contact of it. u is the user
// record of the agent, or nil if it is unknown.
func (r *UserStat) IsInGroup(code string, u *User) bool {
	return r.CurrentGroup.String() == code || u != nil && slices.Contains(u.Skillsets, code)
}

// inState returns the number of agents in the state s. It is unknown if c.States is nil.
func (c *AgentCounts) inState(s UserStatus) Int {
	if c.States == nil {
		return Int{}
	}
	return IntOf(c.States[s])
}

// busyOnScope returns the number of agents who are busy with a contact of the service or group. It
// is unknown if c.States is nil.
func (c *AgentCounts) busyOnScope() Int {
	if c.States == nil {
		return Int{}
	}
	return IntOf(c.BusyHere)
}

// busyElsewhere returns the number of agents who are busy with a contact of another service or group.
// It is the larger of two counts: the agents whose records say so, and the busy agents that the
// platform counts minus those with any other known occupation. The number is unknown if both counts
// are unknown.
func (h HeadCount) busyElsewhere(c *AgentCounts) Int {
	var n int64
	known := c.States != nil
	if known {
		n = max(c.States[Busy]-c.BusyHere, 0) + c.States[BusyElsewhere]
	}
	if busy, ok := h.Busy.Get(); ok {
		known = true
		for _, part := range []Int{
			h.OnService, h.CallIn, h.CallOut, h.PrivateOut, c.inState(Booked), c.inState(NotReadyBusy),
		} {
			busy -= part.Or(0)
		}
		busy += c.States[BusyElsewhere] // the platform counts agents who are busy elsewhere as not ready
		n = max(n, busy)
	}
	if !known {
		return Int{}
	}
	return IntOf(n)
}

// notReadyHere returns the number of agents who are not ready, without the agents who are busy
// elsewhere. The platform counts the latter as not ready.
func (h HeadCount) notReadyHere(c *AgentCounts) Int {
	n, ok := h.NotReady.Get()
	if !ok || c.States == nil {
		return h.NotReady
	}
	return IntOf(max(n-c.States[BusyElsewhere], c.States[NotReady], 0))
}

// ByState returns the number of agents in each state, working states first. Numbers that the
// platform does not send are taken from c, which counts the records of the agents. These records
// may be older or newer, so each such number is limited to the logged-in agents not counted yet.
func (h HeadCount) ByState(c *AgentCounts) []StateCount {
	list := []struct {
		state         UserStatus
		told, counted Int
	}{
		{Busy, h.OnService, c.busyOnScope()},
		{BusyElsewhere, Int{}, h.busyElsewhere(c)},
		{Booked, Int{}, c.inState(Booked)},
		{WNR, h.WrapUp, c.inState(WNR)},
		{BusyDNCallIn, h.CallIn, c.inState(BusyDNCallIn)},
		{BusyDNCallOut, h.CallOut, c.inState(BusyDNCallOut)},
		{BusyDNCallOutPrivate, h.PrivateOut, c.inState(BusyDNCallOutPrivate)},
		{Ready, h.Ready, c.inState(Ready)},
		{NotReadyBusy, Int{}, c.inState(NotReadyBusy)},
		{NotReady, h.notReadyHere(c), c.inState(NotReady)},
	}
	remaining, bounded := h.LoggedIn.Get()
	for _, p := range list {
		remaining -= p.told.Or(0)
	}
	out := make([]StateCount, len(list))
	for i, p := range list {
		n := p.told
		if counted, ok := p.counted.Get(); ok && !n.Known() {
			if bounded {
				counted = min(counted, max(remaining, 0))
				remaining -= counted
			}
			n = IntOf(counted)
		}
		out[i] = StateCount{p.state, n}
	}
	return out
}
