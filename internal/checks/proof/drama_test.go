package proof_test

import (
	"strings"
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/diagnosis"
	"wallboard/internal/alert/situation"
	"wallboard/internal/simulator/world"
)

// TestTheDramaIsTold runs the simulator's drama and checks that the board reports
// each incident with its cause within a minute and its end within two minutes:
// always for the seed of the demo, and for most other seeds, because a floor is
// random.
func TestTheDramaIsTold(t *testing.T) {
	t.Parallel()
	const demo = 1 // the default seed of wb demo
	right := 0
	for seed := range int64(6) {
		f := newDirectFeed(world.New(world.Options{Seed: seed, Drama: true}))
		engine, err := alert.New(alert.Options{Rules: alert.DefaultRules(), Goal: alert.DefaultGoal()})
		if err != nil {
			t.Fatal(err)
		}
		watch := situation.New(situation.Options{Hold: time.Minute})
		began := f.world.Now()
		var told, over time.Duration
		var id alert.Key
		for range 120 {
			s := f.runSecond()
			now := f.world.Now()
			changes := engine.Evaluate(s, now)
			v := watch.Update(s, engine.Active(), changes, now)
			for i := range v.Live {
				sit := &v.Live[i]
				if told == 0 && len(sit.Causes) > 0 && sit.Causes[0].Kind == diagnosis.FewerAgents {
					told, id = now.Sub(began), sit.Place.Key
					t.Logf("seed %d, %v: %s: %s %s", seed, told, sit.Place.Title, sit.Headline, sit.Causes[0].Text)
					if !strings.Contains(sit.Causes[0].Text, "logged out") {
						t.Errorf("seed %d: wrong cause %q", seed, sit.Causes[0].Text)
					}
				}
			}
			for i := range v.Recovered {
				if told > 0 && over == 0 && v.Recovered[i].Place.Key == id {
					over = now.Sub(began)
				}
			}
		}
		switch good := told > 0 && told <= time.Minute && over > 0; {
		case good:
			right++
		case seed == demo:
			t.Errorf("the demo: told after %v, over after %v", told, over)
		default:
			t.Logf("seed %d: told after %v, over after %v", seed, told, over)
		}
	}
	if right < 4 {
		t.Errorf("only %d of 6 seeds were reported and resolved in time", right)
	}
}
