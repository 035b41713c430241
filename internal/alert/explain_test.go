package alert

import (
	"errors"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"wallboard/model"
)

func TestExplainServiceLevel(t *testing.T) {
	t.Parallel()
	f := newFloor(t, Options{Rules: DefaultRules()})
	f.day(520, 480, 380, 20)
	f.after(0)
	x, err := f.engine.ExplainKPI("serviceLevel", serviceS())
	if err != nil {
		t.Fatal(err)
	}
	if x.Formula != "answeredCallsUnderSpeedLimit / (answeredCalls + hangupCalls)" ||
		x.FormulaName != "answered in time / (answered + abandoned)" || x.Format != Percent || show(x.Result) != "0.8" {
		t.Errorf("explanation is %+v", x)
	}
	var inputs []string
	for _, i := range x.Inputs {
		inputs = append(inputs, i.Name+"="+show(i.Value))
	}
	want := []string{"answeredCallsUnderSpeedLimit=380", "answeredCalls=480", "hangupCalls=20"}
	if diff := cmp.Diff(want, inputs); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(&Budget{CallsToRecover: 100, Recoverable: true}, x.Budget); diff != "" {
		t.Error(diff)
	}
	f.day(520, 480, 370, 20)
	f.after(time.Second)
	id := f.engine.Active()[0].ID
	x, err = f.engine.ExplainAlert(id)
	if err != nil || x.Name != "service level" || x.Budget.CallsToRecover != 150 {
		t.Errorf("explanation of the alert is %+v, %v", x, err)
	}
	if got, _ := x.Thresholds.Warning.Get(); math.Abs(got-0.8) > 1e-9 || show(x.Result) != "0.7" || !x.Volume.IsEnough() {
		t.Errorf("the result is %s, warning below %v, of %+v", show(x.Result), got, x.Volume)
	}
}

// TestUnjudged checks that bad shares of too few calls are distinguished from good
// ones.
func TestUnjudged(t *testing.T) {
	t.Parallel()
	f := newFloor(t, Options{Rules: DefaultRules()})
	f.day(7, 4, 4, 3)
	f.want(f.after(0), "")
	var got []string
	for _, u := range f.engine.SmallSampleViolations(serviceS()) {
		got = append(got, u.Rule+" "+show(u.Value)+" of "+show(u.Calls))
		if u.IsEnough() {
			t.Errorf("%+v is enough", u)
		}
	}
	if diff := cmp.Diff([]string{"service level 0.6 of 7", "abandon rate 0.4 of 7"}, got); diff != "" {
		t.Error(diff)
	}
	f.day(100, 99, 99, 1)
	f.after(time.Second)
	if got := f.engine.SmallSampleViolations(serviceS()); len(got) > 0 {
		t.Errorf("%+v looks bad", got)
	}
}

// TestGoalsByService checks that each service uses its own formula.
func TestGoalsByService(t *testing.T) {
	t.Parallel()
	f := newFloor(t, Options{Goals: map[string]Goal{
		"S": {Formula: model.SLAnsweredOnly, ServiceLevel: model.FloatOf(0.5)},
	}})
	f.day(500, 400, 300, 100)
	f.after(0)
	if got := show(f.engine.Value("serviceLevel", serviceS())); got != "0.8" {
		t.Errorf("the service level is %s, want 300/400", got)
	}
	if got := show(f.engine.Value("missesLeft", serviceS())); got != "100" {
		t.Errorf("%s misses left, want 100", got)
	}
	if x, _ := f.engine.ExplainKPI("serviceLevel", serviceS()); x.Formula != "answeredCallsUnderSpeedLimit / answeredCalls" {
		t.Errorf("the formula is %s", x.Formula)
	}
}

// TestAbandonBudget checks that exactly the reported number of good calls reaches the
// target.
func TestAbandonBudget(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		target := float64(rapid.IntRange(1, 99).Draw(t, "target")) / 100
		received := rapid.Int64Range(1, 5000).Draw(t, "received")
		left := rapid.Int64Range(0, received).Draw(t, "abandoned")
		f := newFloor(t, Options{Goal: Goal{ServiceLevel: model.FloatOf(.8), Abandon: model.FloatOf(target)}})
		f.day(received, received-left, 0, left)
		f.after(0)
		x, err := f.engine.ExplainKPI("abandonRate", serviceS())
		if err != nil || x.Budget == nil || x.Target != model.FloatOf(target) || !x.Budget.Abandoned {
			t.Fatalf("explanation is %+v, %v", x, err)
		}
		const eps = 1e-6
		rate := func(abandoned, of int64) float64 { return float64(abandoned) / float64(of) }
		if n := x.Budget.CallsToRecover; n > 0 {
			if rate(left, received+n) > target+eps || rate(left, received+n-1) < target-eps {
				t.Fatalf("%d of %d, target %v: %d calls to recover", left, received, target, n)
			}
			return
		}
		n := x.Budget.MissesLeft
		if rate(left+n, received) > target+eps || rate(left+n+1, received) < target-eps {
			t.Fatalf("%d of %d, target %v: %d may still give up", left, received, target, n)
		}
	})
}

// TestExplainMissing checks the errors about a figure and an alert that do not exist.
func TestExplainMissing(t *testing.T) {
	t.Parallel()
	f := newFloor(t, Options{})
	f.day(100, 90, 80, 10)
	f.after(0)
	if _, err := f.engine.ExplainKPI("nothing", serviceS()); !errors.Is(err, ErrNoKPI) {
		t.Errorf("error is %v, want ErrNoKPI", err)
	}
	if _, err := f.engine.ExplainAlert("nothing"); !errors.Is(err, ErrNotActive) {
		t.Errorf("error is %v, want ErrNotActive", err)
	}
}

func TestExplainCondition(t *testing.T) {
	t.Parallel()
	f := newFloor(t, Options{Rules: DefaultRules()})
	f.staffed(2, 3, 0, 0)
	f.after(0)
	x, err := f.engine.ExplainAlert(f.engine.Active()[0].ID)
	if err != nil || x.ConditionResult != "yes" || x.Formula != "queuedCalls > 0 and loggedUsers == 0" || len(x.Inputs) != 2 {
		t.Errorf("explanation is %+v, %v", x, err)
	}
}
