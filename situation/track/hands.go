package track

import (
	"math"
	"slices"
	"time"

	"wallboard/model"
)

const (
	lately = 6 * time.Minute  // how long contacts take, and how many of other services come
	usual  = 60 * time.Minute // the same as usual
	// asUsual is how many as usual are put beside those of the last minutes: a few long
	// ones, of which none has ended yet, are no measure.
	asUsual = 6
)

// Work is how many seconds a contact of a service takes an agent lately: the
// conversation and the work after it. ok is false where none has ended.
func (t *Track) Work(k model.ServiceKey, now time.Time) (talk, wrap float64, ok bool) {
	l := t.of(k)
	if l == nil {
		return 0, 0, false
	}
	return l.work(now)
}

func (l *line) work(now time.Time) (talk, wrap float64, ok bool) {
	long, short := l.span(now.Add(-usual), now), l.span(now.Add(-lately), now)
	of := func(seconds, ended, longSeconds, longEnded float64) float64 {
		if longEnded <= 0 {
			return 0
		}
		return (seconds + asUsual*longSeconds/longEnded) / (max(ended, 0) + asUsual)
	}
	talk = of(short.TalkSeconds, short.Talks, long.TalkSeconds, long.Talks)
	wrap = of(short.WrapUpSeconds, short.WrapUps, long.WrapUpSeconds, long.WrapUps)
	return talk, wrap, talk > 0
}

// Hands is how many agents the contacts that wait for a service have for a time from
// now on: as many as take so many of them if each is in one now and takes the next as
// soon as it is over. Who is free sooner, as in after-call work, counts for more, and
// who is busy with something longer for less. Where contacts wait for other services of
// theirs as well, an agent counts for the part of all that come, as the oldest is taken
// first. Who is away stays away.
func (t *Track) Hands(k model.ServiceKey, within time.Duration, now time.Time) float64 {
	l := t.of(k)
	if l == nil {
		return 0
	}
	talk, wrap, ok := l.work(now)
	if !ok {
		return 0
	}
	h := hands{t: t, now: now, lines: make(map[*line]ofLine)}
	work, time := talk+wrap, within.Seconds()
	parts := make([]float64, 0, len(l.agents))
	for a := range l.agents {
		free, comes := h.free(a, talk)
		if !comes {
			continue
		}
		// As many contacts as they begin until then, where the time until they are free
		// is exponential about its mean, and each then takes the same.
		takes := time / work
		if free > 0 {
			takes += (1 - math.Exp(-time/free)) * (1 - free/work)
		} else {
			takes++
		}
		parts = append(parts, h.part(a, l)*max(takes, 0)*work/time)
	}
	slices.Sort(parts) // the same sum whatever order they came in
	sum := 0.0
	for _, p := range parts {
		sum += p
	}
	return math.Round(sum*1000) / 1000
}

// hands is what is looked up once for all agents of a service.
type hands struct {
	t     *Track
	now   time.Time
	lines map[*line]ofLine
}

// ofLine is what a service is like lately.
type ofLine struct {
	rate       float64 // contacts that come a second, somewhat more of what hardly comes: nobody knows its part
	talk, wrap float64
	known      bool // the latter
}

func (h *hands) of(l *line) ofLine {
	o, ok := h.lines[l]
	if !ok {
		l.pass(h.t.last)
		s := l.span(h.now.Add(-lately), h.now)
		o.rate = (s.Arrived + 1) / (s.Seconds + 60)
		o.talk, o.wrap, o.known = l.work(h.now)
		h.lines[l] = o
	}
	return o
}

// part is the part of the contacts that an agent takes which are of a service: of those
// that come for all of theirs that have a queue.
func (h *hands) part(a *agent, l *line) float64 {
	own := h.of(l).rate
	all := own
	for _, other := range h.t.people.channels[a.key.Username] {
		for _, code := range other.services {
			if o := h.t.lines[model.ServiceKey{Code: code, Channel: other.key.Channel}]; o != nil && o != l && !o.waits.IsZero() {
				all += h.of(o).rate
			}
		}
	}
	return own / all
}

// free is in how many seconds an agent is free as a mean, false where they go away
// after what they do, or are away. talk is how long a conversation takes that nothing
// is known of.
func (h *hands) free(a *agent, talk float64) (seconds float64, comes bool) {
	switch a.stat.Status {
	case model.Ready:
		return 0, true
	case model.NotReady:
		return 0, false
	case model.BusyDNCallIn, model.BusyDNCallOut, model.BusyDNCallOutPrivate:
		return max(h.since(a), talk), true
	case model.NotReadyBusy:
		if a.stat.CurrentService.String() != "" {
			return 0, false // not ready as soon as this contact is over
		}
		return h.elsewhere(a, talk)
	case model.BusyElsewhere:
		return h.elsewhere(a, talk)
	case model.Booked, model.Busy, model.WNR:
	}
	return h.over(a, talk), true
}

// elsewhere is the same of who is busy on another of their channels.
func (h *hands) elsewhere(a *agent, talk float64) (seconds float64, comes bool) {
	for _, other := range h.t.people.channels[a.key.Username] {
		if other == a || other.stat == nil || other.stat.CurrentService.String() == "" {
			continue
		}
		switch other.stat.Status {
		case model.NotReadyBusy:
			return 0, false
		case model.Booked, model.Busy, model.WNR:
			return h.over(other, talk), true
		case model.Ready, model.NotReady, model.BusyElsewhere, model.BusyDNCallIn, model.BusyDNCallOut, model.BusyDNCallOutPrivate:
		}
	}
	return max(h.since(a), talk), true
}

// over is in how many seconds an agent is done with a contact, by how long those of its
// service take; where nobody knows that, as long as it has taken.
func (h *hands) over(a *agent, talk float64) float64 {
	l := h.t.lines[model.ServiceKey{Code: a.stat.CurrentService.String(), Channel: a.key.Channel}]
	var o ofLine
	if l != nil {
		o = h.of(l)
	}
	if !o.known {
		return max(h.since(a), talk)
	}
	if a.stat.Status == model.WNR {
		return o.wrap
	}
	return o.talk + o.wrap
}

// since is for how many seconds an agent has been in their state.
func (h *hands) since(a *agent) float64 {
	at, ok := a.stat.TimeInState.Get()
	if !ok {
		at = a.moved
	}
	if at.IsZero() {
		return 0
	}
	return max(h.now.Sub(at).Seconds(), 0)
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
