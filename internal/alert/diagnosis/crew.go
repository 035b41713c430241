package diagnosis

import (
	"math"
	"time"

	"wallboard/model"
)

// Crew describes the agents who serve some services and the work per contact.
type Crew struct {
	// AgentsAtWork is the number of agents who are logged in and not on a break. An agent who also serves
	// other services counts as a fraction: the contacts of the crew's services divided by those of all the
	// agent's services, in the last hour.
	AgentsAtWork      float64
	SecondsPerContact float64 // seconds that a contact takes an agent, including after-call work; 0: unknown
}

// Crew returns the crew of some services on a channel.
func (t *History) Crew(ch model.Channel, services []string, now time.Time) Crew {
	lines := make(map[*serviceHistory]bool, len(services))
	hours := make(map[*serviceHistory]PeriodTotals)
	lastHour := func(l *serviceHistory) PeriodTotals {
		hour, ok := hours[l]
		if !ok {
			hour = l.totalsBetween(now.Add(-usualSpan), now)
			hours[l] = hour
		}
		return hour
	}
	arrived := func(l *serviceHistory) float64 {
		return lastHour(l).Arrived + 1 // one more contact gives services without contacts a weight
	}
	var crew Crew
	weight := 0.0
	for _, code := range services {
		l := t.serviceHistory(model.ServiceKey{Code: code, Channel: ch})
		if l == nil {
			continue
		}
		lines[l] = true
		if talk, wrap, ok := l.handlingTimes(now); ok && lastHour(l).Seconds >= minObserved {
			crew.SecondsPerContact += (talk + wrap) * arrived(l)
			weight += arrived(l)
		}
	}
	crew.SecondsPerContact /= max(weight, 1)
	for _, a := range t.agents.rows {
		if a.key.Channel != ch || a.record == nil {
			continue
		}
		switch a.record.Status {
		case "", model.NotReady, model.NotReadyBusy, model.BusyElsewhere: // on a break, about to begin one, or busy on another channel
			continue
		case model.Ready, model.Busy, model.Booked, model.WNR, model.BusyDNCallIn, model.BusyDNCallOut, model.BusyDNCallOutPrivate:
		}
		own, all := 0.0, 0.0
		for _, code := range a.services {
			if l := t.services[model.ServiceKey{Code: code, Channel: ch}]; l != nil {
				all += arrived(l)
				if lines[l] {
					own += arrived(l)
				}
			}
		}
		if all > 0 {
			crew.AgentsAtWork += own / all
		}
	}
	return crew
}

// AnswerTimeLimit is the assumed time limit for answering a contact. The platform does not send its
// own limit.
const AnswerTimeLimit = 20 * time.Second

// RequiredAgents returns the smallest number of agents who answer the given share of the contacts
// within [AnswerTimeLimit]. It returns 0 if there are no contacts or no number is enough. The model is
// Erlang C: arrivals are random, handling times are exponential, and no caller hangs up.
func (c *Crew) RequiredAgents(perSecond, share float64) int {
	const most = 20_000
	load := perSecond * c.SecondsPerContact
	if load <= 0 || load > most || share >= 1 {
		return 0
	}
	blocked := 1.0 // probability that all n agents are busy (Erlang B)
	for n := 1; n <= 2*most; n++ {
		blocked = load * blocked / (float64(n) + load*blocked)
		spare := float64(n) - load
		if spare <= 0 {
			continue
		}
		waits := blocked / (1 - load/float64(n)*(1-blocked))
		if 1-waits*math.Exp(-spare*AnswerTimeLimit.Seconds()/c.SecondsPerContact) >= share {
			return n
		}
	}
	return 0
}
