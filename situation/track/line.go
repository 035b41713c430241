package track

import (
	"time"

	"wallboard/model"
)

// minutes is how many of them are kept of a line.
const minutes = 120

// Heads are where the agents of a line are, as a mean over a time: those who are
// logged in are the sum of the others.
type Heads struct {
	Ready   float64 // free
	Here    float64 // with a contact of the line, one that rings included
	WrapUp  float64 // in the work after one
	Away    float64 // not ready
	Bound   float64 // busy with another service or channel
	OnPhone float64 // on calls that are no service's
}

// Logged is how many are logged in.
func (h *Heads) Logged() float64 {
	return h.Ready + h.Here + h.WrapUp + h.Away + h.Bound + h.OnPhone
}

func (h *Heads) add(o Heads, times float64) {
	h.Ready += o.Ready * times
	h.Here += o.Here * times
	h.WrapUp += o.WrapUp * times
	h.Away += o.Away * times
	h.Bound += o.Bound * times
	h.OnPhone += o.OnPhone * times
}

// Span is what a line did over a time.
type Span struct {
	Seconds                    float64 // that somebody looked; 0: nothing is known of it
	Arrived, Answered, GaveUp  float64 // contacts
	Heads                      Heads
	Talks, WrapUps             float64 // that came to an end
	TalkSeconds, WrapUpSeconds float64 // of all agents together
	Unknown                    bool    // a counter was unknown for a time
}

// Talk is the mean length of a conversation in seconds, estimated from those that
// ended and those that go on, with a usual one in the balance; unknown where nobody
// talked at all.
func (s *Span) Talk(usual model.Figure) model.Figure {
	return length(s.TalkSeconds, s.Talks, usual)
}

// WrapUp is the same of the work after it.
func (s *Span) WrapUp(usual model.Figure) model.Figure {
	return length(s.WrapUpSeconds, s.WrapUps, usual)
}

func length(seconds, ended float64, usual model.Figure) model.Figure {
	if u, ok := usual.Get(); ok {
		return model.FigureOf((seconds + u) / (ended + 1))
	}
	if ended == 0 {
		return model.Figure{}
	}
	return model.FigureOf(seconds / ended)
}

// minute is what a line did in one.
type minute struct {
	at int64 // its number since 1970; 0: none
	Span
}

// line is a service on a channel.
type line struct {
	minutes [minutes]minute
	present Heads // how many agents are where

	arrived, answered, gaveUp counter
	record                    *model.Service
	nobody                    time.Time // since when nobody has been ready; zero: somebody is, or nobody knows
}

// ready notes whether anybody is.
func (l *line) ready(r *model.Service, now time.Time) {
	switch n, ok := r.UserStats.ReadyUsers.Count.Get(); {
	case !ok || n > 0:
		l.nobody = time.Time{}
	case l.nobody.IsZero() || l.nobody.After(now):
		l.nobody = now
	}
}

// counter tells how much a counter of the day has grown.
type counter struct {
	last  int64
	begun bool
}

func (c *counter) grown(v model.Int) (n float64, ok bool) {
	now, ok := v.Get()
	if !ok {
		c.begun = false
		return 0, false
	}
	if c.begun && now > c.last { // one that fell began the day anew
		n = float64(now - c.last)
	}
	c.last, c.begun = now, true
	return n, true
}

// in returns the minute of a time.
func (l *line) in(now time.Time) *minute {
	at := now.Unix() / 60
	m := &l.minutes[at%minutes]
	if m.at != at {
		*m = minute{at: at}
	}
	return m
}

// pass lets time pass with the agents where they are.
func (l *line) pass(now time.Time, d time.Duration) {
	m := l.in(now)
	m.Seconds += d.Seconds()
	m.Heads.add(l.present, d.Seconds())
	m.TalkSeconds += l.present.Here * d.Seconds()
	m.WrapUpSeconds += l.present.WrapUp * d.Seconds()
}

// count takes the counters of a record.
func (l *line) count(r *model.Service, now time.Time) {
	m, c := l.in(now), &r.ChannelStats
	took := func(n float64, ok bool) float64 {
		m.Unknown = m.Unknown || !ok
		return n
	}
	m.Arrived += took(l.arrived.grown(c.ReceivedCalls))
	m.Answered += took(l.answered.grown(c.AnsweredCalls))
	m.GaveUp += took(l.gaveUp.grown(c.HangupCalls))
}

// span sums up what the line did between two times, to the minute.
func (l *line) span(from, to time.Time) Span {
	var out Span
	first, last := from.Unix()/60, to.Unix()/60
	for at := max(first, last-minutes+1); at <= last; at++ {
		m := &l.minutes[at%minutes]
		if m.at != at {
			continue
		}
		out.Seconds += m.Seconds
		out.Arrived += m.Arrived
		out.Answered += m.Answered
		out.GaveUp += m.GaveUp
		out.Talks += m.Talks
		out.WrapUps += m.WrapUps
		out.TalkSeconds += m.TalkSeconds
		out.WrapUpSeconds += m.WrapUpSeconds
		out.Heads.add(m.Heads, 1)
		out.Unknown = out.Unknown || m.Unknown
	}
	if out.Seconds > 0 {
		var mean Heads
		mean.add(out.Heads, 1/out.Seconds)
		out.Heads = mean
	}
	return out
}
