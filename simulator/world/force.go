package world

import "time"

// ForceUpdate makes a legal move with n agents, taken in turn, each on the first
// of their channels only, or on one after the other where all agents have the same
// channels, and returns how many it moved: n, or all agents when
// there are fewer. Each move changes exactly one UserStat and one
// UserProfileStat, for load tests. When fewer than n agents are logged in, the
// missing ones are logged in first, which is their move and changes the records
// of all their channels.
//
// No contact is handed out until the next [World.Step].
func (w *World) ForceUpdate(n int) int { return w.nudger.move(n) }

// nudger makes legal moves, one agent after the other.
type nudger struct {
	w     *World
	round uint64 // of the present call of move
	next  int    // whose turn it is
}

// move is [World.ForceUpdate].
func (f *nudger) move(n int) int {
	w := f.w
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
			u.nudged = f.round + 1
			moved++
		}
	}
	f.round++
	for ; moved < n; f.next++ {
		u := w.agents[f.next%len(w.agents)]
		if u.here && u.nudged != f.round {
			u.nudged = f.round
			f.nudge(u)
			moved++
		}
	}
	return n
}

// nudge moves one agent on their first channel.
func (f *nudger) nudge(u *user) {
	w := f.w
	m := u.media[0]
	if w.opts.Channels > 0 {
		m = u.media[f.next/len(w.agents)%len(u.media)]
	}
	switch m.state {
	case stateReady:
		f.pause(m)
	case stateNotReady:
		if u.busy {
			m.become(stateNotReadyBusy, activityNone)
			return
		}
		m.become(stateReady, activityNone)
		w.after(0, u.seekWork)
	case stateBooked:
		u.contact.answer()
	case stateBusy:
		u.wish = &pause{activityPause, w.between(30*time.Second, 90*time.Second)}
		m.become(stateNotReadyBusy, activityPause)
	case stateNotReadyBusy:
		if !m.serving {
			f.pause(m)
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

// pause pauses one channel; the end of the pause is the user's.
func (f *nudger) pause(m *medium) {
	w := f.w
	m.become(stateNotReady, activityPause)
	m.user.resumeAfter(w.between(30*time.Second, 90*time.Second))
}
