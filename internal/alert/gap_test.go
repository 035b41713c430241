package alert

import (
	"strconv"
	"testing"
	"time"

	"wallboard/model"
)

// TestNoGapBetweenRules varies figures through their whole range and back: an alert
// does not end on the way up and does not start on the way down, also where one rule
// takes over from another.
func TestNoGapBetweenRules(t *testing.T) {
	t.Parallel()
	type walk struct {
		name  string
		steps int64
		at    func(f *floor, step int64)
	}
	var walks []walk
	for _, calls := range []int64{10, 20, 23, 40, 100, 1000} {
		walks = append(walks, walk{"in time of " + strconv.Itoa(int(calls)), calls, func(f *floor, missed int64) {
			f.day(calls, calls, calls-missed, 0)
		}}, walk{"gave up of " + strconv.Itoa(int(calls)), calls, func(f *floor, gone int64) {
			f.day(calls, calls-gone, calls-gone, gone)
		}})
	}
	for _, ready := range []int64{0, 1} {
		walks = append(walks, walk{"wait, ready " + strconv.Itoa(int(ready)), 120, func(f *floor, wait int64) {
			f.staffed(3, wait, 5, ready)
		}})
	}
	walks = append(walks, walk{"fewer agents", 5, func(f *floor, gone int64) {
		f.staffed(3, 40, 5-gone, max(2-gone, 0))
	}})
	for _, state := range []model.UserStatus{model.WNR, model.NotReady, model.Booked, model.BusyDNCallIn} {
		walks = append(walks, walk{"minutes " + string(state), 120, func(f *floor, minutes int64) {
			f.state(state, time.Duration(minutes)*time.Minute)
		}})
	}
	for _, w := range walks {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			for _, target := range []float64{0.5, 0.8, 0.95} {
				goal := DefaultGoal()
				goal.ServiceLevel = model.FloatOf(target)
				f := newFloor(t, Options{Rules: DefaultRules(), Goal: goal})
				alarmed := func(step int64) int {
					w.at(f, step)
					f.after(time.Minute) // long enough for the durations of the rules
					return len(f.engine.active)
				}
				for step, was := int64(0), 0; step <= w.steps; step++ {
					now := alarmed(step)
					if was > 0 && now == 0 {
						t.Errorf("target %v: at %d the alarm is out, and one step better it was on", target, step)
					}
					was = now
				}
				for step, was := w.steps, 1; step >= 0; step-- {
					now := alarmed(step)
					if was == 0 && now > 0 {
						t.Errorf("target %v: on the way back there is an alarm at %d, and there was none one step worse", target, step)
					}
					was = now
				}
			}
		})
	}
}

// TestDayFiguresAreNotCritical makes all figures of the day bad.
func TestDayFiguresAreNotCritical(t *testing.T) {
	t.Parallel()
	f := newFloor(t, Options{Rules: DefaultRules()})
	f.day(100, 50, 0, 50)
	f.after(time.Minute)
	for _, a := range f.engine.Active() {
		if !a.Daily || a.Level == Critical {
			t.Errorf("%s: a figure of the day %v, level %v", a.Rule, a.Daily, a.Level)
		}
	}
	if len(f.engine.active) == 0 {
		t.Error("there is no alert")
	}
	f.staffed(2, 90, 5, 0)
	f.after(time.Minute)
	for _, a := range f.engine.Active() {
		if live := a.Rule == "longest wait" || a.Rule == "nobody ready"; live == a.Daily {
			t.Errorf("%s is of the day: %v", a.Rule, a.Daily)
		}
	}
}

// TestOfTheDay checks whether rules are recognized as rules about the day.
func TestOfTheDay(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]bool{
		"hangupCalls > 10":                                     true,
		"abandonRate > 0.1 and receivedCalls > 20":             true,
		`code == "S" and toRecover > 3`:                        true,
		"serviceLevel < serviceLevelTarget":                    true,
		"ownDay > 5":                                           true,
		"ownLive > 5":                                          false,
		"abandonRate > 0.1 and queuedCalls > 0":                false,
		`delta(hangupCalls, "15m") > 5`:                        false,
		`rate(receivedCalls, "15m") > 1 and hangupCalls > 100`: false,
		`customStats("K") > 5`:                                 false,
		"queuedCalls > 3":                                      false,
		"1 > 0":                                                false,
	} {
		e, err := New(Options{
			KPIs: []KPI{
				{Name: "ownDay", Scope: Service, Expr: "hangupCalls + shortCalls"},
				{Name: "ownLive", Scope: Service, Expr: `delta(hangupCalls, "15m")`},
			},
			Rules: []Rule{{Name: "r", Scope: Service, When: source, Severity: Warning}},
		})
		if err != nil {
			t.Fatal(err)
		}
		if got := e.rowsByScope[Service].rules[0].isDaily(); got != want {
			t.Errorf("%s is of the day: %v, want %v", source, got, want)
		}
	}
}

// TestFromStart distinguishes conditions from before the start from later ones.
func TestFromStart(t *testing.T) {
	t.Parallel()
	f := newFloor(t, Options{Rules: DefaultRules()})
	f.staffed(2, 90, 5, 1)
	f.group(2, 5, 0) // the rule about this group needs 30 s
	f.after(0)
	f.every(time.Second, time.Minute)
	f.staffed(2, 90, 0, 0)
	f.after(time.Second)
	got := map[string]bool{}
	for _, a := range f.engine.Active() {
		got[a.Rule] = a.FromStart
	}
	want := map[string]bool{"longest wait": true, "nobody ready": true, "unstaffed": false}
	for rule, is := range want {
		if was, ok := got[rule]; !ok || was != is {
			t.Errorf("%s: from the start %v (there: %v), want %v", rule, was, ok, is)
		}
	}
}
