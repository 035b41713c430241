package diagnosis

import (
	"math"
	"slices"
	"time"

	"wallboard/model"
)

const (
	recentSpan = 6 * time.Minute  // period for current handling times and arrivals
	usualSpan  = 60 * time.Minute // reference period for handling times and arrivals
	// priorContacts is the number of contacts of usual length that are added to the recent ones, so
	// that a few contacts do not determine the mean.
	priorContacts = 6
	// changedPrior replaces priorContacts after a significant change of the length.
	changedPrior = 3
	// minObserved is the number of observed seconds below which the handling times of services are
	// not averaged: only the shortest contacts have ended by then.
	minObserved = 180
)

// HandlingTimes returns the recent mean talk time and the recent mean after-call work of a service
// in seconds. If no talk has ended in the last hour, ok is false.
func (t *History) HandlingTimes(k model.ServiceKey, now time.Time) (talk, wrap float64, ok bool) {
	l := t.serviceHistory(k)
	if l == nil {
		return 0, 0, false
	}
	return l.handlingTimes(now)
}

func (l *serviceHistory) handlingTimes(now time.Time) (talk, wrap float64, ok bool) {
	talk = l.currentLength(now, func(m *PeriodTotals) workTotal { return workTotal{m.TalkSeconds, m.Talks} })
	wrap = l.currentLength(now, func(m *PeriodTotals) workTotal { return workTotal{m.WrapUpSeconds, m.WrapUps} })
	return talk, wrap, talk > 0
}

// workTotal holds the seconds that agents spent on a kind of work, and how many pieces of it ended.
type workTotal struct{ seconds, ended float64 }

// currentLength returns the current mean length of a kind of work in seconds, or 0 if none has
// ended in usualSpan. of returns the work in a minute. The mean covers recentSpan, with
// priorContacts of the usual length added. After a significant change of the length, it covers the
// time since the change. Ongoing work counts with its time so far, so a longer length is noticed
// before the work ends.
func (l *serviceHistory) currentLength(now time.Time, of func(*PeriodTotals) workTotal) float64 {
	const (
		recentMinutes  = int64(recentSpan / time.Minute)
		longestMinutes = 15 // longest time since a change
	)
	var sum workTotal
	since := make([]workTotal, 0, longestMinutes+1) // work in the last minutes, by the number of minutes
	last := now.Unix() / 60
	for i := range int64(usualSpan/time.Minute) + 1 {
		if m, ok := l.minute(last - i); ok {
			w := of(&m)
			sum.seconds, sum.ended = sum.seconds+w.seconds, sum.ended+w.ended
		}
		if i <= longestMinutes {
			since = append(since, sum)
		}
	}
	if sum.ended <= 0 {
		return 0
	}
	usual := sum.seconds / sum.ended
	length := (since[recentMinutes].seconds + priorContacts*usual) / (max(since[recentMinutes].ended, 0) + priorContacts)
	most := float64(minLogLikelihood)
	for i := 1; i <= longestMinutes; i++ {
		w := workTotal{since[i].seconds, max(since[i].ended, 0)}
		before := workTotal{sum.seconds - w.seconds, sum.ended - w.ended}
		if before.ended < minTalks {
			break
		}
		if likelier := logLikelihood(w.ended, w.seconds/usual) + logLikelihood(before.ended, before.seconds/usual); likelier > most {
			most = likelier
			length = (w.seconds + changedPrior*before.seconds/before.ended) / (w.ended + changedPrior)
		}
	}
	return length
}

// EffectiveAgents returns the effective number of agents for the queue of a service in the period
// of length within that begins now. Each agent counts in proportion to the expected number of
// contacts that the agent begins in the period. An agent who has just begun a contact counts as 1.
// An agent who will be free sooner counts for more, and an agent who will be busy for longer counts
// for less.
//
// If other services of an agent also have queues, the agent counts only for this service's share of
// the arrivals, because the oldest contact is taken first. Agents who are away are assumed to stay
// away.
func (t *History) EffectiveAgents(k model.ServiceKey, within time.Duration, now time.Time) float64 {
	l := t.serviceHistory(k)
	if l == nil {
		return 0
	}
	talk, wrap, ok := l.handlingTimes(now)
	if !ok {
		return 0
	}
	h := effectiveAgents{history: t, now: now, figuresByService: make(map[*serviceHistory]serviceFigures)}
	work, time := talk+wrap, within.Seconds()
	recent := l.totalsBetween(now.Add(-recentSpan), now)
	ownCall, _ := recent.MeanOwnCall(model.FigureOf(talk)).Get()
	parts := make([]float64, 0, len(l.agents))
	for a := range l.agents {
		free, comes := h.timeUntilFree(a, talk, ownCall)
		if !comes {
			continue
		}
		// takes is the expected number of contacts that the agent begins in the period. The time
		// until the agent is free is exponential, and the handling time is constant.
		takes := time / work
		if free > 0 {
			takes += (1 - math.Exp(-time/free)) * (1 - free/work)
		} else {
			takes++
		}
		parts = append(parts, h.shareOf(a, l)*max(takes, 0)*work/time)
	}
	slices.Sort(parts) // make the rounding of the sum independent of the map order
	sum := 0.0
	for _, p := range parts {
		sum += p
	}
	return math.Round(sum*1000) / 1000
}

type effectiveAgents struct {
	history          *History
	now              time.Time
	figuresByService map[*serviceHistory]serviceFigures
}

// serviceFigures holds recent figures of a service.
type serviceFigures struct {
	rate       float64 // arrivals per second; with one more contact and one more minute than observed, so the rate is never 0
	talk, wrap float64
	timesKnown bool // talk and wrap are known
}

func (h *effectiveAgents) figuresOf(l *serviceHistory) serviceFigures {
	o, ok := h.figuresByService[l]
	if !ok {
		l.accumulate(h.history.lastUpdate)
		s := l.totalsBetween(h.now.Add(-recentSpan), h.now)
		o.rate = (s.Arrived + 1) / (s.Seconds + 60)
		o.talk, o.wrap, o.timesKnown = l.handlingTimes(h.now)
		h.figuresByService[l] = o
	}
	return o
}

// shareOf returns the share of a service in the contacts that an agent takes. Of the agent's other
// services, it considers only those with a queue.
func (h *effectiveAgents) shareOf(a *agent, l *serviceHistory) float64 {
	own := h.figuresOf(l).rate
	all := own
	for _, other := range h.history.agents.byUsername[a.key.Username] {
		for _, code := range other.services {
			if o := h.history.services[model.ServiceKey{Code: code, Channel: other.key.Channel}]; o != nil && o != l && !o.waitingSince.IsZero() {
				all += h.figuresOf(o).rate
			}
		}
	}
	return own / all
}

// timeUntilFree returns the mean number of seconds until an agent is free. comes is false if the
// agent is away or will be away after the current contact. talk is the talk time to assume if the
// handling times of the contact are unknown. ownCall is the mean length of calls outside services.
func (h *effectiveAgents) timeUntilFree(a *agent, talk, ownCall float64) (seconds float64, comes bool) {
	switch a.record.Status {
	case model.Ready:
		return 0, true
	case model.NotReady:
		return 0, false
	case model.BusyDNCallIn, model.BusyDNCallOut, model.BusyDNCallOutPrivate:
		return max(h.secondsInState(a), ownCall), true
	case model.NotReadyBusy:
		if a.record.CurrentService.String() != "" {
			return 0, false // the agent will be not ready after this contact
		}
		return h.timeUntilFreeElsewhere(a, talk)
	case model.BusyElsewhere:
		return h.timeUntilFreeElsewhere(a, talk)
	case model.Booked, model.Busy, model.WNR:
	}
	return h.remainingSeconds(a, talk), true
}

// timeUntilFreeElsewhere is like [effectiveAgents.timeUntilFree] but for an agent who is busy on
// another channel.
func (h *effectiveAgents) timeUntilFreeElsewhere(a *agent, talk float64) (seconds float64, comes bool) {
	for _, other := range h.history.agents.byUsername[a.key.Username] {
		if other == a || other.record == nil || other.record.CurrentService.String() == "" {
			continue
		}
		switch other.record.Status {
		case model.NotReadyBusy:
			return 0, false
		case model.Booked, model.Busy, model.WNR:
			return h.remainingSeconds(other, talk), true
		case model.Ready, model.NotReady, model.BusyElsewhere, model.BusyDNCallIn, model.BusyDNCallOut, model.BusyDNCallOutPrivate:
		}
	}
	return max(h.secondsInState(a), talk), true
}

// remainingSeconds returns the mean number of seconds until an agent has finished the current
// contact, computed from the handling times of the contact's service. If these are unknown, it
// returns talk or, if longer, the time that the contact has lasted.
func (h *effectiveAgents) remainingSeconds(a *agent, talk float64) float64 {
	l := h.history.services[model.ServiceKey{Code: a.record.CurrentService.String(), Channel: a.key.Channel}]
	var o serviceFigures
	if l != nil {
		o = h.figuresOf(l)
	}
	if !o.timesKnown {
		return max(h.secondsInState(a), talk)
	}
	if a.record.Status == model.WNR {
		return o.wrap
	}
	return o.talk + o.wrap
}

// secondsInState returns for how many seconds an agent has been in the current state.
func (h *effectiveAgents) secondsInState(a *agent) float64 {
	at, ok := a.record.TimeInState.Get()
	if !ok {
		at = a.stateChangedAt
	}
	if at.IsZero() {
		return 0
	}
	return max(h.now.Sub(at).Seconds(), 0)
}

// RingingContacts returns the number of contacts of a service that are ringing at an agent. The platform
// counts them as queued, but they need no further agent.
func (t *History) RingingContacts(k model.ServiceKey) int {
	l, n := t.services[k], 0
	if l == nil {
		return 0
	}
	for a := range l.agents {
		if a.record.Status == model.Booked && a.record.CurrentService.String() == k.Code {
			n++
		}
	}
	return n
}
