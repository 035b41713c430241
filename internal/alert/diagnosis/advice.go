package diagnosis

import (
	"slices"
	"time"

	"wallboard/internal/words"
)

// BreakCost is the cost for all callers together of one more agent on a break for half an hour.
type BreakCost struct {
	Wait             time.Duration // additional waiting time of all callers
	LateContacts     float64       // additional contacts that are answered late
	QueueGrows       bool          // more contacts arrive than the remaining agents can serve
	QueueGrowsAnyway bool          // more contacts arrive than the agents can serve, even if the agent stays
}

// costPeriod is the length of the period that a [BreakCost] covers.
const costPeriod = 30 * time.Minute

// Text describes a cost, such as "0:40 more waiting, 1.5 more late".
func (c BreakCost) Text() words.Text {
	switch {
	case c.QueueGrowsAnyway:
		return words.ReleaseCostAlready()
	case c.QueueGrows:
		return words.ReleaseCostGrows()
	}
	return words.ReleaseCost(c.Wait.Round(time.Second), c.LateContacts)
}

// ReleaseHorizon is how far ahead a plan looks for a half hour in which a break costs less, unless
// the latest time of the break is known.
const ReleaseHorizon = 3 * time.Hour

// cheaperFactor is the factor by which a later half hour must be cheaper than now to be worth waiting
// for.
const cheaperFactor = 2

// halfHourCost holds the costs of an agent's break in a later half hour.
type halfHourCost struct {
	from       time.Time
	releasable int       // agents who can leave then
	costs      []float64 // by skill group, see [skillGroup.cost]
}

// addCosts sets the cost of each half hour, assuming that in later half hours as many agents as
// usual are out. The cost of a half hour is that of the agent whose absence costs least. addCosts
// also marks the cheapest half hour.
func (r *ReleasePlan) addCosts(in *ReleaseInput) {
	atWork := max(1-in.UsualAway/float64(max(len(in.Agents), 1)), 0.1)
	for i := range r.HalfHours {
		h := &r.HalfHours[i]
		if i == 0 {
			h.Cost = r.now.leastCost()
			continue
		}
		p := newPool(in.Periods[i].demand(in.Demand), in.Target)
		for s := range p.services {
			p.services[s].PerSecond /= atWork
		}
		p.addAgents(in.Agents, func(*PlannedAgent) bool { return false })
		later, importance := halfHourCost{h.From, h.Releasable, make([]float64, len(p.groups))}, p.addedWaits()
		for g := range p.groups {
			later.costs[g] = p.groups[g].cost(importance)
		}
		r.laterCosts = append(r.laterCosts, later)
		h.Cost = p.leastCost()
	}
	if best := r.BestHalfHour(); best != nil {
		best.Cheapest = true
	}
}

// leastCost returns the cost of the agent whose absence costs least.
func (p *pool) leastCost() (out BreakCost) {
	importance, best := p.addedWaits(), -1
	for g := range p.groups {
		if p.groups[g].atWork > 0 && (best < 0 || p.groups[g].cost(importance) < p.groups[best].cost(importance)) {
			best = g
		}
	}
	if best < 0 {
		return BreakCost{QueueGrows: true, QueueGrowsAnyway: true}
	}
	out.Wait = time.Duration(p.groups[best].cost(importance) * float64(costPeriod))
	for _, i := range p.groups[best].services {
		s := &p.services[i]
		agents, load := p.staffOf(s)
		with, without := erlangC(agents, load, p.handling), erlangC(agents-1, load, p.handling)
		out.LateContacts += s.PerSecond * costPeriod.Seconds() * max(with.ServiceLevel-without.ServiceLevel, 0)
		out.QueueGrows = out.QueueGrows || s.PerSecond > 0 && without.QueueGrows
		out.QueueGrowsAnyway = out.QueueGrowsAnyway || s.PerSecond > 0 && with.QueueGrows
	}
	return out
}

// isBelow reports whether c is lower than other. A cost with a growing queue is higher than any
// cost without a growing queue.
func (c BreakCost) isBelow(other BreakCost) bool {
	if c.QueueGrows != other.QueueGrows {
		return other.QueueGrows
	}
	return c.Wait < other.Wait
}

// isAsCheapAs reports whether a break in h costs at most cheaperFactor times as much as in other, and the queue
// grows in both half hours or in neither.
func (h *HalfHourRelease) isAsCheapAs(other *HalfHourRelease) bool {
	return h.Cost.Wait <= cheaperFactor*other.Cost.Wait && h.Cost.QueueGrows == other.Cost.QueueGrows
}

// BestHalfHour returns the half hour before [ReleaseHorizon] in which the absence of an agent costs least. It
// considers only half hours in which an agent can leave without missing a target. If several cost the same,
// it returns the earliest. It returns nil if there are none.
func (r *ReleasePlan) BestHalfHour() (best *HalfHourRelease) {
	for i := range r.HalfHours {
		h := &r.HalfHours[i]
		if h.From.Before(r.horizon()) && h.Releasable > 0 && (best == nil || h.Cost.isBelow(best.Cost)) {
			best = h
		}
	}
	return best
}

// horizon returns the time before which breaks are planned.
func (r *ReleasePlan) horizon() time.Time { return r.HalfHours[0].From.Add(ReleaseHorizon) }

// Verdict describes in a sentence whether breaks should begin now or later, such as "Breaks are
// better later: cheapest from 17:30 to 18:00, when 2 agents can leave." It names only half hours in
// which an agent can leave. If the plan has no half hours, it returns the zero Text.
func (r *ReleasePlan) Verdict() words.Text {
	if len(r.HalfHours) == 0 {
		return words.Text{}
	}
	best := r.BestHalfHour()
	now := &r.HalfHours[0]
	until := words.ClockOf(r.horizon(), nil)
	if last := r.HalfHours[len(r.HalfHours)-1].To; last.Before(r.horizon()) {
		until = words.ClockOf(last, nil)
	}
	switch {
	case best == nil:
		return words.ReleaseNoneUntil(until)
	case best == now:
		return words.ReleaseCheapestNow(until)
	case r.ReleasableNow == 0:
		return words.ReleaseNotNow(best.text())
	case now.isAsCheapAs(best):
		return words.ReleaseCanBegin(until)
	}
	return words.ReleaseLater(best.text())
}

// text describes the half hour: "from 17:30 to 18:00, when 2 agents can leave".
func (h *HalfHourRelease) text() words.Text {
	return words.ReleaseHalfHour(words.ClockOf(h.From, nil), words.ClockOf(h.To, nil), h.Releasable)
}

// BreakCandidate is an agent at work who may go on a break.
type BreakCandidate struct {
	Username    string
	Since       time.Time // end of the last break, or login
	Services    []string  // codes of the agent's services, sorted
	Ready       bool      // the agent has no contact
	LatestStart time.Time // when the break has to begin at the latest; zero: unknown, [ReleaseHorizon] applies
}

// BreakTiming describes when an agent should go on a break.
type BreakTiming int

// Values of [BreakTiming].
const (
	BreakTimeUnknown BreakTiming = iota // there is no forecast, or no agent with the same services is at work
	BreakNow                            // no half hour ahead is much cheaper
	BreakNotYet                         // the agent has a contact, a service would have no ready agent, or no agent can leave in the half hour ahead that is much cheaper
	BreakLater                          // a half hour ahead, in which an agent can leave, is much cheaper
	BreakBelowTarget                    // like BreakNow, but a target will be missed
)

// Advice describes when a candidate's break makes callers wait least.
type Advice struct {
	BreakCandidate

	Time BreakTiming
	At   time.Time // beginning of the cheapest half hour; for [BreakLater]
}

// Text describes the advice, such as "now", "17:30", "not yet" or "now if it cannot wait".
func (a *Advice) Text() words.Text {
	switch a.Time {
	case BreakNow:
		return words.ReleaseNow()
	case BreakLater:
		return words.TimeClock(words.ClockOf(a.At, nil))
	case BreakNotYet:
		return words.ReleaseNotYet()
	case BreakBelowTarget:
		return words.ReleaseNowIf()
	case BreakTimeUnknown:
	}
	return words.Text{}
}

// Advise returns the advice for each candidate, in the same order. Each candidate who leaves now
// makes the breaks of later candidates more expensive. After ReleasableNow candidates have left, targets
// would be missed. Advise does not change the plan.
func (r *ReleasePlan) Advise(candidates []BreakCandidate) []Advice {
	out := make([]Advice, len(candidates))
	var p *pool
	left, canGo := make(map[string]int), r.ReleasableNow // left: agents who leave now, by service; canGo: how many more can leave without missing a target
	for i := range candidates {
		a := &out[i]
		if a.BreakCandidate = candidates[i]; r.now == nil || len(r.laterCosts) == 0 {
			continue
		}
		if p == nil {
			p = r.now.clone()
		}
		g := p.groupOf(a.Services)
		if g < 0 || p.groups[g].atWork == 0 {
			continue
		}
		covered := a.Ready && !slices.ContainsFunc(a.Services, func(s string) bool { return r.ready[s]-left[s] < 2 })
		if best := r.cheapestLater(g, p.groups[g].cost(p.addedWaits()), a.LatestStart); best != nil {
			if a.Time = BreakNotYet; best.releasable > 0 {
				a.Time, a.At = BreakLater, best.from
			}
		} else if a.Time = BreakNotYet; covered {
			if a.Time = BreakBelowTarget; canGo > 0 {
				a.Time = BreakNow
				canGo--
			}
			p.sendOnBreak(g, 1)
			for _, s := range a.Services {
				left[s]++
			}
		}
	}
	return out
}

// cheapestLater returns the later half hour in which the absence of an agent of a skill group costs
// least. If no half hour that begins before latest is much cheaper than cost, it returns nil. A
// zero latest means the horizon of the plan.
func (r *ReleasePlan) cheapestLater(group int, cost float64, latest time.Time) (best *halfHourCost) {
	if latest.IsZero() {
		latest = r.horizon()
	}
	least := cost / cheaperFactor
	for i := range r.laterCosts {
		if l := &r.laterCosts[i]; l.from.Before(latest) && l.costs[group] < least {
			best, least = l, l.costs[group]
		}
	}
	return best
}
