package cli

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"wallboard/feeds"
	"wallboard/internal/simulator"
	"wallboard/internal/simulator/rtd"
	"wallboard/internal/simulator/world"
)

// TestLengthsAreKnownAtOnce uses a platform with lengths in seconds or milliseconds: all
// are known and correct from the first LIVE on.
func TestLengthsAreKnownAtOnce(t *testing.T) {
	t.Parallel()
	for _, lengths := range []rtd.DurationUnit{rtd.DurationsInSeconds, rtd.DurationsInMilliseconds} {
		t.Run(string(lengths), func(t *testing.T) {
			t.Parallel()
			bubble(t, func(t *testing.T) {
				r := newRig(t, simulator.Options{
					Switches: rtd.Switches{DurationUnit: lengths},
					World:    world.Options{Seed: 5, Agents: 20, Services: 4, Groups: 2, Operators: 2, Campaigns: 1, Clock: time.Now()},
				}, nil)
				defer r.stop()
				r.live(10 * time.Second)
				for second := range 20 {
					pass(time.Second)
					truth := r.lengths(decode(t, r.srv.CurrentState()))
					for key, shown := range r.lengths(picture(t, r.feed.Latest())) {
						switch {
						case shown == nil && truth[key] != nil:
							t.Fatalf("after %d s: %s is unknown: %s", second, key, unitsSaid(r.feed.Latest()))
						case shown == nil:
						case *shown-*truth[key] > 60:
							t.Fatalf("after %d s: %s is shown as %v and is %v", second, key, *shown, *truth[key])
						}
					}
				}
			})
		})
	}
}

// TestUnitsAreKept checks that detected units are stored until the platform's version
// changes.
func TestUnitsAreKept(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		store := &kept{}
		presumedAfter := func(d time.Duration) string {
			r := newRig(t, simulator.Options{
				Switches: rtd.Switches{DurationUnit: rtd.DurationsInMilliseconds, DateForm: rtd.DateMilliseconds},
				World:    world.Options{Seed: 5, Agents: 20, Services: 4, Groups: 2, Operators: 2, Campaigns: 1, Clock: time.Now()},
			}, func(o *feeds.Options) { o.Profiles = store })
			defer r.stop()
			pass(d)
			return unitsSaid(r.feed.Latest())
		}
		if said := presumedAfter(time.Second); !strings.Contains(said, "timeInState: presumed to be milliseconds since 1970") {
			t.Errorf("a board that knows nothing of the platform says %q", said)
		}
		if said := presumedAfter(30 * time.Second); strings.Contains(said, "timeInState") {
			t.Errorf("after 30 s: %s", said)
		}
		if said := presumedAfter(time.Second); strings.Contains(said, "timeInState") {
			t.Errorf("a board that could know says %s", said)
		}
		store.p.Server = "0.9.0" // the platform has changed its version since then
		if said := presumedAfter(time.Second); !strings.Contains(said, "timeInState") {
			t.Error("the units of another version are still believed")
		}
	})
}

// lengths returns the lengths without a documented unit in seconds; nil is unknown.
func (*rig) lengths(picture map[string]any) map[string]*float64 {
	all := make(map[string]*float64)
	note := func(key string, v any) {
		all[key] = nil
		if n, ok := v.(float64); ok {
			all[key] = &n
		}
	}
	services, _ := picture["serviceStats"].([]any)
	for _, e := range services {
		m, _ := e.(map[string]any)
		if stats, ok := m["channelStats"].(map[string]any); ok {
			note(fmt.Sprint(m["code"], m["channel"], " longest"), stats["maxTimeCallOnQueue"])
		}
	}
	users, _ := picture["userStats"].([]any)
	for _, e := range users {
		m, _ := e.(map[string]any)
		codes, _ := m["timeInActivityCode"].([]any)
		for _, c := range codes {
			in, _ := c.(map[string]any)
			note(fmt.Sprint(m["username"], m["channel"], in["activityCode"]), in["totalTime"])
		}
	}
	return all
}
