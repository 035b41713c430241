package alert

import (
	"slices"
	"testing"
	"time"

	"wallboard/model"
)

// TestTolerance checks that a deviation within the tolerance raises no alert, that the latest note
// counts as long as it lasts, and that texts name the agreed target.
func TestTolerance(t *testing.T) {
	t.Parallel()
	f := newFloor(t, Options{Rules: DefaultRules(), Tolerance: Tolerance{Abandon: 0.02}})
	f.staffed(0, 0, 5, 5)
	f.day(1000, 940, 775, 60) // 6 % abandoned
	start := f.now
	agree := func(id string, from, to time.Duration, points float64) model.Note {
		return model.Note{ID: id, At: start.Add(from), Until: start.Add(to), Tolerance: model.AgreedTolerance{Figure: ToleratedServiceLevel, Points: points}}
	}
	notes := []model.Note{agree("1", 0, time.Hour, 3), agree("2", 10*time.Minute, 20*time.Minute, 2)}
	for _, c := range []struct {
		at       time.Duration
		isRaised bool
	}{{time.Minute, false}, {11 * time.Minute, true}, {21 * time.Minute, false}, {time.Hour, true}} {
		f.now = start.Add(c.at)
		f.engine.ApplyNotes(notes, f.now)
		f.after(0)
		var active []Alert
		for _, a := range f.engine.Active() {
			if a.Key.Scope == Service {
				active = append(active, a)
			}
		}
		switch {
		case (len(active) == 1) != c.isRaised || len(active) > 1:
			t.Errorf("after %v: %+v", c.at, active)
		case c.isRaised && active[0].Text != "S: service level 77.5 %, target 80.0 %":
			t.Errorf("after %v: %q", c.at, active[0].Text)
		}
	}
	f.engine.ApplyNotes(notes, start)
	if g := f.engine.Goal("S"); g.ServiceLevel != model.FloatOf(0.8) || g.WithTolerance().ServiceLevel != model.FloatOf(0.77) || g.WithTolerance().Abandon.Or(0) != 0.05+0.02 {
		t.Errorf("the goal is %+v", g)
	}
	x, err := f.engine.ExplainKPI("serviceLevel", Key{Service, "S", model.Call})
	if err != nil || x.Target != model.FloatOf(0.8) {
		t.Errorf("the explained target is %v, %v", x.Target, err)
	}
}

// TestToleranceHasNoEarlyWarning checks that no rule warns about a service level within the tolerance,
// even if one more late call will exceed it, and that a warning about a missed target does not flap:
// it ends two calls above the target.
func TestToleranceHasNoEarlyWarning(t *testing.T) {
	t.Parallel()
	f := newFloor(t, Options{Rules: DefaultRules(), Tolerance: Tolerance{ServiceLevel: 0.03, Abandon: 0.02}})
	f.staffed(0, 0, 5, 5)
	for _, c := range []struct {
		inTime int64
		rule   string
	}{
		{770, ""}, {769, RuleBudgetSpent}, {770, RuleBudgetSpent}, {769, RuleBudgetSpent}, {771, RuleBudgetSpent}, {772, ""}, {770, ""}, {760, RuleServiceLevel},
	} {
		f.day(1000, 940, c.inTime, 60)
		f.after(time.Minute)
		var rule string
		for _, a := range f.engine.Active() {
			if a.Key.Scope == Service {
				rule += a.Rule
			}
		}
		if rule != c.rule {
			t.Errorf("%d of 1000 in time: alerts %q, want %q", c.inTime, rule, c.rule)
		}
	}
}

// TestUnrelatedRulesKeepTheirAlerts checks that a changed tolerance ends only alerts of rules that judge
// by it: other alerts stay until their figure has recovered.
func TestUnrelatedRulesKeepTheirAlerts(t *testing.T) {
	t.Parallel()
	levels := func(warning, recovery float64) Thresholds {
		return Thresholds{Warning: model.FloatOf(warning), Recovery: model.FloatOf(recovery)}
	}
	f := newFloor(t, Options{Rules: []Rule{
		{Name: "lost", Scope: Service, KPI: "hangupCalls / receivedCalls", Direction: LowerIsBetter, Thresholds: levels(0.05, 0.03)},
		{Name: "abandoned", Scope: Service, KPI: "abandonRate", Thresholds: levels(0.05, 0.03)},
		{Name: "condition", Scope: Service, When: "hangupCalls > 50", Recover: "hangupCalls < 30", Severity: Warning},
		{Name: "level", Scope: Service, KPI: "serviceLevel", Thresholds: levels(0.8, 0.85)},
		{Name: "to recover", Scope: Service, KPI: "toRecover", Thresholds: levels(100, 10)},
	}})
	f.staffed(0, 0, 5, 5)
	names := func() (out []string) {
		for _, a := range f.engine.Active() {
			out = append(out, a.Rule)
		}
		slices.Sort(out)
		return out
	}
	agree := func(figure string) []Change {
		f.engine.ApplyNotes([]model.Note{{At: f.now, Until: f.now.Add(time.Hour), Tolerance: model.AgreedTolerance{Figure: figure, Points: 4}}}, f.now)
		return f.after(time.Second)
	}
	f.day(1000, 940, 700, 60)
	f.after(time.Second)
	f.day(1000, 960, 775, 40) // better than the limits of the tolerance, but no rule has recovered
	f.after(time.Second)
	all := []string{"abandoned", "condition", "level", "lost", "to recover"}
	if got := names(); !slices.Equal(got, all) {
		t.Fatalf("active are %q", got)
	}
	changes := agree(ToleratedServiceLevel)
	if got := names(); !slices.Equal(got, []string{"abandoned", "condition", "lost"}) || len(changes) != 2 {
		t.Errorf("with a tolerance of the service level: %q, %+v", got, changes)
	}
	agree(ToleratedAbandonRate)
	if got := names(); slices.Contains(got, "abandoned") || !slices.Contains(got, "lost") || !slices.Contains(got, "condition") {
		t.Errorf("with a tolerance of the abandon rate: %q", got)
	}
}
