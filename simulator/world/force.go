package world

import "time"

// ForceUpdate makes a legal move with n agents, taken in turn, each on the first
// of his channels only, or on one after the other where all agents have the same
// channels, and returns how many it moved: n, or all agents when
// there are fewer. Each move changes exactly one UserStat and one
// UserProfileStat, for load tests. When fewer than n agents are logged in, the
// missing ones are logged in first, which is their move and changes the records
// of all their channels.
//
// No contact is handed out until the next [World.Step].
func (w *World) ForceUpdate(n int) int {
	n = min(n, len(w.agents))
	here := 0
	for _, u := range w.agents {
		if u.here {
			here++
		}
	}
	moved := 0
	for _, u := range w.agents {
		if here+moved == n || here >= n {
			break
		}
		if !u.here {
			u.login()
			u.nudged = w.nudges + 1
			moved++
		}
	}
	w.nudges++
	for ; moved < n; w.nextNudge++ {
		u := w.agents[w.nextNudge%len(w.agents)]
		if u.here && u.nudged != w.nudges {
			u.nudged = w.nudges
			w.nudge(u)
			moved++
		}
	}
	return n
}

// nudge moves one agent on his first channel.
func (w *World) nudge(u *user) {
	m := u.media[0]
	if w.opts.Channels > 0 {
		m = u.media[w.nextNudge/len(w.agents)%len(u.media)]
	}
	switch m.state {
	case stateReady:
		w.nudgePause(m)
	case stateNotReady:
		if u.busy {
			m.become(stateNotReadyBusy, activityNone)
			return
		}
		m.become(stateReady, activityNone)
		w.after(0, u.seekWork)
	case stateBooked:
		w.answer(u.contact)
	case stateBusy:
		u.wish = &pause{activityPause, w.between(30*time.Second, 90*time.Second)}
		m.become(stateNotReadyBusy, activityPause)
	case stateNotReadyBusy:
		if !m.serving {
			w.nudgePause(m)
			return
		}
		u.wish = nil
		m.become(stateBusy, activityNone)
	case stateWNR, stateDNIn, stateDNOut, stateDNPrivate:
		m.note()
	case stateOffline:
	}
}

// note files the outcome of the conversation, or corrects it.
func (m *medium) note() {
	if m.code2 == "NOTED" {
		m.code2 = "SOLVED"
	} else {
		m.code2 = "NOTED"
	}
	m.changed()
}

// nudgePause pauses one channel; the end of the pause is the user's.
func (w *World) nudgePause(m *medium) {
	m.become(stateNotReady, activityPause)
	m.user.resumeAfter(w.between(30*time.Second, 90*time.Second))
}
