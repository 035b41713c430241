package cluster

import (
	"slices"
	"strings"
	"time"

	"wallboard/model"
)

// minReportedSkew is the smallest reported difference between the clocks of two nodes. Clocks
// that are synchronized over the network differ by less.
const minReportedSkew = 250 * time.Millisecond

// clockWindow is the length of a period in which clockSkew searches for the fastest message.
const clockWindow = 30 * time.Second

// clockSkew estimates how far the clock of this node is ahead of the clock of another node. It
// compares the times at which messages were sent and received. The fastest message of the last
// two periods gives the best estimate.
type clockSkew struct {
	currentMin, previousMin time.Duration
	windowStart             time.Time
}

// observe adds a message with its send time on the other node's clock and its receive time on
// this node's clock.
func (s *clockSkew) observe(sent, received time.Time) {
	delay := received.Round(0).Sub(sent)
	switch {
	case s.windowStart.IsZero():
		s.currentMin, s.previousMin, s.windowStart = delay, delay, received
	case received.Sub(s.windowStart) >= clockWindow:
		s.previousMin, s.currentMin, s.windowStart = s.currentMin, delay, received
	default:
		s.currentMin = min(s.currentMin, delay)
	}
}

// offset returns how far the clock of this node is ahead of the other node's clock. It returns
// 0 if the difference is less than minReportedSkew.
func (s *clockSkew) offset() time.Duration {
	d := min(s.currentMin, s.previousMin)
	if d.Abs() < minReportedSkew {
		return 0
	}
	return d
}

// shiftTimes converts the times in h, the feed state of another node, to the clock of this
// node. ahead is how far the clock of this node is ahead.
func shiftTimes(h model.Health, ahead time.Duration) model.Health {
	h.Subscriptions = slices.Clone(h.Subscriptions)
	if ahead == 0 {
		return h
	}
	shift := func(times ...*time.Time) {
		for _, t := range times {
			if !t.IsZero() {
				*t = t.Add(ahead)
			}
		}
	}
	h.ClockOffset -= ahead
	shift(&h.Link.Since, &h.Link.NextTry, &h.Link.LastFrame)
	for i := range h.Subscriptions {
		s := &h.Subscriptions[i]
		shift(&s.Since, &s.LastData, &s.FreshUntil, &s.VerifiedAt, &s.NextTry, &s.DriftAt)
	}
	return h
}

// markOutdated returns h with the connection state link, the given reason, and without live
// subscriptions. since is the time until which the data were up to date.
func markOutdated(h model.Health, since, now time.Time, link model.LinkState, reason string) model.Health {
	h.Subscriptions = slices.Clone(h.Subscriptions)
	if h.Link.State == model.LinkUp || h.Link.State == "" {
		h.Link.Since = now
	}
	h.Link.State, h.Link.Reason, h.Link.Trying, h.Link.NextTry = link, reason, "", time.Time{}
	for i := range h.Subscriptions {
		s := &h.Subscriptions[i]
		if s.State.IsFresh() {
			s.State, s.Since, s.FreshUntil = model.SubConnecting, now, since
		}
		s.Reason = reason
	}
	return h
}

// addNotice adds a notice to h. It returns h unchanged if notice is empty or h already contains it.
func addNotice(h model.Health, notice string) model.Health {
	if notice != "" && !strings.Contains(h.Notice, notice) {
		h.Notice = strings.TrimSpace(notice + " " + h.Notice)
	}
	return h
}
