package diagnosis

import (
	"strings"
	"testing"
	"time"
)

// adviceFor returns the advice for n agents who are ready for services A and B.
func adviceFor(in *ReleaseInput, n int, latest time.Time) []Advice {
	for i := range in.Agents {
		in.Agents[i].Ready = !in.Agents[i].IsOnBreak
	}
	list := make([]BreakCandidate, n)
	for i := range list {
		list[i] = BreakCandidate{Services: []string{"A", "B"}, Ready: true, LatestStart: latest}
	}
	return PlanRelease(in).Advise(list)
}

// TestAdviceWaitsForQuietTimes checks that breaks wait for a much cheaper half hour, unless they have to
// begin before, and that the plan marks that half hour.
func TestAdviceWaitsForQuietTimes(t *testing.T) {
	t.Parallel()
	in := planFloor(15, 0, 0, 0)
	quiet := in.Periods[1].From
	plan, a := PlanRelease(in), adviceFor(in, 1, time.Time{})[0]
	if a.Time != BreakLater || !a.At.Equal(quiet) || a.Text().In(nil) != "10:30" {
		t.Errorf("before the quiet half hour: %+v", a)
	}
	best := plan.BestHalfHour()
	if !best.From.Equal(quiet) || !best.Cheapest || plan.HalfHours[0].Cheapest || best.Cost.Wait*cheaperFactor >= plan.HalfHours[0].Cost.Wait || best.Cost.LateContacts >= plan.HalfHours[0].Cost.LateContacts {
		t.Errorf("the half hours: %+v", plan.HalfHours)
	}
	if text := plan.Verdict().In(nil); !strings.HasPrefix(text, "Breaks are better later: cheapest from 10:30 to 11:00, ") {
		t.Errorf("%q", text)
	}
	if a := adviceFor(in, 1, in.Now.Add(20*time.Minute))[0]; a.Time != BreakNow || a.Text().In(nil) != "now" {
		t.Errorf("a break that cannot wait: %+v", a)
	}
	in.Periods = in.Periods[1:]
	n := 0
	advice := adviceFor(in, 15, time.Time{})
	for _, a := range advice {
		if a.Time == BreakNow {
			n++
		}
	}
	if n == 0 || n >= 14 || advice[14].Time == BreakNow {
		t.Errorf("%d leave in the quiet half hour: %+v", n, advice)
	}
	if plan := PlanRelease(in); plan.Verdict().In(nil) != "Breaks cost the least now, of all half hours until 12:00." {
		t.Errorf("%q", plan.Verdict().In(nil))
	}
	// With fewer agents later, the same contacts need them more.
	all := PlanRelease(in).HalfHours[1]
	in.Periods[1].Staff = 0.5
	if fewer := PlanRelease(in).HalfHours[1]; fewer.Releasable >= all.Releasable || fewer.Cost.Wait <= all.Cost.Wait {
		t.Errorf("with half of the agents %+v, with all %+v", fewer, all)
	}
}

// TestAdviceKeepsAReadyAgent checks that each service keeps a ready agent, and that the plan knows only
// the services of its floor.
func TestAdviceKeepsAReadyAgent(t *testing.T) {
	t.Parallel()
	in := planFloor(15, 0, 0, 0)
	in.Periods = in.Periods[1:]
	for i := range in.Agents {
		in.Agents[i].Ready = i < 2
	}
	one := BreakCandidate{Services: []string{"A", "B"}, Ready: true}
	busy := BreakCandidate{Services: []string{"A", "B"}}
	advice := PlanRelease(in).Advise([]BreakCandidate{busy, one, one, {Services: []string{"C"}, Ready: true}})
	for i, want := range []BreakTiming{BreakNotYet, BreakNow, BreakNotYet, BreakTimeUnknown} {
		if advice[i].Time != want {
			t.Errorf("agent %d: %q, want %d", i, advice[i].Text().In(nil), want)
		}
	}
}

// TestAdviceNamesPossibleTimes checks that the advice names a half hour only if an agent can leave then.
func TestAdviceNamesPossibleTimes(t *testing.T) {
	t.Parallel()
	for agents := 10; agents < 24; agents++ {
		in := planFloor(agents, 0, 0, 0)
		in.Periods[1].Staff = 0.4
		canGo := make(map[time.Time]int)
		for _, h := range PlanRelease(in).HalfHours {
			canGo[h.From] = h.Releasable
		}
		for _, a := range adviceFor(in, 3, time.Time{}) {
			if a.Time == BreakLater && canGo[a.At] == 0 || a.Time == BreakNotYet && !a.At.IsZero() {
				t.Errorf("%d agents: %q, can go %v", agents, a.Text().In(nil), canGo)
			}
		}
	}
}

// TestLeaveCost checks how costs are written.
func TestLeaveCost(t *testing.T) {
	t.Parallel()
	for want, c := range map[string]BreakCost{
		"0:40 more waiting, 1.5 more late":    {Wait: 40 * time.Second, LateContacts: 1.46},
		"too few agents then":                 {Wait: 40 * time.Hour, QueueGrows: true},
		"too few agents even without a break": {Wait: 40 * time.Hour, QueueGrows: true, QueueGrowsAnyway: true},
	} {
		if got := c.Text().In(nil); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestAdviceKeepsTheTargets checks that the advice names those whose leave would miss a target, and that the
// verdict and the cheapest half hour agree with that.
func TestAdviceKeepsTheTargets(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		canGo   int // ready agents who can leave
		staff   float64
		verdict string
		best    bool
	}{
		{1, 1, "Breaks cost the least now, of all half hours until 12:00.", true},
		{0, 1, "No agent can leave now without missing a target. Breaks are cheapest from 11:00 to 11:30, when 6 agents can leave.", true},
		{0, 0.02, "No agent can leave until 12:00 without missing a target.", false},
	} {
		in := planFloor(19, 0, 0, 0)
		in.Periods, in.Spare = in.Periods[1:], spareOf(tt.canGo)
		for i := range in.Periods {
			in.Periods[i].Staff = tt.staff
		}
		plan, now, below := PlanRelease(in), 0, 0
		for _, a := range adviceFor(in, 5, in.Now.Add(20*time.Minute)) {
			switch a.Text().In(nil) {
			case "now":
				now++
			case "now if it cannot wait":
				below++
			}
		}
		best := plan.BestHalfHour()
		if now != tt.canGo || now+below != 5 || plan.ReleasableNow != tt.canGo || plan.Verdict().In(nil) != tt.verdict || (best != nil) != tt.best || plan.HalfHours[0].Cheapest && tt.canGo == 0 {
			t.Errorf("%d can leave, %d are advised to, %q, best %+v; want %+v", plan.ReleasableNow, now, plan.Verdict().In(nil), best, tt)
		}
	}
}
