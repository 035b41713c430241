package world

import (
	"math"
	"time"
)

// stream is the contacts of a line that need one of its groups.
type stream struct {
	line  *line
	desk  *desk
	rate  float64 // contacts per second at the day's peak
	surge float64 // multiplies the rate
	turn  uint64
}

// run plans the next contact. Contacts come at the peak's rate and are thinned
// by the day curve, which keeps the process Poisson whatever the curve does.
func (s *stream) run() {
	rate := s.rate * s.surge
	if rate <= 0 {
		return
	}
	s.turn++
	turn := s.turn
	w := s.line.w
	w.after(time.Duration(w.dice.ExpFloat64()/rate*float64(time.Second)), func() {
		if s.turn != turn {
			return
		}
		if w.chance(dayCurve(w.timeOfDay())) {
			s.line.arrive(s.desk)
		}
		s.run()
	})
}

// setSurge changes the rate at once; waiting times are memoryless, so planning
// anew does no harm.
func (s *stream) setSurge(factor float64) {
	s.surge = factor
	s.run()
}

// multiply changes the rates of a service's contacts on a channel, from those of an
// ordinary day.
func (w *World) multiply(s *service, ch channel, factor float64) {
	for _, st := range w.streams {
		if st.line.service == s && st.line.ch == ch {
			st.setSurge(factor)
		}
	}
}

// The opening hours: contacts outside are closed at once.
const (
	opens  = 8 * time.Hour
	closes = 20 * time.Hour
)

// dayCurve returns the traffic at a time of day as a part of the peak's: two
// humps, before and after lunch, and a trickle at night.
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

// planTraffic sizes the streams so that the agents are well but not hopelessly busy.
func (b *builder) planTraffic() {
	w := b.w
	for _, g := range w.groups {
		for ch, d := range g.desks {
			if d == nil {
				continue
			}
			var total float64
			for i := range g.services {
				if g.services[i].lines[ch] != nil {
					total += popularity(i)
				}
			}
			rate := load(d.staff()) / handlingOf(channel(ch)).mean().Seconds() * w.opts.Rate
			for i, s := range g.services {
				if l := s.lines[ch]; l != nil {
					w.streams = append(w.streams, &stream{line: l, desk: d, rate: rate * popularity(i) / total, surge: 1})
				}
			}
		}
	}
}

// popularity weighs the services of a group: the first is the big one.
func popularity(i int) float64 { return 1 / (1 + 0.8*float64(i)) }

// staff returns the agents at work that a desk can count on, those it shares
// with other skillsets and channels in part.
func (d *desk) staff() float64 {
	const atWork = 0.8 // logged in, not pausing, not on the telephone
	var n float64
	for _, m := range d.media {
		share := 1.0
		if len(m.user.media) > 1 {
			share = channelShare(d.ch) / mediaShares(m.user)
		}
		n += atWork * share / float64(len(m.user.skillsets))
	}
	return n
}

// channelShare weighs the channels of an agent who works on several.
func channelShare(ch channel) float64 {
	if ch == channelCall {
		return 3
	}
	return 1
}

func mediaShares(u *user) float64 {
	var n float64
	for _, m := range u.media {
		n += channelShare(m.ch)
	}
	return n
}

// load returns the work, in agents kept busy, that staff agents can take: the
// larger the team, the fewer it needs in reserve.
func load(staff float64) float64 {
	if staff <= 0 {
		return 0
	}
	return staff * min(max(1.06-0.75/math.Sqrt(staff), 0.5), 0.97)
}
