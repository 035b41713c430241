package cli

import (
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/report/headless"
	"wallboard/internal/simulator"
	"wallboard/internal/simulator/world"
)

// TestFewAlertsAreCritical checks that an ordinary morning has few critical alerts, and that a surge has
// some.
func TestFewAlertsAreCritical(t *testing.T) {
	t.Parallel()
	if testkit.Race {
		t.Skip("how many there are does not depend on how fast it is")
	}
	surges := 0
	for seed := range int64(3) {
		bubble(t, func(t *testing.T) {
			r := newRig(t, simulator.Options{World: world.Options{Seed: seed + 1, Drama: true}, Tick: time.Second}, nil)
			defer r.stop()
			e, err := alert.New(alert.Options{Rules: alert.DefaultRules(), Goal: alert.DefaultGoal()})
			if err != nil {
				t.Fatal(err)
			}
			least := 1000
			for range 10 * 60 {
				pass(time.Second)
				e.Evaluate(r.feed.Latest(), time.Now())
				critical, warning := headless.CountAlerts(e.Active())
				if critical > 3 || warning > 25 {
					t.Fatalf("seed %d at %v: %d are critical, %d warnings", seed+1, time.Now(), critical, warning)
				}
				if least = min(least, critical); critical > least {
					surges++
				}
			}
			if least > 1 {
				t.Errorf("seed %d: %d are always critical", seed+1, least)
			}
		})
	}
	if surges == 0 {
		t.Error("nothing is ever critical")
	}
}
