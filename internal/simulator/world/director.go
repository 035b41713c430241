package world

import (
	"fmt"
	"slices"
	"time"
)

// scenarioRunner plays a scenario in the world.
type scenarioRunner struct {
	w                    *World
	incidentRunner       incidentRunner
	startDelay, duration time.Duration
	endActions           []func()
}

// scheduleAtStart schedules action for the start of the scenario.
func (d *scenarioRunner) scheduleAtStart(action func()) { d.w.scheduleAfter(d.startDelay, action) }

// addEndAction registers an action for the end of the scenario.
func (d *scenarioRunner) addEndAction(action func()) { d.endActions = append(d.endActions, action) }

// endTime returns the instant at which the scenario ends. It must be called while the scenario is being scheduled.
func (d *scenarioRunner) endTime() time.Duration { return d.w.now + d.startDelay + d.duration }

func locationOf(s *service, ch channel) ScenarioLocation {
	return ScenarioLocation{s.code, ch.String(), 0}
}

// incidentFunc schedules an incident at a service as part of a scenario.
type incidentFunc func(*scenarioRunner, *service)

// followedBy returns a function that calls f and then other for the same service.
func (f incidentFunc) followedBy(other incidentFunc) incidentFunc {
	return func(d *scenarioRunner, s *service) {
		f(d, s)
		other(d, s)
	}
}

// scenarioAt returns a function that schedules incident at the service that serviceOf returns.
// The function returns the location of the incident: that service on the channel ch.
func scenarioAt(serviceOf func(*scenarioRunner) *service, ch channel, incident incidentFunc) func(*scenarioRunner) ScenarioLocation {
	return func(d *scenarioRunner) ScenarioLocation {
		s := serviceOf(d)
		incident(d, s)
		return locationOf(s, ch)
	}
}

// biggestService returns the service with the highest rate of calls at the peak.
func (d *scenarioRunner) biggestService() *service { return d.incidentRunner.biggestService() }

// otherService returns a service of the largest group other than the first group of the biggest service.
func (d *scenarioRunner) otherService() *service {
	return d.incidentRunner.groupNotServing(d.biggestService()).services[0]
}

// callAgents returns the agents who take calls and belong to a group of the service.
func callAgents(s *service) []*user {
	var out []*user
	for _, g := range s.groups {
		for _, u := range g.agents {
			if u.channel(channelCall) != nil && !slices.Contains(out, u) {
				out = append(out, u)
			}
		}
	}
	return out
}

// multiplyTraffic multiplies the rate of a service's contacts on ch by factor while the
// scenario lasts.
func (d *scenarioRunner) multiplyTraffic(s *service, ch channel, factor float64) {
	d.scheduleAtStart(func() { d.w.setTrafficFactor(s, ch, factor) })
	d.addEndAction(func() { d.w.setTrafficFactor(s, ch, 1) })
}

// trafficIncident returns an incident that multiplies the rate of a service's contacts on ch
// by factor.
func trafficIncident(ch channel, factor float64) incidentFunc {
	return func(d *scenarioRunner, s *service) { d.multiplyTraffic(s, ch, factor) }
}

// breakIncident returns an incident in which a share of a service's agents go on a break.
func breakIncident(code activity, part float64) incidentFunc {
	return func(d *scenarioRunner, s *service) {
		d.scheduleAtStart(func() {
			present := loggedInUsers(callAgents(s))
			for _, u := range present[:int(part*float64(len(present))+0.5)] {
				u.requestPause(pause{code, d.duration})
			}
		})
	}
}

func loggedInUsers(users []*user) []*user {
	return slices.DeleteFunc(slices.Clone(users), func(u *user) bool { return !u.isLoggedIn })
}

// logoutUntilEnd logs users out now, and logs them in again at the end of the scenario.
func (d *scenarioRunner) logoutUntilEnd(users []*user) {
	for _, u := range users {
		shiftEnd := u.shiftEnd
		u.shiftEnd = 0 // makes a pending returnFromAbsence do nothing
		u.logout()
		d.addEndAction(func() {
			u.shiftEnd = shiftEnd
			u.returnFromAbsence()
		})
	}
}

func (d *scenarioRunner) playSurge(s *service) {
	d.multiplyTraffic(s, channelCall, max(rushTrafficFactor, d.incidentRunner.factorToQueue(s, 2*time.Minute)))
}

func (d *scenarioRunner) playSlowSurge(s *service) {
	for step := range 6 {
		d.w.scheduleAfter(d.startDelay+time.Duration(step)*5*time.Minute, func() {
			d.w.setTrafficFactor(s, channelCall, 1.5+0.5*float64(step))
		})
	}
	d.multiplyTraffic(s, channelCall, 1.5)
}

func (d *scenarioRunner) playBurst(s *service) {
	d.multiplyTraffic(s, channelCall, 0)
	d.w.scheduleAfter(d.startDelay+6*time.Minute, func() { d.w.setTrafficFactor(s, channelCall, rushTrafficFactor) })
}

// scheduleLogout logs out a share of those users who are logged in at the start, until the end.
func (d *scenarioRunner) scheduleLogout(users []*user, part float64) {
	d.scheduleAtStart(func() {
		present := loggedInUsers(users)
		d.logoutUntilEnd(present[:int(part*float64(len(present)))])
	})
}

func (d *scenarioRunner) playShiftEnd(s *service) { d.scheduleLogout(callAgents(s), 0.75) }

func (d *scenarioRunner) playStrike(*service) { d.scheduleLogout(d.w.agents, 0.8) }

func (d *scenarioRunner) playRollingBreaks(s *service) {
	team := callAgents(s)
	for i, u := range team {
		if i%4 != 3 {
			delay := time.Duration(i) * d.duration * 3 / 5 / time.Duration(len(team)) // spread over the same time for any size of team
			d.w.scheduleAfter(d.startDelay+delay, func() { u.requestPause(pause{activityPause, 30 * time.Minute}) })
		}
	}
}

func (d *scenarioRunner) playSlowDecline(s *service) {
	d.scheduleAtStart(func() {
		present := loggedInUsers(callAgents(s))
		for i, u := range present[:len(present)*4/5] {
			d.w.scheduleAfter(time.Duration(i)*6*time.Minute, func() { d.logoutUntilEnd([]*user{u}) })
		}
	})
}

// lengthenContacts multiplies the length of conversations on l by talk while the scenario lasts.
func (d *scenarioRunner) lengthenContacts(l *serviceChannel, talk float64) {
	d.scheduleAtStart(func() { l.talkFactor = talk })
	d.addEndAction(func() { l.talkFactor = 0 })
}

// longCallIncident returns an incident that multiplies the length of a service's calls by talk.
func longCallIncident(talk float64) incidentFunc {
	return func(d *scenarioRunner, s *service) { d.lengthenContacts(s.channels[channelCall], talk) }
}

// lengthenAfterContactWork multiplies the length of after-contact work by wrap during the scenario.
func (d *scenarioRunner) lengthenAfterContactWork(groups []*group, wrap float64) {
	set := func(f float64) {
		for _, g := range groups {
			for _, desk := range g.channels {
				if desk != nil {
					desk.wrapFactor = f
				}
			}
		}
	}
	d.scheduleAtStart(func() { set(wrap) })
	d.addEndAction(func() { set(0) })
}

func (d *scenarioRunner) playStuckWrapUp(s *service) { d.lengthenAfterContactWork(s.groups, 12) }

func (d *scenarioRunner) playSlowWrapUp(*service) { d.lengthenAfterContactWork(d.w.groups, 8) }

// dialOut keeps users on long outbound calls until the scenario ends. A busy user starts when
// they are free. The calls count for service unless it is "".
func (d *scenarioRunner) dialOut(users []*user, service string) {
	end := d.endTime()
	for i, u := range users {
		order := DialParams{Number: fmt.Sprintf("02555%03d", i) + NumberTalks, Service: service}
		var next func()
		next = func() {
			switch {
			case d.w.now >= end || u.dialedCall != nil:
			case u.isLoggedIn && !u.isBusy:
				_, _ = d.w.phones.Dial(u.username, order) // ignore agents who cannot dial
			default:
				d.w.scheduleAfter(time.Second, next)
			}
		}
		d.scheduleAtStart(next)
		d.addEndAction(func() {
			if u.dialedCall != nil {
				u.dialedCall.hangUp()
			}
		})
	}
}

func (d *scenarioRunner) keepOnTelephone(s *service) { d.dialOut(callAgents(s), "") }

func (d *scenarioRunner) keepOnCampaign(s *service) { d.dialOut(callAgents(s), d.otherService().code) }

// crowdOutSharedService multiplies the calls of one of two services with a common group, which
// leaves too few agents for the other service. It returns the location of the other service.
func (d *scenarioRunner) crowdOutSharedService() ScenarioLocation {
	for _, g := range d.w.groups {
		if len(g.services) > 1 {
			d.multiplyTraffic(g.services[0], channelCall, 7)
			return locationOf(g.services[1], channelCall)
		}
	}
	s := d.biggestService()
	d.multiplyTraffic(s, channelCall, 7)
	return locationOf(s, channelCall)
}

// chatService returns the service with chats for which weigh returns the highest weight. The
// arguments of weigh are the number of agents of a service who take both calls and chats, and
// the number of all its agents who take calls.
func (d *scenarioRunner) chatService(weigh func(both, all int) float64) *service {
	var best *service
	bestWeight := 0.0
	for _, s := range d.w.services {
		if s.channels[channelChat] == nil {
			continue
		}
		team, both := callAgents(s), 0
		for _, u := range team {
			if u.channel(channelChat) != nil {
				both++
			}
		}
		if weight := weigh(both, len(team)); best == nil || weight > bestWeight {
			best, bestWeight = s, weight
		}
	}
	return best
}

// mixedChatService returns the service with the most agents who take both calls and chats.
func (d *scenarioRunner) mixedChatService() *service {
	return d.chatService(func(both, _ int) float64 { return float64(both) })
}

// mostlyMixedChatService returns the service with the highest share of agents who take both calls
// and chats.
func (d *scenarioRunner) mostlyMixedChatService() *service {
	return d.chatService(func(both, all int) float64 { return float64(both) / float64(all+1) })
}

func (d *scenarioRunner) keepOnChats(s *service) {
	d.multiplyTraffic(s, channelChat, 40)
	d.lengthenContacts(s.channels[channelChat], 4)
}

func (d *scenarioRunner) removeSkill(s *service) {
	for at := time.Duration(0); at < d.startDelay+d.duration; at += time.Minute { // repeat, to include agents whose shift begins in the meantime
		d.w.scheduleAfter(at, func() {
			team := loggedInUsers(callAgents(s))
			for _, u := range team {
				if u.contact != nil && u.contact.isTalking() {
					u.contact.hangUp()
				}
			}
			d.logoutUntilEnd(team)
		})
	}
	d.w.setTrafficFactor(s, channelCall, 0) // no calls before the start
	d.multiplyTraffic(s, channelCall, 1)
}

// misroute keeps the calls of a service from reaching ready agents while the scenario lasts.
func (d *scenarioRunner) misroute(s *service) {
	for _, g := range s.groups {
		desk := g.channels[channelCall]
		d.scheduleAtStart(func() { desk.isStuck = true })
		d.addEndAction(func() {
			desk.isStuck = false
			for _, u := range g.agents {
				u.assignNextContact()
			}
		})
	}
}

func (d *scenarioRunner) playOutOfContacts() ScenarioLocation {
	c := d.w.dialer.campaigns[0]
	d.scheduleAtStart(func() {
		c.refillInterval = 0
		c.limitToDo(0)
	})
	d.addEndAction(func() {
		c.refillInterval = 10 * time.Minute
		c.addContacts()
	})
	return ScenarioLocation{Campaign: c.stat.CampaignID}
}
