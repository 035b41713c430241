package diagnosis

import (
	"math"
	"sort"
	"time"

	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
)

// Load is the work that a service causes and the agents who do it.
type Load struct {
	Waiting           float64 // contacts that are waiting but not ringing yet
	PerSecond         float64 // contacts that arrive per second
	SecondsPerContact float64 // seconds that a contact takes an agent, including after-call work
	Agents            float64 // effective number of agents; see [History.EffectiveAgents]
	Patience          float64 // mean seconds until a caller hangs up; 0: unknown, assume that callers wait

	RatePeriod time.Duration // period behind PerSecond; 0: unknown
	Talks      float64       // number of recent talks behind SecondsPerContact
	HangUps    float64       // number of hang-ups behind Patience
	Burst      Burst         // a past burst that is left out of PerSecond
}

// Periods and limits for estimates.
const (
	loadSpan     = 6 * time.Minute  // period for arrivals
	handlingSpan = 60 * time.Minute // period for handling and waiting times
	minSeconds   = 90               // minimum seconds of observation
	minTalks     = 3                // minimum number of ended talks
	// priorPatience is the waiting time of one assumed caller who hangs up. This caller is added to
	// the observed ones, so that a few observations do not determine Patience.
	priorPatience = 180 // seconds
	// lookAhead is the length of the period for which [History.EffectiveAgents] is computed. The
	// period begins now.
	lookAhead = 5 * time.Minute
)

// LoadOf returns the load of a service. If a figure is unknown, missing is a sentence about it,
// otherwise the zero Text.
func LoadOf(history *History, r *model.Service, now time.Time) (l Load, missing words.Text) {
	waiting, ok := r.ChannelStats.QueuedCalls.Get()
	if !ok {
		return l, words.LoadQueueUnknown()
	}
	recent := history.PeriodTotals(r.Key(), now.Add(-loadSpan), now)
	span := history.PeriodTotals(r.Key(), now.Add(-handlingSpan), now)
	switch {
	case recent.Seconds < minSeconds:
		return l, words.LoadTooShort()
	case recent.ArrivalsUnknown:
		return l, words.LoadArrivalsUnknown()
	case span.HeadCountsUnknown:
		return l, words.LoadStatesUnknown()
	case span.Talks < minTalks:
		return l, words.LoadTooFew()
	}
	talk, wrap, _ := history.HandlingTimes(r.Key(), now)
	l = Load{
		Waiting: max(float64(waiting)-float64(history.RingingContacts(r.Key())), 0), SecondsPerContact: talk + wrap,
		Agents: history.EffectiveAgents(r.Key(), lookAhead, now),
		Talks:  recent.Talks, HangUps: span.Abandoned,
	}
	come := history.ArrivalRate(r.Key(), now)
	l.PerSecond, l.RatePeriod, l.Burst = come.PerSecond, come.Period, come.Burst
	if !span.LossesUnknown {
		l.Patience = (span.WaitSeconds + priorPatience) / (span.Abandoned + 1)
	}
	return l, words.Text{}
}

// maxPrediction limits the predicted time until a queue is empty.
const maxPrediction = time.Hour

// TimeToClear returns the mean time until no contact is waiting, if more agents become ready now.
// If the time is unknown or longer than an hour, the bool result is false.
//
// The model is an Erlang A queue: arrivals are random, and handling times and patience are
// exponential. While contacts wait, all agents are busy. A queue of n contacts grows with the
// arrivals and shrinks with completions and hang-ups, at the rate down(n). The mean time from n to
// n-1 contacts is therefore h(n) = (1 + arrivals h(n+1)) / down(n). Each additional agent takes one
// contact at once.
func (l Load) TimeToClear(more int) (time.Duration, bool) {
	left := int(math.Ceil(l.Waiting)) - more
	if left <= 0 {
		return 0, true
	}
	if l.SecondsPerContact <= 0 {
		return 0, false
	}
	served := (l.Agents + float64(more)) / l.SecondsPerContact
	gives := 0.0
	if l.Patience > 0 {
		gives = 1 / l.Patience
	}
	if gives == 0 && served <= l.PerSecond {
		return 0, false
	}
	down := func(n int) float64 { return served + float64(n)*gives }
	// The computation starts with a queue far longer than the current one. Its start value hardly
	// matters, because such a queue shrinks quickly.
	top := left + 300
	h := 1 / math.Max(down(top)-l.PerSecond, 1e-6)
	sum := 0.0
	for n := top - 1; n >= 1; n-- {
		h = (1 + l.PerSecond*h) / down(n)
		if n <= left {
			sum += h
		}
	}
	if sum > maxPrediction.Seconds() {
		return 0, false
	}
	return time.Duration(sum * float64(time.Second)), true
}

// MostlyHangUps reports whether at present more waiting contacts hang up than are answered.
func (l Load) MostlyHangUps() bool {
	return l.Patience > 0 && l.Waiting/l.Patience > l.Agents/max(l.SecondsPerContact, 1)
}

// minSteadyTime is how long an arrival rate must have lasted before more agents are suggested
// because of it. A burst of a minute ends before help arrives.
const minSteadyTime = 3 * time.Minute

// AgentsToKeepUp returns how many more agents are needed to serve all arriving contacts, ignoring
// the queue. If the arrival rate has not lasted for minSteadyTime, it returns 0.
func (l Load) AgentsToKeepUp() int {
	if l.RatePeriod < minSteadyTime {
		return 0
	}
	return max(int(math.Ceil(l.PerSecond*l.SecondsPerContact-l.Agents-0.05)), 0)
}

// maxExtraAgents is the highest number of additional agents that AgentsToClear tries.
const maxExtraAgents = 60

// AgentsToClear returns the smallest number of additional ready agents that clears the queue within
// the given time. ok is false if even [maxExtraAgents] are not enough.
func (l Load) AgentsToClear(within time.Duration) (more int, ok bool) {
	// The time never increases with the number of agents, so a binary search finds the smallest
	// number.
	more = sort.Search(maxExtraAgents+1, func(n int) bool {
		d, ok := l.TimeToClear(n)
		return ok && d <= within
	})
	if more > maxExtraAgents {
		return 0, false
	}
	return more, true
}

// AgentsToServe is like [Load.AgentsToClear], but also requires that most waiting contacts are
// served rather than hang up.
func (l Load) AgentsToServe(within time.Duration) (more int, ok bool) {
	more, ok = l.AgentsToClear(within)
	for ok && more < maxExtraAgents && l.withMoreAgents(more).MostlyHangUps() {
		more++
	}
	return more, ok && !l.withMoreAgents(more).MostlyHangUps()
}

// AgentRange returns a range that contains the needed number of agents in four of five cases.
// estimate is the result of [Load.AgentsToClear] or [Load.AgentsToServe] for the same time. If
// estimate is 0, most is above 0 only if the queue may not clear in time. The errors of the figures
// in a load are independent, so AgentRange changes one figure at a time and adds the squares of the
// differences.
func (l Load) AgentRange(estimate int, within time.Duration) (least, most int) {
	needed, ok := l.AgentsToClear(within)
	if !ok {
		needed = estimate
	}
	difference := func(deviations float64) float64 {
		sum := 0.0
		for _, changed := range l.withErrors(deviations) {
			n, ok := changed.AgentsToClear(within)
			if !ok {
				n = max(2*needed, needed+maxExtraAgents)
			}
			if d := float64(n - needed); d*deviations > 0 {
				sum += d * d
			}
		}
		return math.Sqrt(sum)
	}
	most = int(math.Ceil(float64(estimate) + difference(rangeDeviations)))
	if estimate == 0 {
		return 0, most
	}
	return max(int(math.Ceil(float64(estimate)-difference(-rangeDeviations))), 0), max(most, estimate+1)
}

// Errors of the figures in a [Load].
const (
	rangeDeviations = 1.28 // standard deviations on each side of the mean that contain 80 % of a normal distribution
	agentsError     = 0.1  // relative standard deviation of Agents, in addition to a deviation of one agent
	workSpread      = 0.7  // relative standard deviation of the work of one contact
)

// withErrors returns one load for each estimated figure, in which this figure differs by the given
// number of standard deviations. A positive number increases the number of needed agents, and a
// negative number reduces it.
func (l Load) withErrors(deviations float64) []Load {
	arrivals, agents, work, patience := l, l, l, l
	period := max(l.RatePeriod.Seconds(), loadSpan.Seconds()/4)
	arrivals.PerSecond = max(l.PerSecond+deviations*math.Sqrt(l.PerSecond*period)/period, 0)
	agents.Agents = max(l.Agents-deviations*math.Hypot(agentsError*l.Agents, 1), 0)
	work.SecondsPerContact *= math.Exp(deviations * workSpread / math.Sqrt(l.Talks+priorContacts))
	patience.Patience *= math.Exp(deviations / math.Sqrt(l.HangUps+1))
	return []Load{arrivals, agents, work, patience}
}

// withMoreAgents returns the load after more agents have become ready and each has taken one waiting
// contact.
func (l Load) withMoreAgents(more int) Load {
	l.Waiting, l.Agents = max(l.Waiting-float64(more), 0), l.Agents+float64(more)
	return l
}

// Assumptions returns sentences with the assumptions and figures behind the estimates.
func (l Load) Assumptions() []words.Text {
	patience := words.LoadPatienceUnknown()
	if l.Patience > 0 {
		patience = words.LoadPatience(textformat.DurationFromSeconds(l.Patience))
	}
	arrivals := words.LoadArrivals(l.PerSecond*60, words.LastPeriod(l.RatePeriod))
	if l.Burst != (Burst{}) {
		arrivals = words.LoadArrivalsWithout(l.PerSecond*60, words.LastPeriod(l.RatePeriod), int(l.Burst.Arrivals+0.5), words.ApproxDuration(l.Burst.To.Sub(l.Burst.From)))
	}
	return []words.Text{arrivals, words.LoadEach(textformat.DurationFromSeconds(l.SecondsPerContact)), words.LoadAgents(int(l.Agents + 0.5)), patience, words.LoadRandom()}
}
