package world

import (
	"slices"
	"time"
)

// Times of the script, which begins at the opening and lasts two minutes. First, all agents of a
// service log out and return (see unstaffed.go). The biggest service has a rush and recovers. A
// team takes a short break together. A campaign runs out of contacts. After the script, a random
// incident happens every few minutes.
const (
	rushStart            = 20 * time.Second
	rushDuration         = 40 * time.Second
	rushTrafficFactor    = 5
	lullDuration         = 50 * time.Second // few calls after the rush, so that the queue clears
	lullTrafficFactor    = 0.1
	pauseStart           = 75 * time.Second
	pauseDuration        = 40 * time.Second
	earlyReturnStart     = 80 * time.Second
	outOfContactsAfter   = 65 * time.Second
	meanIncidentInterval = 6 * time.Minute // mean time between random incidents
)

// incidentRunner runs the scripted and random incidents of [Options.Drama].
type incidentRunner struct{ w *World }

func (x *incidentRunner) scheduleScript() {
	w := x.w
	x.abandonLongWaits()
	biggest := x.biggestService()
	w.scheduleAfter(rushStart, func() {
		x.startRush(biggest, max(rushTrafficFactor, x.factorToQueue(biggest, rushDuration)), rushDuration)
	})
	w.scheduleAfter(rushStart+rushDuration+time.Second, func() { x.startRush(biggest, lullTrafficFactor, lullDuration) })
	w.scheduleAfter(unstaffStart, x.unstaffService)
	w.scheduleAfter(pauseStart, func() { x.sendTeamOnBreak(x.groupNotServing(biggest), activityPause, pauseDuration) })
	w.scheduleAfter(earlyReturnStart, func() { x.endPauses(biggest.groups[0]) })
	if n := len(w.dialer.campaigns); n > 0 {
		c := w.dialer.campaigns[n-1]
		c.refillInterval = 4 * time.Minute
		c.addContacts() // the campaign may have no contacts at the opening
		c.limitToDo(int64(outOfContactsAfter / c.attemptInterval))
	}
	w.scheduleAfter(3*time.Minute, x.scheduleIncidents)
}

// abandonLongWaits ends contacts that have already waited for long at the opening, because the
// incidents that they cause would hide the scripted ones.
func (x *incidentRunner) abandonLongWaits() {
	for _, st := range x.w.streams {
		for _, c := range slices.Clone(st.serviceChannel.waiting) {
			if x.w.now-c.startedAt > handlingOf(st.serviceChannel.channel).speedLimit/2 {
				c.abandon()
			}
		}
	}
}

// scheduleIncidents schedules the next random incident, which then schedules the following one.
func (x *incidentRunner) scheduleIncidents() {
	w := x.w
	w.scheduleAfter(w.randomExponential(meanIncidentInterval), func() {
		if w.happensWith(0.6) {
			x.startRush(w.services[w.randomIndex(len(w.services))], 3+2*w.rng.Float64(), w.randomBetween(30*time.Second, 2*time.Minute))
		} else {
			x.sendTeamOnBreak(w.groups[w.randomIndex(len(w.groups))], activityMeeting, w.randomBetween(time.Minute, 3*time.Minute))
		}
		x.scheduleIncidents()
	})
}

// startRush multiplies the rate of a service's calls by factor for the duration d.
func (x *incidentRunner) startRush(s *service, factor float64, d time.Duration) {
	x.w.setTrafficFactor(s, channelCall, factor)
	x.w.scheduleAfter(d, func() { x.w.setTrafficFactor(s, channelCall, 1) })
}

// factorToQueue returns a factor for the rate of a service's calls that makes callers queue
// within d. It assumes that within d, each ready agent and a part of the other agents, who
// become free, answer a call.
func (x *incidentRunner) factorToQueue(s *service, d time.Duration) float64 {
	w := x.w
	const (
		wantedQueue = 12  // callers
		busyShare   = 0.3 // share of busy agents who become free
	)
	var rate, freeAgents float64
	for _, st := range w.streams {
		if st.serviceChannel.service != s || st.serviceChannel.channel != channelCall {
			continue
		}
		rate += st.rate * dayCurve(w.timeOfDay())
		for _, m := range st.groupChannel.userChannels {
			switch m.state {
			case stateOffline, stateNotReady:
			case stateReady:
				freeAgents++
			case stateBooked, stateBusy, stateNotReadyBusy, stateWNR, stateDNIn, stateDNOut, stateDNPrivate:
				freeAgents += busyShare
			}
		}
	}
	if rate == 0 {
		return 1
	}
	return (freeAgents + wantedQueue) / (rate * d.Seconds())
}

// endPauses ends the pauses of a group's agents.
func (x *incidentRunner) endPauses(g *group) {
	for _, u := range g.agents {
		if u.isLoggedIn && !u.isBusy {
			u.endPause()
		}
	}
}

// sendTeamOnBreak sends three quarters of a group on a break together.
func (x *incidentRunner) sendTeamOnBreak(g *group, code activity, d time.Duration) {
	for i, u := range g.agents {
		if i%4 != 3 {
			u.requestPause(pause{code, d})
		}
	}
}

// biggestService returns the service with the highest rate of calls.
func (x *incidentRunner) biggestService() *service {
	w := x.w
	rates := make(map[*service]float64, len(w.services))
	best := w.services[0]
	for _, st := range w.streams {
		if st.serviceChannel.channel != channelCall {
			continue
		}
		s := st.serviceChannel.service
		if rates[s] += st.rate; rates[s] > rates[best] {
			best = s
		}
	}
	return best
}

// groupNotServing returns the largest group other than the first group of s. A break of this
// group usually does not affect s. If there is only one group, it returns that one.
func (x *incidentRunner) groupNotServing(s *service) *group {
	w := x.w
	var best *group
	for _, g := range w.groups {
		if g != s.groups[0] && (best == nil || len(g.agents) > len(best.agents)) {
			best = g
		}
	}
	if best == nil {
		return w.groups[0]
	}
	return best
}
