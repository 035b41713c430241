package world

import (
	"fmt"
	"slices"
	"time"
)

// director runs a scenario.
type director struct {
	w            *World
	drama        drama
	after, lasts time.Duration
	undo         []func()
}

// begin schedules do for the start of the scenario.
func (d *director) begin(do func()) { d.w.after(d.after, do) }

// over schedules do for the end of the scenario.
func (d *director) over(do func()) { d.undo = append(d.undo, do) }

// until returns the instant of the end.
func (d *director) until() time.Duration { return d.w.now + d.after + d.lasts }

func on(s *service, ch channel) Scene { return Scene{Service: s.code, Channel: ch.String()} }

// staging is an incident at a service.
type staging func(*director, *service)

// and combines two incidents at the same service.
func (s staging) and(other staging) staging {
	return func(d *director, of *service) {
		s(d, of)
		other(d, of)
	}
}

// stagedAt returns a scenario function: an incident at the service of returns,
// visible on channel ch.
func stagedAt(of func(*director) *service, ch channel, do staging) func(*director) Scene {
	return func(d *director) Scene {
		s := of(d)
		do(d, s)
		return on(s, ch)
	}
}

// big returns the biggest service, whose calls go to one team.
func (d *director) big() *service { return d.drama.biggestService() }

// other returns a service whose team does not serve the biggest one.
func (d *director) other() *service { return d.drama.teamBeside(d.big()).services[0] }

// callers returns the agents of a service's groups who take calls.
func callers(s *service) []*user {
	var out []*user
	for _, g := range s.groups {
		for _, u := range g.agents {
			if u.medium(channelCall) != nil && !slices.Contains(out, u) {
				out = append(out, u)
			}
		}
	}
	return out
}

// rates multiplies the contacts of a service on a channel during the scenario.
func (d *director) rates(s *service, ch channel, factor float64) {
	d.begin(func() { d.w.multiply(s, ch, factor) })
	d.over(func() { d.w.multiply(s, ch, 1) })
}

// surging returns an incident that multiplies the contacts on a channel.
func surging(ch channel, factor float64) staging {
	return func(d *director, s *service) { d.rates(s, ch, factor) }
}

// pauses sends a part of a service's agents on a break.
func (d *director) pauses(s *service, code activity, part float64) {
	d.begin(func() {
		here := present(callers(s))
		for _, u := range here[:int(part*float64(len(here))+0.5)] {
			u.askPause(pause{code, d.lasts})
		}
	})
}

// pausing returns an incident that sends a part of the agents on a break.
func pausing(code activity, part float64) staging {
	return func(d *director, s *service) { d.pauses(s, code, part) }
}

func present(users []*user) []*user {
	return slices.DeleteFunc(slices.Clone(users), func(u *user) bool { return !u.here })
}

// leave logs users out until the end of the scenario.
func (d *director) leave(users []*user) {
	for _, u := range users {
		until := u.until
		u.until = 0 // prevent an early return from a short absence
		u.logout()
		d.over(func() {
			u.until = until
			u.comeBack()
		})
	}
}

func (d *director) surge(s *service) {
	d.rates(s, channelCall, max(rushFactor, d.drama.factorToQueue(s, 2*time.Minute)))
}

func (d *director) slowSurge(s *service) {
	for step := range 6 {
		d.w.after(d.after+time.Duration(step)*5*time.Minute, func() {
			d.w.multiply(s, channelCall, 1.5+0.5*float64(step))
		})
	}
	d.rates(s, channelCall, 1.5)
}

func (d *director) burst(s *service) {
	d.rates(s, channelCall, 0)
	d.w.after(d.after+6*time.Minute, func() { d.w.multiply(s, channelCall, rushFactor) })
}

func (d *director) shiftEnd(s *service) {
	d.begin(func() {
		here := present(callers(s))
		d.leave(here[:len(here)*3/4])
	})
}

func (d *director) rollingBreaks(s *service) {
	team := callers(s)
	for i, u := range team {
		if i%4 != 3 {
			at := time.Duration(i) * d.lasts * 3 / 5 / time.Duration(len(team)) // spread over the same time for any size of team
			d.w.after(d.after+at, func() { u.askPause(pause{activityPause, 30 * time.Minute}) })
		}
	}
}

func (d *director) unstaffed(s *service) {
	d.begin(func() { d.leave(present(callers(s))) })
}

func (d *director) slowDecline(s *service) {
	d.begin(func() {
		here := present(callers(s))
		for i, u := range here[:len(here)*4/5] {
			d.w.after(time.Duration(i)*6*time.Minute, func() { d.leave([]*user{u}) })
		}
	})
}

// slow makes the contacts of a line take longer.
func (d *director) slow(l *line, talk float64) {
	d.begin(func() { l.talks = talk })
	d.over(func() { l.talks = 0 })
}

// longCalls returns an incident in which calls take longer.
func longCalls(talk float64) staging {
	return func(d *director, s *service) { d.slow(s.lines[channelCall], talk) }
}

// linger makes the after-contact work in groups take longer.
func (d *director) linger(groups []*group, wrap float64) {
	set := func(f float64) {
		for _, g := range groups {
			for _, desk := range g.desks {
				if desk != nil {
					desk.wraps = f
				}
			}
		}
	}
	d.begin(func() { set(wrap) })
	d.over(func() { set(0) })
}

func (d *director) stuckWrapUp(s *service) { d.linger(s.groups, 12) }

func (d *director) slowWrapUp(*service) { d.linger(d.w.groups, 8) }

// dialOut keeps agents on long outbound calls, which count for a service if one is
// given. Each agent starts as soon as they are free.
func (d *director) dialOut(users []*user, service string) {
	end := d.until()
	for i, u := range users {
		order := CallOrder{Number: fmt.Sprintf("02555%03d", i) + NumberTalks, Service: service}
		var next func()
		next = func() {
			switch {
			case d.w.now >= end || u.dialled != nil:
			case u.here && !u.busy:
				_, _ = d.w.phones.Dial(u.username, order) // ignore agents who cannot dial
			default:
				d.w.after(time.Second, next)
			}
		}
		d.begin(next)
		d.over(func() {
			if u.dialled != nil {
				u.dialled.hangUp()
			}
		})
	}
}

func (d *director) telephone(s *service) { d.dialOut(callers(s), "") }

func (d *director) campaignBinds(s *service) { d.dialOut(callers(s), d.other().code) }

// starved multiplies the calls of one of two services that share a team, and returns
// the other.
func (d *director) starved() Scene {
	for _, g := range d.w.groups {
		if len(g.services) > 1 {
			d.rates(g.services[0], channelCall, 7)
			return on(g.services[1], channelCall)
		}
	}
	s := d.big()
	d.rates(s, channelCall, 7)
	return on(s, channelCall)
}

// chatting returns the service with chats that has the highest weight. weigh gets
// the number of call agents who also take chats, and the number of all call agents.
func (d *director) chatting(weigh func(both, all int) float64) *service {
	var best *service
	most := 0.0
	for _, s := range d.w.services {
		if s.lines[channelChat] == nil {
			continue
		}
		team, both := callers(s), 0
		for _, u := range team {
			if u.medium(channelChat) != nil {
				both++
			}
		}
		if weight := weigh(both, len(team)); best == nil || weight > most {
			best, most = s, weight
		}
	}
	return best
}

// chatty returns the chat service with the most agents who take both calls and
// chats.
func (d *director) chatty() *service {
	return d.chatting(func(both, _ int) float64 { return float64(both) })
}

// bound returns the chat service with the highest proportion of agents who take both
// calls and chats.
func (d *director) bound() *service {
	return d.chatting(func(both, all int) float64 { return float64(both) / float64(all+1) })
}

func (d *director) chatsBind(s *service) {
	d.rates(s, channelChat, 40)
	d.slow(s.lines[channelChat], 4)
}

func (d *director) noSkill(s *service) {
	for at := time.Duration(0); at < d.after+d.lasts; at += time.Minute { // includes agents whose shift begins in the meantime
		d.w.after(at, func() {
			team := present(callers(s))
			for _, u := range team {
				if u.contact != nil && u.contact.talking() {
					u.contact.hangUp()
				}
			}
			d.leave(team)
		})
	}
	d.w.multiply(s, channelCall, 0) // no calls before the start
	d.rates(s, channelCall, 1)
}

// misroute keeps calls from reaching ready agents.
func (d *director) misroute(s *service) {
	for _, g := range s.groups {
		desk := g.desks[channelCall]
		d.begin(func() { desk.stuck = true })
		d.over(func() {
			desk.stuck = false
			for _, u := range g.agents {
				u.seekWork()
			}
		})
	}
}

func (d *director) dry() Scene {
	c := d.w.dialer.campaigns[0]
	d.begin(func() {
		c.refill = 0
		c.trim(0)
	})
	d.over(func() {
		c.refill = 10 * time.Minute
		c.load()
	})
	return Scene{Campaign: c.stat.CampaignID}
}
