package cluster

import (
	"slices"
	"strings"
	"time"

	"wallboard/model"
)

// sameClock is the smallest reported difference between the clocks of two nodes. Clocks
// that are synchronized over the network differ by less.
const sameClock = 250 * time.Millisecond

// clockWindow is the period in which skew looks for the fastest message.
const clockWindow = 30 * time.Second

// skew estimates how far another node's clock is behind ours from the send times of its
// messages. The fastest message of the last two windows gives the closest estimate.
type skew struct {
	best, before time.Duration
	since        time.Time
}

// observe adds a message that was sent and received at these times.
func (s *skew) observe(sent, came time.Time) {
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

// ahead returns how far our clock is ahead, or 0 if message delays could explain the
// difference.
func (s *skew) ahead() time.Duration {
	d := min(s.best, s.before)
	if d.Abs() < sameClock {
		return 0
	}
	return d
}

// shifted returns a feed state with its times converted to a clock that is ahead of the
// sender's.
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

// doubted returns a feed state that marks the data as not updated since a time.
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

// noticed adds a notice to a feed state.
func noticed(h model.Health, notice string) model.Health {
	if notice != "" && !strings.Contains(h.Notice, notice) {
		h.Notice = strings.TrimSpace(notice + " " + h.Notice)
	}
	return h
}
