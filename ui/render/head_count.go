package render

import (
	"wallboard/model"
)

// headCount holds how many agents of a service or group are logged in and in each state, as sent by
// the platform. The platform does not send all of these numbers.
type headCount struct {
	loggedIn, ready, notReady, wrapUp model.Int

	// The platform does not send the following numbers for groups.
	busy, onService             model.Int // busy includes onService, callIn, callOut and privateOut
	callIn, callOut, privateOut model.Int
}

func serviceHeads(u *model.ServiceUsers) headCount {
	return headCount{
		loggedIn: u.LoggedUsers.Count, ready: u.ReadyUsers.Count, notReady: u.NotReadyUsers.Count,
		wrapUp: u.PostCallUsers.Count, busy: u.BusyUsers.Count, onService: u.BusyOnServUsers.Count,
		callIn: u.BusyOnDNCallInUsers.Count, callOut: u.BusyOnDNCallOutUsers.Count,
		privateOut: u.BusyOnDNCallOutUsersPrivate.Count,
	}
}

func groupHeads(u *model.GroupUsers) headCount {
	return headCount{
		loggedIn: u.LoggedUsers.Count, ready: u.ReadyUsers.Count, notReady: u.NotReadyUsers.Count,
		wrapUp: u.PostCallUsers.Count,
	}
}

// agentCounts holds the number of agents of a service or group in each state, counted from the
// records of the agents. states is nil if no agent is known.
type agentCounts struct {
	states   map[model.UserStatus]int64
	busyHere int64 // number of agents with the state BUSY on a contact of the service or group
}

// countAgents counts the agents who are logged in to the service or group of the scope. logged
// lists the profiles of these agents. If logged lists no profiles, countAgents counts the agents
// who are assigned to the scope.
func countAgents(s *model.Snapshot, scope Scope, logged *model.ProfilesInStatus) agentCounts {
	ids := make(map[int64]bool, len(logged.ProfileIDs))
	for _, id := range logged.ProfileIDs {
		ids[id] = true
	}
	var c agentCounts
	for r := range s.UserStats.All() {
		if r.Channel != scope.Channel {
			continue
		}
		id, ok := r.LoggedProfileID.Get()
		if logged.ProfileIDs != nil && (!ok || !ids[id]) || logged.ProfileIDs == nil && !scope.includes(r, s.Users) {
			continue
		}
		if c.states == nil {
			c.states = make(map[model.UserStatus]int64)
		}
		c.states[r.Status]++
		if r.Status == model.Busy && scope.isBusyWith(r) {
			c.busyHere++
		}
	}
	return c
}

// isBusyWith reports whether an agent's current contact belongs to the scope's service and group.
func (s Scope) isBusyWith(r *model.UserStat) bool {
	return (s.Service == "" || r.CurrentService.String() == s.Service) &&
		(s.Group == "" || r.CurrentGroup.String() == s.Group)
}

// countInState returns the number of agents in the state s. The number is unknown if no agent is
// known.
func (c *agentCounts) countInState(s model.UserStatus) model.Int {
	if c.states == nil {
		return model.Int{}
	}
	return model.IntOf(c.states[s])
}

// countBusyOnScope returns the number of agents who are busy with the service or group. The number
// is unknown if no agent is known.
func (c *agentCounts) countBusyOnScope() model.Int {
	if c.states == nil {
		return model.Int{}
	}
	return model.IntOf(c.busyHere)
}

// elsewhereCount returns the number of agents who are busy with a contact of another service or
// group. They are the busy agents who remain after subtracting those with any other known
// occupation. The number is unknown if the number of busy agents is unknown.
func (h headCount) elsewhereCount(c *agentCounts) model.Int {
	var n int64
	known := c.states != nil
	if known {
		n = max(c.states[model.Busy]-c.busyHere, 0) + c.states[model.BusyElsewhere]
	}
	if busy, ok := h.busy.Get(); ok {
		known = true
		for _, part := range []model.Int{
			h.onService, h.callIn, h.callOut, h.privateOut, c.countInState(model.Booked), c.countInState(model.NotReadyBusy),
		} {
			busy -= part.Or(0)
		}
		busy += c.states[model.BusyElsewhere] // the platform counts agents who are busy elsewhere as not ready
		n = max(n, busy)
	}
	if !known {
		return model.Int{}
	}
	return model.IntOf(n)
}

// notReadyCount returns the number of agents who are not ready. It excludes agents who are busy
// elsewhere, whom the platform counts as not ready.
func (h headCount) notReadyCount(c *agentCounts) model.Int {
	n, ok := h.notReady.Get()
	if !ok || c.states == nil {
		return h.notReady
	}
	return model.IntOf(max(n-c.states[model.BusyElsewhere], c.states[model.NotReady], 0))
}

// stateShares returns the number of agents in each state, in the order of [StateOrder]. Numbers
// that the platform does not send are counted from the records of the agents. These records may be
// older or newer, so their numbers are limited to the logged-in agents that remain.
func (h headCount) stateShares(c *agentCounts, ch model.Channel) []stateShare {
	list := []struct {
		state         State
		told, counted model.Int
	}{
		{StateOf(model.Busy, ch), h.onService, c.countBusyOnScope()},
		{StateOf(model.BusyElsewhere, ch), model.Int{}, h.elsewhereCount(c)},
		{StateOf(model.Booked, ch), model.Int{}, c.countInState(model.Booked)},
		{StateOf(model.WNR, ch), h.wrapUp, c.countInState(model.WNR)},
		{StateOf(model.BusyDNCallIn, ch), h.callIn, c.countInState(model.BusyDNCallIn)},
		{StateOf(model.BusyDNCallOut, ch), h.callOut, c.countInState(model.BusyDNCallOut)},
		{StateOf(model.BusyDNCallOutPrivate, ch), h.privateOut, c.countInState(model.BusyDNCallOutPrivate)},
		{StateOf(model.Ready, ch), h.ready, c.countInState(model.Ready)},
		{StateOf(model.NotReadyBusy, ch), model.Int{}, c.countInState(model.NotReadyBusy)},
		{StateOf(model.NotReady, ch), h.notReadyCount(c), c.countInState(model.NotReady)},
	}
	remaining, bounded := h.loggedIn.Get()
	for _, p := range list {
		remaining -= p.told.Or(0)
	}
	out := make([]stateShare, len(list))
	for i, p := range list {
		n := p.told
		if counted, ok := p.counted.Get(); ok && !n.Known() {
			if bounded {
				counted = min(counted, max(remaining, 0))
				remaining -= counted
			}
			n = model.IntOf(counted)
		}
		out[i] = stateShare{state: p.state, value: n}
	}
	return out
}
