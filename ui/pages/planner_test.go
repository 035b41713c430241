package pages

import (
	"testing"
	"time"

	"wallboard/internal/alert/diagnosis"
)

// TestPressChangesTheNumberOut checks that the keys skip the present number of agents out and stay
// within the plan.
func TestPressChangesTheNumberOut(t *testing.T) {
	t.Parallel()
	in := &diagnosis.ReleaseInput{Now: time.Unix(0, 0), Demand: []diagnosis.ServiceDemand{{Code: "A", PerSecond: 0.01, SecondsPerContact: 100}}}
	for i := range 4 {
		in.Agents = append(in.Agents, diagnosis.PlannedAgent{Services: []string{"A"}, Out: i == 0})
	}
	r := releasePlanner{plan: diagnosis.PlanRelease(in)}
	for i, want := range []int{1, 2, 2, 1, -1, -1, 1} {
		if pressed := []string{"+", "+", "+", "-", "-", "-", "+"}[i]; !r.press(pressed) || r.change != want {
			t.Errorf("key %d changes the number out by %d, want %d", i+1, r.change, want)
		}
	}
	if r.press("x") {
		t.Error("it takes another key")
	}
}
