package diagnosis

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"wallboard/model"
)

// spareOf returns a floor whose queues can spare n agents.
func spareOf(n int) *FloorSpare {
	out := &FloorSpare{Services: make(map[string]SpareCapacity), Waiting: make(map[string]model.Int), Releasable: n}
	for _, code := range []string{"A", "B"} {
		out.Services[code], out.Waiting[code] = SpareCapacity{Free: n + 1, Ready: n + 1}, model.IntOf(0)
	}
	return out
}

// planFloor returns a floor of two services, whose agents serve one or both of them. In the second
// half hour few contacts come.
func planFloor(both, onlyA, onlyB, out int) *ReleaseInput {
	now := time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)
	in := &ReleaseInput{
		Now: now, Target: 0.8, Spare: spareOf(100), UsualAway: 2,
		Demand: []ServiceDemand{{"A", 0.05, 100, 0.8}, {"B", 0.05, 100, 0.8}},
	}
	for i, rate := range []float64{0.05, 0.01, 0.05, 0.05} {
		from := now.Add(time.Duration(i) * 30 * time.Minute)
		in.Periods = append(in.Periods, PlannedPeriod{From: from, To: from.Add(30 * time.Minute), PerSecond: []float64{rate, rate}})
	}
	for services, n := range map[*[]string]int{{"A", "B"}: both, {"A"}: onlyA, {"B"}: onlyB} {
		for range n {
			in.Agents = append(in.Agents, PlannedAgent{Services: *services})
		}
	}
	for range out {
		in.Agents = append(in.Agents, PlannedAgent{Services: []string{"A", "B"}, IsOnBreak: true, ReturnAt: now.Add(20 * time.Minute)})
	}
	return in
}

// TestReleaseWithOneSkill compares a floor on which every agent serves every service with Erlang C.
func TestReleaseWithOneSkill(t *testing.T) {
	t.Parallel()
	plan := PlanRelease(planFloor(16, 0, 0, 2))
	crew := Crew{SecondsPerContact: 100}
	needed := crew.RequiredAgents(0.1, 0.8)
	if plan.AwayNow != 2 || plan.AtWork != 16 || plan.ReleasableNow != 16-needed {
		t.Errorf("%d out, %d at work, %d can go, want %d", plan.AwayNow, plan.AtWork, plan.ReleasableNow, 16-needed)
	}
	if h := plan.HalfHours[1]; h.Releasable <= 18-needed || h.Returning != 2 || math.Abs(h.Contacts-36) > 1e-9 {
		t.Errorf("the quiet half hour: %+v", h)
	}
	if h := plan.HalfHours[2]; h.Releasable != 18-needed {
		t.Errorf("after the breaks %d can go, want %d", h.Releasable, 18-needed)
	}
	for n := 0; n <= plan.ReleasableNow; n++ {
		e := plan.EffectOf(2 + n)
		if want := erlangC(16-n, 10, 100); math.Abs(e.Floor.ServiceLevel-want.ServiceLevel) > 0.001 || math.Abs(e.Floor.Wait-want.Wait) > 0.1 {
			t.Errorf("%d more out: %+v, want %+v", n, e.Floor, want)
		}
	}
	if less, same := plan.EffectOf(1), plan.EffectOf(2); less.Floor.Wait >= same.Floor.Wait || plan.ClampChange(-5) != -2 || plan.ClampChange(100) != maxEffects {
		t.Errorf("one agent back: %v instead of %v", less.Floor, same.Floor)
	}
	if text := (Outcome{ServiceLevel: 0.843, Wait: 8.6}); text.Text().In(nil) != "84 % in 20 s, 0:09 wait" || text.ShortText().In(nil) != "84 %, 0:09" {
		t.Errorf("%q, %q", text.Text().In(nil), text.ShortText().In(nil))
	}
}

// TestReleaseSharesSkills checks that agents leave from the service that needs them least, and that more
// agents can leave if all of them serve both services.
func TestReleaseSharesSkills(t *testing.T) {
	t.Parallel()
	plan := PlanRelease(planFloor(0, 12, 8, 0))
	more := plan.EffectOf(3)
	if math.Abs(more.Services["B"].Wait-plan.EffectOf(0).Services["B"].Wait) > 0.1 || more.Services["A"].Wait <= plan.EffectOf(0).Services["A"].Wait {
		t.Errorf("three agents left the wrong service: %+v", more.Services)
	}
	if shared := PlanRelease(planFloor(20, 0, 0, 0)); shared.ReleasableNow <= plan.ReleasableNow {
		t.Errorf("with shared skills %d can go, without %d", shared.ReleasableNow, plan.ReleasableNow)
	}
	if risk := PlanRelease(planFloor(0, 12, 5, 0)).EffectOf(0).ServicesBelowTarget; !slices.Equal(risk, []string{"B"}) {
		t.Errorf("at risk: %v", risk)
	}
}

// TestReleaseCountsOnce checks that the numbers of a plan agree: of the floor, of its services, and of the
// present half hour; and that an unstaffed service is not the whole floor.
func TestReleaseCountsOnce(t *testing.T) {
	t.Parallel()
	for both := range 20 {
		in := planFloor(both, 6, 0, 1)
		in.Agents = append(in.Agents, PlannedAgent{Services: []string{"A"}, IsOnBreak: true, BreakPending: true}, PlannedAgent{Services: []string{"A"}, IsOnBreak: true, WithoutCode: true})
		in.Spare.Services["B"] = SpareCapacity{}
		plan := PlanRelease(in)
		if plan.HalfHours[0].Releasable != plan.ReleasableNow || plan.ReleasableByService["A"] != plan.ReleasableNow || plan.ReleasableByService["B"] != 0 {
			t.Errorf("%d agents: %d can go, from %v, in the half hour %d", both, plan.ReleasableNow, plan.ReleasableByService, plan.HalfHours[0].Releasable)
		}
		if best := plan.BestHalfHour(); best != nil && best.Releasable == 0 {
			t.Errorf("%d agents: the best half hour is one in which nobody can leave", both)
		}
		if text := plan.AwayText().In(nil); text != "3 out: 1 on a break, 1 leaving after the current contact, 1 not ready without a code" {
			t.Error(text)
		}
		if now := plan.EffectOf(plan.AwayNow); now == nil || both == 0 && (now.Floor.QueueGrows || !now.Services["B"].Unstaffed || now.Floor.ServiceLevel > 0.5) {
			t.Errorf("%d agents: %+v", both, now)
		}
	}
	served, growing := Outcome{ServiceLevel: 0.79, Wait: 14}, Outcome{QueueGrows: true}
	for want, then := range map[string]Outcome{
		"79 %, 0:14, unchanged": served, "79 %, 0:14 > more contacts than agents can take": growing, "79 %, 0:14 > no agent at work": {QueueGrows: true, Unstaffed: true},
	} {
		if got := served.ChangeText(then, ">").In(nil); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := growing.ChangeText(growing, ">").In(nil); strings.Contains(got, ">") {
		t.Errorf("%q", got)
	}
}

// TestNoReleasePlan checks the reasons why there is no plan.
func TestNoReleasePlan(t *testing.T) {
	t.Parallel()
	for want, change := range map[string]func(*ReleaseInput){
		"No agent is at work on this channel.":                    func(in *ReleaseInput) { in.Agents = nil },
		"The number of arrivals is still unknown.":                func(in *ReleaseInput) { in.Periods, in.Demand[0].PerSecond, in.Demand[1].PerSecond = nil, 0, 0 },
		"Too few contacts have ended to know how long one takes.": func(in *ReleaseInput) { in.Demand[0].SecondsPerContact, in.Demand[1].SecondsPerContact = 0, 0 },
		"As far as is known, no agent at work serves a service on this channel.": func(in *ReleaseInput) {
			for i := range in.Agents {
				in.Agents[i].Services = nil
			}
		},
	} {
		in := planFloor(5, 1, 1, 1)
		change(in)
		if plan := PlanRelease(in); plan.MissingReason.In(nil) != want || plan.Assumptions() != nil || !plan.Verdict().IsZero() || plan.Advise([]BreakCandidate{{Services: []string{"A"}}})[0].Time != BreakTimeUnknown || plan.ClampChange(3) != 0 {
			t.Errorf("%+v, want %q", plan, want)
		}
	}
	in := planFloor(1, 0, 0, 0)
	for i := range maxSkillGroups {
		in.Agents = append(in.Agents, PlannedAgent{Services: []string{"A", fmt.Sprint(i)}})
	}
	if plan := PlanRelease(in); plan.MissingReason.IsZero() {
		t.Error("it plans with too many combinations of services")
	}
	in = planFloor(5, 1, 1, 0)
	in.Periods = nil
	if plan := PlanRelease(in); !plan.MissingReason.IsZero() || len(plan.HalfHours) > 0 || !plan.Verdict().IsZero() || plan.Advise([]BreakCandidate{{Services: []string{"A"}}})[0].Time != BreakTimeUnknown {
		t.Errorf("without a forecast: %+v", plan)
	}
}

// TestOneFewerNeverHelps checks on random floors that callers of the floor do not wait shorter without an agent.
func TestOneFewerNeverHelps(t *testing.T) {
	t.Parallel()
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 1))
		demand, work := make([]ServiceDemand, 3+r.IntN(10)), 0.0
		for i := range demand {
			demand[i] = ServiceDemand{Code: fmt.Sprint(i), SecondsPerContact: 60 + 60*r.Float64(), Target: 0.8, PerSecond: r.Float64()}
			work += demand[i].PerSecond * demand[i].SecondsPerContact
		}
		agents := make([]PlannedAgent, 10+r.IntN(50))
		for i := range agents {
			agents[i] = PlannedAgent{Ready: true, IsOnBreak: r.IntN(8) == 0}
			for range 1 + r.IntN(3) {
				agents[i].Services = append(agents[i].Services, demand[r.IntN(len(demand))].Code)
			}
			slices.Sort(agents[i].Services)
			agents[i].Services = slices.Compact(agents[i].Services)
		}
		for i := range demand {
			demand[i].PerSecond *= 0.6 * float64(len(agents)) / work
		}
		p := newPool(demand, 0.8)
		p.addAgents(agents, func(a *PlannedAgent) bool { return a.IsOnBreak })
		before := p.floorOutcome().ServiceLevel
		if p.releaseAgents(1); p.floorOutcome().ServiceLevel > before+0.005 {
			t.Errorf("floor %d: %.3f, and %.3f without an agent", seed, before, p.floorOutcome().ServiceLevel)
		}
	}
}

// BenchmarkPlanRelease plans floors of several sizes with many combinations of skills.
func BenchmarkPlanRelease(b *testing.B) {
	for _, size := range []struct{ agents, services int }{{60, 12}, {100, 12}, {200, 20}, {900, 60}, {5000, 60}} {
		b.Run(fmt.Sprintf("%d agents, %d services", size.agents, size.services), func(b *testing.B) {
			in := busyFloor(size.agents, size.services)
			for b.Loop() {
				PlanRelease(in)
			}
		})
	}
}

// busyFloor returns a floor on which each agent serves up to four services. Contacts
// keep 60 % of the agents busy.
func busyFloor(agents, services int) *ReleaseInput {
	in := planFloor(0, 0, 0, 0)
	in.Demand, in.Agents, in.Periods = nil, nil, nil
	perSecond := 0.006 * float64(agents) / float64(services)
	for s := range services {
		in.Demand = append(in.Demand, ServiceDemand{fmt.Sprintf("S%02d", s), perSecond, 100, 0.8})
	}
	for i := range 24 {
		p := PlannedPeriod{From: in.Now.Add(time.Duration(i) * 30 * time.Minute), To: in.Now.Add(time.Duration(i+1) * 30 * time.Minute)}
		for range in.Demand {
			p.PerSecond = append(p.PerSecond, perSecond)
		}
		in.Periods = append(in.Periods, p)
	}
	for i := range agents {
		var a PlannedAgent
		for s := range 4 {
			a.Services = append(a.Services, fmt.Sprintf("S%02d", (i%300+s*(1+i%300/60))%services))
		}
		slices.Sort(a.Services)
		a.Services = slices.Compact(a.Services)
		in.Agents = append(in.Agents, a)
	}
	return in
}
