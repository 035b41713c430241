package proof_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/simulator/world"
)

// held is the time for which the board holds back warnings that may resolve by
// themselves.
const held = time.Minute

// reported is a situation reported on a floor without trouble.
type reported struct {
	situation.Situation
	told  time.Time
	ends  time.Time
	most  int    // number of affected people
	first string // headline of the first report
}

// live runs the board on a floor for some time and returns the reported situations.
func live(t *testing.T, w *world.World, d time.Duration) []*reported {
	t.Helper()
	f := newDirectFeed(w)
	engine, err := alert.New(alert.Options{Rules: alert.DefaultRules(), Goal: alert.DefaultGoal()})
	if err != nil {
		t.Fatal(err)
	}
	watch := situation.New(situation.Options{Hold: held})
	byID := make(map[string]*reported)
	var out []*reported
	for range int(d.Seconds()) {
		s, now := f.runSecond(), f.world.Now()
		v := watch.Update(s, engine.Active(), engine.Evaluate(s, now), now)
		for i := range v.Live {
			sit := v.Live[i]
			r := byID[sit.ID]
			if r == nil {
				r = &reported{told: now, first: sit.Headline}
				byID[sit.ID] = r
				out = append(out, r)
			}
			r.ends, r.most = now, max(r.most, sit.Affected)
			if r.Level <= sit.Level {
				r.Situation = sit
			}
		}
	}
	return out
}

// TestHealthyFloor runs the board on floors without trouble and lists the reported
// situations. HEALTHY_FLOORS is the number of floors, eight hours each; by default
// it is one floor for half an hour.
func TestHealthyFloor(t *testing.T) {
	t.Parallel()
	if testkit.Race {
		t.Skip("it only computes")
	}
	floors, lasts := setting(t, "HEALTHY_FLOORS", 0), 8*time.Hour
	if os.Getenv("HEALTHY_FLOORS") == "" {
		floors, lasts = 1, 30*time.Minute
	}
	first := setting(t, "HEALTHY_SEED", 1)
	told := make([][]*reported, floors)
	t.Run("floors", func(t *testing.T) {
		for floor := range floors {
			t.Run(fmt.Sprint(first+floor), func(t *testing.T) {
				t.Parallel()
				told[floor] = live(t, world.New(world.Options{
					Seed: int64(first + floor), Agents: 120, TrafficFactor: 0.7, Start: time.Date(2026, time.January, 14, 9, 0, 0, 0, time.UTC),
				}), lasts)
			})
		}
	})
	for floor, all := range told {
		if most := 3 + 2*int(lasts.Hours()); len(all) > most {
			t.Errorf("floor %d: %d situations, want at most %d", first+floor, len(all), most)
		}
		t.Logf("floor %d: %d situations in %v", first+floor, len(all), lasts)
		for _, r := range all {
			why := r.UnexplainedReason
			if len(r.Causes) > 0 {
				why = r.Causes[0].Text
			}
			t.Logf("  %s %-8s %-22s for %v, at most %d: %s | at worst: %s | %s", r.told.Format("15:04:05"), r.Level, r.Place.Title, r.ends.Sub(r.told), r.most, r.first, r.Headline, why)
		}
	}
}
