package track

import (
	"math"
	"slices"
	"time"

	"wallboard/model"
)

// The times that hands are counted by.
const (
	// staysAway is how long somebody has been busy elsewhere who will not be back
	// soon either.
	staysAway = 3 * time.Minute
	lately    = 6 * time.Minute // contacts that come
)

// Hands is how many agents take the contacts that wait for a service, each as soon as
// they are free: those at work for it, and who has been busy elsewhere for a moment.
// Where contacts wait for other services of theirs as well, an agent counts for the
// part of all that come, as the oldest is taken first.
func (t *Track) Hands(k model.ServiceKey, now time.Time) float64 {
	l := t.lines[k]
	if l == nil {
		return 0
	}
	come := make(map[*line]float64)
	rate := func(of *line) float64 {
		r, ok := come[of]
		if !ok {
			of.pass(t.last)
			s := of.span(now.Add(-lately), now)
			r = (s.Arrived + 1) / (s.Seconds + 60) // of what hardly comes nobody knows the part
			come[of] = r
		}
		return r
	}
	parts := make([]float64, 0, len(l.agents))
	for a := range l.agents {
		if !a.takes(k.Code, now) {
			continue
		}
		own, all := rate(l), rate(l)
		for _, other := range t.people.channels[a.key.Username] {
			for _, code := range other.services {
				if o := t.lines[model.ServiceKey{Code: code, Channel: other.key.Channel}]; o != nil && o != l && !o.waits.IsZero() {
					all += rate(o)
				}
			}
		}
		parts = append(parts, own/all)
	}
	slices.Sort(parts) // the same sum whatever order they came in
	sum := 0.0
	for _, p := range parts {
		sum += p
	}
	return math.Round(sum*1000) / 1000
}

// takes reports whether an agent will take a contact of a service soon.
func (a *agent) takes(service string, now time.Time) bool {
	var h Heads
	switch place(&h, service, a.stat) {
	case &h.Away:
		return false
	case &h.Bound, &h.OnPhone:
		at, ok := a.stat.TimeInState.Get()
		if !ok {
			at = a.moved
		}
		return !at.IsZero() && now.Sub(at) <= staysAway
	}
	return true
}

// Ringing is how many contacts of a service ring at an agent: they are in its queue
// still, and need nobody any more.
func (t *Track) Ringing(k model.ServiceKey) int {
	l, n := t.lines[k], 0
	if l == nil {
		return 0
	}
	for a := range l.agents {
		if a.stat.Status == model.Booked && a.stat.CurrentService.String() == k.Code {
			n++
		}
	}
	return n
}
