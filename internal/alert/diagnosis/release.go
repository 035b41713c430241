package diagnosis

import (
	"math"
	"slices"
	"time"

	"wallboard/internal/words"
	"wallboard/model"
)

// PlannedAgent is a logged-in agent in a release plan.
type PlannedAgent struct {
	Services     []string  // codes of the agent's services, sorted
	Ready        bool      // the agent is at work and has no contact
	IsOnBreak    bool      // the agent is on a break or will be after the current contact
	BreakPending bool      // the agent has a contact now and a break afterwards
	WithoutCode  bool      // the agent is not ready and has no activity code
	ReturnAt     time.Time // expected return from the break; zero: unknown, and the agent is assumed to stay out
}

// PlannedPeriod is a half hour of a release plan with the expected contacts.
type PlannedPeriod struct {
	From, To time.Time
	// PerSecond holds the expected contacts per second of each service, in the order of
	// [ReleaseInput.Demand].
	PerSecond []float64
	// Staff is the usual number of logged-in agents divided by the current number. 0 means that the
	// current number is assumed.
	Staff float64
}

// ReleaseInput holds the data for a [ReleasePlan].
type ReleaseInput struct {
	Now     time.Time
	Demand  []ServiceDemand // services of the channel with their current contacts
	Target  float64         // target service level of the floor, 0 to 1; 0: none
	Agents  []PlannedAgent
	Periods []PlannedPeriod // half hours of the rest of the day; empty: there is no forecast
	// UsualAway is the average number of agents on a break.
	UsualAway float64
	Spare     *FloorSpare // agents whom the queues can spare now
}

// ReleasePlan describes how many agents can leave while the service level targets are still met.
type ReleasePlan struct {
	// MissingReason is a sentence with the reason why there is no plan. It is zero if there is one.
	MissingReason words.Text
	// HalfHoursMissing is a sentence with the reason why the half hours are unknown. It is zero if they
	// are known.
	HalfHoursMissing words.Text

	AwayNow             int            // agents who take no further contacts: on a break, BreakPending or WithoutCode
	BreakPending        int            // agents with a break after the current contact
	WithoutCode         int            // agents who are not ready and have no activity code
	AtWork              int            // agents who take contacts now
	ReleasableNow       int            // agents who can leave now
	ReleasableByService map[string]int // agents of each service who can leave now, by code; at most ReleasableNow
	Spare               *FloorSpare    // agents whom the queues can spare now, regardless of targets
	HalfHours           []HalfHourRelease
	Effects             []ReleaseEffect // predicted outcomes by number of agents out, from fewest to most
	HandlingTime        time.Duration   // mean time that a contact takes an agent
	Target              float64         // target service level of the floor; 0: none
	ArrivalsPerSecond   float64         // contacts per second now
	fromHalfHours       bool            // ArrivalsPerSecond is the forecast for the current half hour
	usesStaff           bool            // the half hours use the usual numbers of agents
	now                 *pool
	ready               map[string]int // ready agents by service
	laterCosts          []halfHourCost // costs in the half hours after the current one
}

// HalfHourRelease describes how many agents can leave in a half hour.
type HalfHourRelease struct {
	From, To   time.Time
	Contacts   float64 // expected number of contacts
	Returning  int     // agents who are out now and expected back by the beginning of the half hour
	Releasable int     // agents who can be out in addition to those still out; in the first half hour ReleasableNow
	Cost       BreakCost
	Cheapest   bool // see [ReleasePlan.BestHalfHour]
}

// ReleaseEffect is the predicted outcome with a number of agents out.
type ReleaseEffect struct {
	Away                int
	Floor               Outcome
	Services            map[string]Outcome // outcomes of the services with contacts, by code
	ServicesBelowTarget []string           // codes of the services below their targets, lowest service level first
}

// maxSkillGroups limits the number of skill groups of a plan, so that computing the plan takes a
// fraction of a second.
const maxSkillGroups = 500

// maxEffects is by how much the numbers of agents out in [ReleasePlan.Effects] differ at most from
// the current number.
const maxEffects = 10

// PlanRelease computes a release plan. It considers shared skills: agents leave from the skill
// groups whose absence makes callers wait least.
func PlanRelease(in *ReleaseInput) *ReleasePlan {
	out := &ReleasePlan{Target: in.Target, Spare: in.Spare, ready: make(map[string]int)}
	for i := range in.Agents {
		a := &in.Agents[i]
		if !a.IsOnBreak {
			out.AtWork++
		} else if out.AwayNow++; a.BreakPending {
			out.BreakPending++
		} else if a.WithoutCode {
			out.WithoutCode++
		}
		if a.Ready {
			for _, s := range a.Services {
				out.ready[s]++
			}
		}
	}
	now := in.Demand
	if len(in.Periods) > 0 {
		now, out.fromHalfHours = in.Periods[0].demand(in.Demand), true
	}
	p := newPool(now, in.Target)
	switch {
	case out.AtWork == 0:
		out.MissingReason = words.ReleaseNoAgents()
	case p.arrivals <= 0:
		out.MissingReason = words.ReleaseArrivalsUnknown()
	case p.handling <= 0:
		out.MissingReason = words.LoadTooFew()
	}
	if !out.MissingReason.IsZero() {
		return out
	}
	out.HandlingTime, out.ArrivalsPerSecond = time.Duration(p.handling*float64(time.Second)), p.arrivals
	p.addAgents(in.Agents, func(a *PlannedAgent) bool { return a.IsOnBreak })
	if len(p.groups) > maxSkillGroups {
		out.MissingReason = words.ReleaseTooManySkills(len(p.groups), maxSkillGroups)
		return out
	}
	if p.atWork() == 0 {
		out.MissingReason = words.ReleaseNoService()
		return out
	}
	out.now = p
	out.addEffects(p)
	out.ReleasableNow = min(p.mostReleasable(), in.Spare.Releasable)
	for i := range in.Periods {
		out.addHalfHour(in, &in.Periods[i])
		out.usesStaff = out.usesStaff || in.Periods[i].Staff > 0
	}
	// A break that begins now continues into the next half hour.
	if len(out.HalfHours) > 1 {
		out.ReleasableNow = min(out.ReleasableNow, out.HalfHours[1].Releasable)
	}
	out.addServices(p)
	if len(out.HalfHours) > 0 {
		out.HalfHours[0].Releasable = out.ReleasableNow
	}
	out.addCosts(in)
	return out
}

// addServices sets how many agents can leave each service. If the services together can spare fewer
// agents than ReleasableNow, it lowers ReleasableNow.
func (r *ReleasePlan) addServices(p *pool) {
	r.ReleasableByService = make(map[string]int, len(p.services))
	total := 0
	for i := range p.services {
		s := &p.services[i]
		if limit := min(r.Spare.ReleasableFrom(s.Code), r.ReleasableNow); limit > 0 {
			r.ReleasableByService[s.Code] = p.mostReleasableFrom(s.groups, limit, limit, 1)
			total += r.ReleasableByService[s.Code]
		}
	}
	r.ReleasableNow = min(r.ReleasableNow, total)
}

// AwayText describes how many agents are out now and why, such as "8 out: 6 on a break, 1 leaving
// after the current contact, 1 not ready without a code".
func (r *ReleasePlan) AwayText() words.Text {
	onBreak := r.AwayNow - r.BreakPending - r.WithoutCode
	if onBreak == r.AwayNow {
		return words.ReleaseOnBreak(onBreak)
	}
	var parts []words.Text
	for _, part := range []struct {
		n    int
		text func(n int) words.Text
	}{{onBreak, words.ReleasePartBreak}, {r.BreakPending, words.ReleasePartLeaving}, {r.WithoutCode, words.ReleasePartNoCode}} {
		if part.n > 0 {
			parts = append(parts, part.text(part.n))
		}
	}
	return words.ReleaseOut(r.AwayNow, parts)
}

// demand returns the services with the contacts expected in the period. The contacts are divided by
// Staff, because the model assumes the agents who are logged in now.
func (p *PlannedPeriod) demand(services []ServiceDemand) []ServiceDemand {
	out := slices.Clone(services)
	for i := range out {
		if out[i].PerSecond = p.PerSecond[i]; p.Staff > 0 {
			out[i].PerSecond /= p.Staff
		}
	}
	return out
}

// addHalfHour adds the number of agents who can leave in a half hour.
func (r *ReleasePlan) addHalfHour(in *ReleaseInput, period *PlannedPeriod) {
	p := newPool(period.demand(in.Demand), in.Target)
	h := HalfHourRelease{From: period.From, To: period.To}
	for _, perSecond := range period.PerSecond {
		h.Contacts += perSecond * period.To.Sub(period.From).Seconds()
	}
	p.addAgents(in.Agents, func(a *PlannedAgent) bool {
		if !a.IsOnBreak || !a.ReturnAt.IsZero() && !a.ReturnAt.After(period.From) {
			if a.IsOnBreak {
				h.Returning++
			}
			return false
		}
		return true
	})
	if h.Releasable = p.mostReleasable(); period.Staff > 0 {
		h.Releasable = int(float64(h.Releasable) * period.Staff)
	}
	r.HalfHours = append(r.HalfHours, h)
}

// addEffects adds the effects of up to maxEffects agents more or fewer on a break.
func (r *ReleasePlan) addEffects(p *pool) {
	for out := max(r.AwayNow-maxEffects, 0); out <= r.AwayNow+min(maxEffects, r.AtWork-1); out++ {
		at := p.clone()
		if out < r.AwayNow {
			at.recallAgents(r.AwayNow - out)
		} else {
			at.releaseAgents(out - r.AwayNow)
		}
		e := ReleaseEffect{Away: out, Floor: at.floorOutcome(), Services: make(map[string]Outcome), ServicesBelowTarget: at.servicesAtRisk()}
		for i := range at.services {
			if s := &at.services[i]; s.PerSecond > 0 {
				e.Services[s.Code] = at.outcomeOf(s)
			}
		}
		r.Effects = append(r.Effects, e)
	}
}

// EffectOf returns the effect of the given number of agents out, or nil if the plan does not
// contain that number.
func (r *ReleasePlan) EffectOf(out int) *ReleaseEffect {
	for i := range r.Effects {
		if r.Effects[i].Away == out {
			return &r.Effects[i]
		}
	}
	return nil
}

// ClampChange limits a change of the number of agents out to the range for which the plan has effects.
func (r *ReleasePlan) ClampChange(change int) int {
	if len(r.Effects) == 0 {
		return 0
	}
	return min(max(change, r.Effects[0].Away-r.AwayNow), r.Effects[len(r.Effects)-1].Away-r.AwayNow)
}

// Text describes an outcome in full, such as "84 % in 20 s, 0:09 wait".
func (o Outcome) Text() words.Text {
	if o.QueueGrows {
		return o.ShortText()
	}
	return words.ReleaseOutcome(o.percent(), int(AnswerTimeLimit/time.Second), o.wait())
}

// percent returns the service level in whole percent.
func (o Outcome) percent() int { return int(math.Round(100 * o.ServiceLevel)) }

// wait returns the mean wait in whole seconds.
func (o Outcome) wait() time.Duration { return time.Duration(math.Round(o.Wait)) * time.Second }

// ShortText describes an outcome without the time limit for answering, such as "79 %, 0:14".
func (o Outcome) ShortText() words.Text {
	switch {
	case o.Unstaffed:
		return words.ReleaseUnstaffed()
	case o.QueueGrows:
		return words.ReleaseOverload()
	}
	return words.ReleaseOutcomeShort(o.percent(), o.wait())
}

// ChangeText describes the change from o to then, such as "79 %, 0:14 → 76 %, 0:20", with the given
// arrow. If both outcomes have the same text, it adds "unchanged", except for a growing queue.
func (o Outcome) ChangeText(then Outcome, arrow string) words.Text {
	switch before, after := o.ShortText(), then.ShortText(); {
	case !before.Equal(after):
		return words.ReleaseChange(before, arrow, after)
	case o.QueueGrows:
		return before
	default:
		return words.ReleaseUnchanged(before)
	}
}

// Assumptions returns the assumptions behind the plan as sentences.
func (r *ReleasePlan) Assumptions() []words.Text {
	if !r.MissingReason.IsZero() {
		return nil
	}
	source, shifts := words.ReleaseAsLastHour(), words.ReleaseAssumesPresent()
	if r.fromHalfHours {
		source = words.ReleaseAsForecast()
	}
	if r.usesStaff {
		shifts = words.ReleaseAssumesEarlier()
	}
	out := []words.Text{words.ReleaseAssumes(int(math.Round(r.ArrivalsPerSecond*3600)), source, r.HandlingTime.Round(time.Second)), shifts}
	if !r.HalfHoursMissing.IsZero() {
		out = append(out, words.ReleaseHalfHoursUnknown(r.HalfHoursMissing))
	}
	return out
}

// DemandOf returns the demand of services on a channel over the last hour. It does not follow a
// surge of a few minutes, because a break takes longer. A service without ended contacts in the
// last hour gets the mean handling time of the others. target returns the target service level of a
// service.
func (t *History) DemandOf(ch model.Channel, services []string, now time.Time, target func(code string) float64) []ServiceDemand {
	out := make([]ServiceDemand, len(services))
	work, weight := 0.0, 0.0
	for i, code := range services {
		k := model.ServiceKey{Code: code, Channel: ch}
		out[i] = ServiceDemand{Code: code, Target: target(code)}
		hour := t.PeriodTotals(k, now.Add(-usualSpan), now)
		if hour.Seconds > 0 {
			out[i].PerSecond = hour.Arrived / hour.Seconds
		}
		if talk, wrap, ok := t.HandlingTimes(k, now); ok && hour.Seconds >= minObserved {
			out[i].SecondsPerContact = talk + wrap
			work, weight = work+out[i].PerSecond*(talk+wrap), weight+out[i].PerSecond
		}
	}
	for i := range out {
		if out[i].SecondsPerContact == 0 && weight > 0 {
			out[i].SecondsPerContact = work / weight
		}
	}
	return out
}
