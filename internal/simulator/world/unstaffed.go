package world

import (
	"slices"
	"time"
)

// Times of the first scripted incident: all agents of a service log out and return,
// while calls arrive at a fixed interval. The incident is first because it shows at
// once, needs no history to explain and is soon over.
const (
	desertedAt   = 12 * time.Second
	desertedFor  = 36 * time.Second
	desertedCall = 6 * time.Second
)

// desert logs out all agents of a service for some time.
func (x *drama) desert() {
	w := x.w
	s := x.desertedService()
	if s == nil {
		return
	}
	calls := x.rate(s) * desertedCall.Seconds()
	if calls <= 0 {
		return
	}
	var gone []*user
	for _, u := range callAgents(s) {
		until := u.shiftEnd
		u.shiftEnd = 0 // prevent an early return from a short absence
		w.after(desertedFor, func() {
			u.shiftEnd = until
			u.comeBack()
		})
		if u.loggedIn {
			gone = append(gone, u)
		}
	}
	w.multiply(s, channelCall, max(1, 1/calls))
	w.after(desertedFor-desertedCall, func() { w.multiply(s, channelCall, 1) })
	for _, at := range []time.Duration{0, desertedCall} { // the second time also reaches agents who were ringing
		w.after(at, func() {
			for _, u := range gone {
				u.leaveNow()
			}
		})
	}
}

// leaveNow ends what the user is doing and logs them out. A user at whom a contact
// rings leaves after it.
func (u *user) leaveNow() {
	if u.busy && (u.contact == nil || u.contact.stage != stageRinging) && u.dialed == nil && u.attendantCall == nil {
		u.logoutPending = true
		if c := u.contact; c != nil && c.talking() {
			c.finish()
		}
		u.release()
		return
	}
	u.logout()
}

// desertedService returns a service for the incident: the service with the most
// logged-in agents, so that its queue clears quickly after their return. It
// excludes the biggest service and avoids the team that takes the scripted lunch.
// It returns nil if there is no such service.
func (x *drama) desertedService() *service {
	big := x.biggestService()
	beside := x.groupNotServing(big)
	var best *service
	bestCount := 0
	for _, s := range x.w.services {
		n := len(loggedInUsers(callAgents(s)))
		if n == 0 || slices.Contains(s.groups, big.groups[0]) {
			continue
		}
		if slices.Contains(s.groups, beside) {
			n = 1 // use it only if there is no other
		}
		if n > bestCount {
			best, bestCount = s, n
		}
	}
	return best
}

// rate returns the calls per second to a service at this time of day.
func (x *drama) rate(s *service) float64 {
	rate := 0.0
	for _, st := range x.w.streams {
		if st.line.service == s && st.line.ch == channelCall {
			rate += st.rate * dayCurve(x.w.timeOfDay())
		}
	}
	return rate
}
