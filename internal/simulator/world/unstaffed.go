package world

import (
	"slices"
	"time"
)

// Times of the first scripted incident: all agents of a service log out and return, while
// calls arrive about every six seconds. It comes first, because it is visible at once, needs
// no history and is soon over.
const (
	unstaffStart        = 12 * time.Second
	unstaffDuration     = 36 * time.Second
	unstaffCallInterval = 6 * time.Second
)

// unstaffService logs out all agents of a service for some time, while calls continue to arrive.
func (x *incidentRunner) unstaffService() {
	w := x.w
	s := x.serviceToUnstaff()
	if s == nil {
		return
	}
	calls := x.callRate(s) * unstaffCallInterval.Seconds()
	if calls <= 0 {
		return
	}
	var loggedOut []*user
	for _, u := range callAgents(s) {
		shiftEnd := u.shiftEnd
		u.shiftEnd = 0 // makes a pending returnFromAbsence do nothing
		w.scheduleAfter(unstaffDuration, func() {
			u.shiftEnd = shiftEnd
			u.returnFromAbsence()
		})
		if u.isLoggedIn {
			loggedOut = append(loggedOut, u)
		}
	}
	w.setTrafficFactor(s, channelCall, max(1, 1/calls))
	w.scheduleAfter(unstaffDuration-unstaffCallInterval, func() { w.setTrafficFactor(s, channelCall, 1) })
	for _, at := range []time.Duration{0, unstaffCallInterval} { // the second time logs out agents at whom a contact was ringing
		w.scheduleAfter(at, func() {
			for _, u := range loggedOut {
				u.logoutNow()
			}
		})
	}
}

// logoutNow ends the user's conversation or after-contact work and logs the user out. If a
// contact rings at the user, or the user is on a dialed call or a call to an attendant, the
// user logs out when it ends.
func (u *user) logoutNow() {
	if u.isBusy && (u.contact == nil || u.contact.stage != stageRinging) && u.dialedCall == nil && u.attendantCall == nil {
		u.isLogoutPending = true
		if c := u.contact; c != nil && c.isTalking() {
			c.finish()
		}
		u.endOccupation()
		return
	}
	u.logout()
}

// serviceToUnstaff returns the service for the incident, or nil if no service is suitable. It
// chooses the service with the most logged-in agents, because its queue clears quickly after
// their return. The service must not be served by the first group of the biggest service and,
// if possible, not by the team that takes the scripted break.
func (x *incidentRunner) serviceToUnstaff() *service {
	biggest := x.biggestService()
	breakTeam := x.groupNotServing(biggest)
	var best *service
	bestCount := 0
	for _, s := range x.w.services {
		n := len(loggedInUsers(callAgents(s)))
		if n == 0 || slices.Contains(s.groups, biggest.groups[0]) {
			continue
		}
		if slices.Contains(s.groups, breakTeam) {
			n = 1 // use s only if there is no other service
		}
		if n > bestCount {
			best, bestCount = s, n
		}
	}
	return best
}

// callRate returns the rate of calls to a service, in calls per second, at this time of day.
func (x *incidentRunner) callRate(s *service) float64 {
	rate := 0.0
	for _, st := range x.w.streams {
		if st.serviceChannel.service == s && st.serviceChannel.channel == channelCall {
			rate += st.rate * dayCurve(x.w.timeOfDay())
		}
	}
	return rate
}
