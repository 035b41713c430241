package cluster

import (
	"slices"
	"strings"
	"time"

	"wallboard/model"
)

// sameClock is how far the clocks of two nodes may be apart before it is told: who
// keeps their clock by the network's time is within it.
const sameClock = 250 * time.Millisecond

// clockWindow is for how long the fastest message says how far another clock is off.
const clockWindow = 30 * time.Second

// skew finds out how far another node's clock is behind ours, from when its messages
// were sent: the fastest of the last minute is closest.
type skew struct {
	best, before time.Duration
	since        time.Time
}

// read takes over when a message was sent, and when it came.
func (s *skew) read(sent, came time.Time) {
	d := came.Round(0).Sub(sent)
	switch {
	case s.since.IsZero():
		s.best, s.before, s.since = d, d, came
	case came.Sub(s.since) >= clockWindow:
		s.before, s.best, s.since = s.best, d, came
	default:
		s.best = min(s.best, d)
	}
}

// behind is by how much our clock is ahead, 0 for what may be the way of a message.
func (s *skew) ahead() time.Duration {
	d := min(s.best, s.before)
	if d.Abs() < sameClock {
		return 0
	}
	return d
}

// shifted is a state of the feed as a clock tells it that is ahead of the one that told
// it.
func shifted(h model.Health, ahead time.Duration) model.Health {
	h.Subscriptions = slices.Clone(h.Subscriptions)
	if ahead == 0 {
		return h
	}
	move := func(all ...*time.Time) {
		for _, t := range all {
			if !t.IsZero() {
				*t = t.Add(ahead)
			}
		}
	}
	h.ClockOffset -= ahead
	move(&h.Link.Since, &h.Link.NextTry, &h.Link.LastFrame)
	for i := range h.Subscriptions {
		s := &h.Subscriptions[i]
		move(&s.Since, &s.LastData, &s.FreshUntil, &s.VerifiedAt, &s.NextTry, &s.DriftAt)
	}
	return h
}

// doubted is a state of the feed of which nothing was heard since a time.
func doubted(h model.Health, since, now time.Time, link model.LinkState, reason string) model.Health {
	h.Subscriptions = slices.Clone(h.Subscriptions)
	if h.Link.State == model.LinkUp || h.Link.State == "" {
		h.Link.Since = now
	}
	h.Link.State, h.Link.Reason, h.Link.NextTry = link, reason, time.Time{}
	for i := range h.Subscriptions {
		s := &h.Subscriptions[i]
		if s.State.Fresh() {
			s.State, s.Since, s.FreshUntil = model.SubConnecting, now, since
		}
		s.Reason = reason
	}
	return h
}

// noticed adds to what needs a person.
func noticed(h model.Health, notice string) model.Health {
	if notice != "" && !strings.Contains(h.Notice, notice) {
		h.Notice = strings.TrimSpace(notice + " " + h.Notice)
	}
	return h
}
