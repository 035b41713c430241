package world

import "time"

// ForceUpdate changes the state of n agents in a valid way, for load tests. It returns the number
// of changed agents: n, or the number of all agents if there are fewer. Agents take turns, each on
// their first channel. With [Options.Channels] they change each of their channels in turn. A change
// affects exactly one UserStat and one UserProfileStat. If fewer than n agents are logged in,
// others are logged in first. A login counts as a change and affects the records of all channels of
// the agent.
//
// No contact is assigned to the changed agents before the next [World.Step].
func (w *World) ForceUpdate(n int) int { return w.forcedUpdater.forceUpdates(n) }

// forcedUpdater changes the states of agents, one agent after the other.
type forcedUpdater struct {
	w         *World
	round     uint64 // number of the current call of forceUpdates
	nextAgent int    // number of agents tried so far; modulo the number of agents, it is the index of the next one
}

// forceUpdates implements [World.ForceUpdate].
func (f *forcedUpdater) forceUpdates(n int) int {
	w := f.w
	n = min(n, len(w.agents))
	present := 0
	for _, u := range w.agents {
		if u.isLoggedIn {
			present++
		}
	}
	moved := 0
	for _, u := range w.agents {
		if present+moved == n || present >= n {
			break
		}
		if !u.isLoggedIn {
			u.login()
			u.forcedRound = f.round + 1
			moved++
		}
	}
	f.round++
	for ; moved < n; f.nextAgent++ {
		u := w.agents[f.nextAgent%len(w.agents)]
		if u.isLoggedIn && u.forcedRound != f.round {
			u.forcedRound = f.round
			f.changeState(u)
			moved++
		}
	}
	return n
}

// changeState changes the state or the activity code of an agent on a channel.
func (f *forcedUpdater) changeState(u *user) {
	w := f.w
	m := u.channels[0]
	if w.opts.Channels > 0 {
		m = u.channels[f.nextAgent/len(w.agents)%len(u.channels)]
	}
	switch m.state {
	case stateReady:
		f.pauseChannel(m)
	case stateNotReady:
		if u.isBusy {
			m.setState(stateNotReadyBusy, activityNone)
			return
		}
		m.setState(stateReady, activityNone)
		w.scheduleAfter(0, u.assignNextContact)
	case stateBooked:
		u.contact.answer()
	case stateBusy:
		u.requestedPause = &pause{activityPause, w.randomBetween(30*time.Second, 90*time.Second)}
		m.setState(stateNotReadyBusy, activityPause)
	case stateNotReadyBusy:
		if !m.isServing {
			f.pauseChannel(m)
			return
		}
		u.requestedPause = nil
		m.setState(stateBusy, activityNone)
	case stateWNR, stateDNIn, stateDNOut, stateDNPrivate:
		m.changeDetailCode()
	case stateOffline:
	}
}

// changeDetailCode changes the second activity code.
func (m *userChannel) changeDetailCode() {
	if m.detailCode == "NOTED" {
		m.detailCode = "SOLVED"
	} else {
		m.detailCode = "NOTED"
	}
	m.markChanged()
}

// pauseChannel makes an agent not ready on a channel. All pauses of the agent then end together.
func (f *forcedUpdater) pauseChannel(m *userChannel) {
	w := f.w
	m.setState(stateNotReady, activityPause)
	m.user.endPauseAfter(w.randomBetween(30*time.Second, 90*time.Second))
}
