package cli

import (
	"testing"
	"time"

	"wallboard/feeds"
	"wallboard/internal/simulator"
	"wallboard/internal/simulator/rtd"
	"wallboard/internal/simulator/world"
)

// TestWhatWasLearntIsKept checks that a second board uses the stored profile without
// refused requests.
func TestWhatWasLearntIsKept(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		so := simulator.Options{
			Switches: rtd.Switches{MissingFields: missing(), RenamedRoots: true, Filters: rtd.FiltersVariables, MaxFilterKeys: 9},
			Speed:    10,
			World:    world.Options{Seed: 3, Services: 3, Groups: 2, Agents: 6, Operators: 1, Campaigns: 2},
		}
		store := &kept{}
		refused := func() int {
			r := newRig(t, so, func(o *feeds.Options) { o.Profiles = store })
			defer r.stop()
			pass(20 * time.Second)
			r.settleOn(so.Switches)
			return r.srv.RTD().RefusedCount()
		}
		if n := refused(); n == 0 {
			t.Fatal("the first board was refused nothing: the test shows nothing")
		}
		if n := refused(); n != 0 {
			t.Errorf("the second board was refused %d requests", n)
		}
		store.p.Server = "0.9.0" // the platform has changed its version since then
		if n := refused(); n == 0 {
			t.Error("the profile of another version is still used")
		}
	})
}
