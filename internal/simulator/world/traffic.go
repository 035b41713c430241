package world

import (
	"math"
	"time"
)

// contactStream generates contacts of a service on a channel, for one of the service's groups.
type contactStream struct {
	serviceChannel *serviceChannel
	groupChannel   *groupChannel
	rate           float64 // contacts per second at the peak of the day
	factor         float64 // current factor for the rate
	generation     uint64
}

// scheduleContact schedules the next contact, unless the rate is 0. It draws contacts at the
// peak rate and skips a random part of them that depends on the time of day, so the arrivals
// are a Poisson process with the rate of dayCurve.
func (s *contactStream) scheduleContact() {
	rate := s.rate * s.factor
	if rate <= 0 {
		return
	}
	s.generation++
	turn := s.generation
	w := s.serviceChannel.w
	w.scheduleAfter(time.Duration(w.rng.ExpFloat64()/rate*float64(time.Second)), func() {
		if s.generation != turn {
			return
		}
		if w.happensWith(dayCurve(w.timeOfDay())) {
			s.serviceChannel.receiveContact(s.groupChannel)
		}
		s.scheduleContact()
	})
}

// setFactor changes the factor for the rate at once. It draws the time of the next contact
// again, which does not bias the arrivals, because a Poisson process has no memory.
func (s *contactStream) setFactor(factor float64) {
	s.factor = factor
	s.scheduleContact()
}

// setTrafficFactor sets the factor for the rates of a service's contacts on a channel.
func (w *World) setTrafficFactor(s *service, ch channel, factor float64) {
	for _, st := range w.streams {
		if st.serviceChannel.service == s && st.serviceChannel.channel == ch {
			st.setFactor(factor)
		}
	}
}

// Opening hours of the services. Contacts at other times count as closed calls.
const (
	serviceOpening = 8 * time.Hour
	serviceClosing = 20 * time.Hour
)

// dayCurve returns the traffic at a time of day, relative to the peak. It has a maximum before
// and after lunch, and is low at night.
func dayCurve(t time.Duration) float64 {
	curve := [...]struct{ hour, level float64 }{
		{0, 0.001},
		{7.9, 0.01},
		{8.1, 0.35},
		{9, 0.75},
		{10, 0.95},
		{11, 1},
		{12, 0.85},
		{13, 0.65},
		{14, 0.85},
		{15, 1},
		{16, 0.85},
		{17, 0.5},
		{18, 0.2},
		{19.9, 0.08},
		{20.1, 0.01},
		{24, 0.001},
	}
	h := t.Hours()
	for i := 1; i < len(curve); i++ {
		if a, b := curve[i-1], curve[i]; h < b.hour {
			return a.level + (b.level-a.level)*(h-a.hour)/(b.hour-a.hour)
		}
	}
	return curve[len(curve)-1].level
}

// planTraffic creates the contact streams, with rates that keep the agents busy without
// overloading them.
func (b *builder) planTraffic() {
	w := b.w
	for _, g := range w.groups {
		for ch, d := range g.channels {
			if d == nil {
				continue
			}
			var total float64
			for i := range g.services {
				if g.services[i].channels[ch] != nil {
					total += serviceWeight(i)
				}
			}
			rate := busyAgents(d.agentsAtWork()) / handlingOf(channel(ch)).meanOccupation().Seconds() * w.opts.TrafficFactor
			for i, s := range g.services {
				if l := s.channels[ch]; l != nil {
					w.streams = append(w.streams, &contactStream{serviceChannel: l, groupChannel: d, rate: rate * serviceWeight(i) / total, factor: 1})
				}
			}
		}
	}
}

// serviceWeight returns the weight of the service with the index i in its group. The first
// service gets the most contacts.
func serviceWeight(i int) float64 { return 1 / (1 + 0.8*float64(i)) }

// agentsAtWork returns the average number of agents who work for a group on a channel. An
// agent with several groups or channels counts as a fraction.
func (d *groupChannel) agentsAtWork() float64 {
	const atWork = 0.8 // logged in, not on a pause, not on a direct call
	var n float64
	for _, m := range d.userChannels {
		share := 1.0
		if len(m.user.channels) > 1 {
			share = channelShare(d.channel) / channelShareSum(m.user)
		}
		n += atWork * share / float64(len(m.user.skillsets))
	}
	return n
}

// channelShare returns the weight of a channel in the time of an agent with several channels.
func channelShare(ch channel) float64 {
	if ch == channelCall {
		return 3
	}
	return 1
}

func channelShareSum(u *user) float64 {
	var n float64
	for _, m := range u.channels {
		n += channelShare(m.channel)
	}
	return n
}

// busyAgents returns the number of agents, out of staff, that the contacts should keep busy. A
// larger team keeps a smaller share in reserve.
func busyAgents(staff float64) float64 {
	if staff <= 0 {
		return 0
	}
	return staff * min(max(1.06-0.75/math.Sqrt(staff), 0.5), 0.97)
}
