package proof_test

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/diagnosis"
	"wallboard/internal/alert/forecast"
	"wallboard/internal/lib/testkit"
	"wallboard/model"
)

// Times of the simulated queues, in seconds. They are those of the simulator's calls.
const (
	meanTalk     = 82.0  // including ringing
	meanWrapUp   = 18.0  // after-call work
	meanPatience = 144.0 // until a waiting caller hangs up
)

// shiftBreaks returns the allowed lengths of the breaks in a shift. Shorter shifts have fewer.
func shiftBreaks(shift time.Duration) []time.Duration {
	const pause, lunch = 15 * time.Minute, 30 * time.Minute
	switch {
	case shift < 2*time.Hour:
		return nil
	case shift < 5*time.Hour:
		return []time.Duration{pause}
	case shift < 7*time.Hour:
		return []time.Duration{pause, lunch}
	}
	return []time.Duration{pause, lunch, pause}
}

// minBetweenBreaks is the minimum time between two breaks of an agent.
const minBetweenBreaks = 30 * time.Minute

// floorCaller is a caller of a simulated floor. Times are times of day.
type floorCaller struct {
	service        string
	at, hangsUpAt  time.Duration
	handling       time.Duration
	answered, gone bool
}

// floorAgent is an agent of a simulated floor.
type floorAgent struct {
	*workedShift

	name      string
	limits    []time.Duration // allowed lengths of the breaks
	starts    []time.Duration // times at which the agent takes the breaks, if they are drawn at random
	latest    []time.Duration // times at which the breaks must begin
	lengths   []time.Duration // how long the agent's breaks take
	next      int             // index of the next break
	leaves    bool            // the agent goes on the next break after the current call
	busyUntil time.Duration
	outUntil  time.Duration
	lastBreak time.Duration   // end of the last break, or login
	taken     []time.Duration // lengths of the breaks so far
}

// canBegin reports whether the agent may begin the next break.
func (a *floorAgent) canBegin(now time.Duration) bool {
	return a.next < len(a.limits) && !a.leaves && a.isHere(now) && now >= a.lastBreak+minBetweenBreaks
}

func (a *floorAgent) isHere(now time.Duration) bool { return now >= a.from && now < a.to }
func (a *floorAgent) isOut(now time.Duration) bool  { return now < a.outUntil }

// breakFloor simulates the queues of a floor second by second.
type breakFloor struct {
	agents  []*floorAgent
	callers []*floorCaller
	waiting []*floorCaller
	late    int // breaks that began after their time
	waits   time.Duration
	gone    int // callers who hung up
	inTime  int
	arrived map[string]float64 // calls so far by service
	worked  time.Duration      // handling time of the calls so far
	ended   int                // number of these calls
}

// newBreakFloor draws the callers and the agents of a day. The same seed draws the same ones.
func newBreakFloor(day dayOf, seed int64) *breakFloor {
	dice := rand.New(rand.NewPCG(uint64(seed), 41))
	seconds := func(mean float64) time.Duration {
		return time.Duration(dice.ExpFloat64() * mean * float64(time.Second))
	}
	f := &breakFloor{arrived: make(map[string]float64)}
	for _, code := range slices.Sorted(maps.Keys(day.at[closesAt*time.Hour])) {
		for at := opensAt * time.Hour; code != "" && at < closesAt*time.Hour; at += dayStep {
			n := day.at[at+dayStep][code].ReceivedCalls.Or(0) - day.at[at][code].ReceivedCalls.Or(0)
			for range n {
				c := &floorCaller{service: code, at: at + time.Duration(dice.Int64N(int64(dayStep)))}
				c.hangsUpAt, c.handling = c.at+seconds(meanPatience), seconds(meanTalk)+seconds(meanWrapUp)
				f.callers = append(f.callers, c)
			}
		}
	}
	slices.SortFunc(f.callers, func(a, b *floorCaller) int { return cmp.Compare(a.at, b.at) })
	for _, name := range slices.Sorted(maps.Keys(day.shifts)) {
		s := day.shifts[name]
		a := &floorAgent{workedShift: s, name: name, lastBreak: s.from}
		a.limits = shiftBreaks(s.to - s.from)
		a.latest = make([]time.Duration, len(a.limits))
		for i, latest := len(a.limits)-1, s.to; i >= 0; i-- {
			latest -= a.limits[i] + minBetweenBreaks
			a.latest[i] = latest
		}
		for _, limit := range a.limits {
			a.starts = append(a.starts, s.from+minBetweenBreaks+time.Duration(dice.Int64N(int64(a.latest[len(a.latest)-1]-s.from-minBetweenBreaks))))
			a.lengths = append(a.lengths, limit*time.Duration(80+dice.IntN(21))/100)
		}
		slices.Sort(a.starts)
		f.agents = append(f.agents, a)
	}
	return f
}

// run simulates the day. choose is called once a minute and sends agents on breaks.
func (f *breakFloor) run(choose func(now time.Duration)) {
	next := 0
	for now := opensAt * time.Hour; now < (closesAt+1)*time.Hour; now += time.Second {
		if now%time.Minute == 0 {
			choose(now)
		}
		for ; next < len(f.callers) && f.callers[next].at <= now; next++ {
			f.waiting = append(f.waiting, f.callers[next])
			f.arrived[f.callers[next].service]++
		}
		f.beginBreaks(now)
		f.waiting = slices.DeleteFunc(f.waiting, func(c *floorCaller) bool {
			if a := f.freeAgent(c.service, now); a != nil {
				a.busyUntil = now + c.handling
				f.worked, f.ended = f.worked+c.handling, f.ended+1
				if c.answered = true; now-c.at <= diagnosis.AnswerTimeLimit {
					f.inTime++
				}
			} else if c.gone = now >= c.hangsUpAt; c.gone {
				f.gone++
			}
			if c.answered || c.gone {
				f.waits += now - c.at
			}
			return c.answered || c.gone
		})
	}
}

// freeAgent returns the agent who has been ready for a service for longest.
func (f *breakFloor) freeAgent(service string, now time.Duration) (best *floorAgent) {
	for _, a := range f.agents {
		if !a.isHere(now) || a.isOut(now) || now < a.busyUntil || !slices.Contains(a.services, service) {
			continue
		}
		if best == nil || max(a.busyUntil, a.outUntil) < max(best.busyUntil, best.outUntil) {
			best = a
		}
	}
	return best
}

// beginBreaks begins the breaks of the agents who are to leave and have no call.
func (f *breakFloor) beginBreaks(now time.Duration) {
	for _, a := range f.agents {
		if !a.leaves || now < a.busyUntil || a.isOut(now) {
			continue
		}
		a.leaves, a.outUntil = false, now+a.lengths[a.next]
		a.taken, a.lastBreak = append(a.taken, a.lengths[a.next]), a.outUntil
		a.next++
	}
}

// atRandom lets agents leave at the times that were drawn for them.
func (f *breakFloor) atRandom(now time.Duration) {
	for _, a := range f.agents {
		if a.canBegin(now) && now >= min(a.starts[a.next], a.latest[a.next]) {
			a.leaves = true
		}
	}
}

// byPlan lets agents leave who leave now by the advice of the release plan, those who have waited longest
// for a break first. A break that is due at the latest begins in any case. The plan uses only what a
// board knows at that moment: the earlier days, the contacts so far and the present states; it does not
// know the latest times.
func (f *breakFloor) byPlan(log *forecast.IntradayLog, codes []string, now time.Duration) {
	var due []*floorAgent
	for _, a := range f.agents {
		switch {
		case !a.canBegin(now):
		case now >= a.latest[a.next]:
			a.leaves = true
			f.late++
		default:
			due = append(due, a)
		}
	}
	if len(due) == 0 || f.ended < 20 || now >= closesAt*time.Hour {
		return
	}
	slices.SortStableFunc(due, func(a, b *floorAgent) int { return cmp.Compare(a.lastBreak, b.lastBreak) })
	candidates := make([]diagnosis.BreakCandidate, len(due))
	for i, a := range due {
		candidates[i] = diagnosis.BreakCandidate{Username: a.name, Services: a.services, Ready: now >= a.busyUntil}
	}
	for i, a := range diagnosis.PlanRelease(f.planInput(log, codes, now)).Advise(candidates) {
		due[i].leaves = a.Time == diagnosis.BreakNow || a.Time == diagnosis.BreakBelowTarget
	}
}

// planInput returns what a board knows at a time of day.
func (f *breakFloor) planInput(log *forecast.IntradayLog, codes []string, now time.Duration) *diagnosis.ReleaseInput {
	at := forecastDay().Add(now)
	in := &diagnosis.ReleaseInput{Now: at, Target: alert.DefaultGoal().ServiceLevel.Or(0)}
	total, soFar := 0.0, make([]float64, len(codes))
	in.Spare = &diagnosis.FloorSpare{Services: make(map[string]diagnosis.SpareCapacity), Waiting: make(map[string]model.Int)}
	for i, code := range codes {
		soFar[i] = f.arrived[code]
		total += soFar[i]
		in.Spare.Services[code], in.Spare.Waiting[code] = diagnosis.SpareCapacity{Free: len(f.agents)}, model.IntOf(0)
		in.Demand = append(in.Demand, diagnosis.ServiceDemand{
			Code: code, PerSecond: soFar[i] / (now - opensAt*time.Hour).Seconds(), SecondsPerContact: f.worked.Seconds() / float64(f.ended), Target: in.Target,
		})
	}
	rest := log.RestOfDay(at, forecastDay().Add(closesAt*time.Hour), model.Call, codes, model.FigureOf(total))
	split := log.SplitByService(&rest, model.Call, codes, soFar)
	for i := range rest.HalfHours {
		h := &rest.HalfHours[i]
		p := diagnosis.PlannedPeriod{From: h.From, To: h.To}
		for s := range codes {
			p.PerSecond = append(p.PerSecond, split[s][i]/h.To.Sub(h.From).Seconds())
		}
		in.Periods = append(in.Periods, p)
	}
	breakTime := time.Duration(0)
	for _, limit := range shiftBreaks(8 * time.Hour) {
		breakTime += limit
	}
	for _, a := range f.agents {
		if !a.isHere(now) {
			continue
		}
		p := diagnosis.PlannedAgent{Services: a.services, IsOnBreak: a.isOut(now) || a.leaves}
		if p.Ready = !p.IsOnBreak && now >= a.busyUntil; p.Ready {
			in.Spare.Releasable++ // the advice keeps a ready agent for each service
		}
		if a.isOut(now) {
			p.ReturnAt = forecastDay().Add(a.outUntil)
		}
		in.Agents = append(in.Agents, p)
	}
	for i := 1; i < len(in.Periods); i++ {
		p := &in.Periods[i]
		p.Staff = log.UsualStaff(at, p.From.Add(p.To.Sub(p.From)/2), model.Call)
	}
	in.UsualAway = float64(len(in.Agents)) * breakTime.Hours() / 8
	return in
}

// breakLimits reports the agents whose breaks exceed what is allowed, and those with a missing
// break.
func (f *breakFloor) breakLimits() (exceeded, missing int) {
	for _, a := range f.agents {
		var all, allowed time.Duration
		over := false
		for i, length := range a.taken {
			limit := a.limits[i]
			all, allowed, over = all+length, allowed+limit, over || length > limit
		}
		if over || all > allowed {
			exceeded++
		}
		if len(a.taken) < len(a.limits) {
			missing++
		}
	}
	return exceeded, missing
}

func (f *breakFloor) String() string {
	n := float64(len(f.callers))
	taken := 0
	for _, a := range f.agents {
		taken += len(a.taken)
	}
	return fmt.Sprintf("%d calls wait %.1f s, %.1f %% in time, %.1f %% hang up; %d breaks", len(f.callers), f.waits.Seconds()/n, 100*float64(f.inTime)/n, 100*float64(f.gone)/n, taken)
}

// TestBreaksByPlan compares days on which agents take breaks when the release plan says so with the
// same days on which they take them at random times. BREAK_DAYS is the number of days of each of
// BREAK_FLOORS floors; by default it is one day of one floor. The goals: breaks by the plan cause at
// least 30 % less waiting, and no allowance is exceeded. The waiting that breaks cause is the
// difference to the same day without breaks.
func TestBreaksByPlan(t *testing.T) {
	t.Parallel()
	if testkit.Race {
		t.Skip("it only computes")
	}
	n, floors := setting(t, "BREAK_DAYS", 1), setting(t, "BREAK_FLOORS", 1)
	type result struct{ none, random, plan *breakFloor }
	results := make([]result, n*floors)
	t.Run("days", func(t *testing.T) {
		for i := range results {
			center := int64(i/n + 1)
			t.Run(fmt.Sprint(center, " ", i%n+1), func(t *testing.T) {
				t.Parallel()
				lived := make([]dayOf, daysBefore+1)
				for d := range lived {
					lived[d] = liveDay(center, int64(i%n+d+1), 1)
				}
				today, log := lived[daysBefore], earlierOf(lived[:daysBefore])
				codes := slices.DeleteFunc(slices.Sorted(maps.Keys(today.at[closesAt*time.Hour])), func(s string) bool { return s == "" })
				r := result{newBreakFloor(today, int64(i)), newBreakFloor(today, int64(i)), newBreakFloor(today, int64(i))}
				r.none.run(func(time.Duration) {})
				r.random.run(r.random.atRandom)
				r.plan.run(func(now time.Duration) { r.plan.byPlan(log, codes, now) })
				results[i] = r
			})
		}
	})
	var none, random, plan time.Duration
	for i, r := range results {
		none, random, plan = none+r.none.waits, random+r.random.waits, plan+r.plan.waits
		exceeded, missing := r.plan.breakLimits()
		t.Logf("day %d: no breaks: %v\nat random: %v\nby plan: %v, %d of them at their latest time", i+1, r.none, r.random, r.plan, r.plan.late)
		if exceeded > 0 || missing > 0 {
			t.Errorf("day %d: %d agents exceed an allowance, %d miss a break", i+1, exceeded, missing)
		}
	}
	saved := 1 - (plan-none).Hours()/(random-none).Hours()
	t.Logf("breaks at random cause %.1f h of waiting, by plan %.1f h: %.0f %% less", (random - none).Hours(), (plan - none).Hours(), 100*saved)
	if saved < 0.3 {
		t.Errorf("the plan saves %.0f %% of the waiting", 100*saved)
	}
}
