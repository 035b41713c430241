package cli

import (
	"fmt"
	"testing"
	"time"

	"wallboard/feeds"
	"wallboard/simulator"
	"wallboard/simulator/rtd"
	"wallboard/simulator/world"
)

// TestLengthsOfUnknownUnitsAreUnknown has a platform tell lengths in seconds and in
// milliseconds. Nothing but how they grow tells which: until then none is shown.
func TestLengthsOfUnknownUnitsAreUnknown(t *testing.T) {
	t.Parallel()
	for _, lengths := range []rtd.Lengths{rtd.LengthsSeconds, rtd.LengthsMilliseconds} {
		t.Run(string(lengths), func(t *testing.T) {
			t.Parallel()
			bubble(t, func(t *testing.T) {
				r := newRig(t, simulator.Options{
					Switches: rtd.Switches{Lengths: lengths},
					World:    world.Options{Seed: 5, Agents: 20, Services: 4, Groups: 2, Operators: 2, Campaigns: 1, Clock: time.Now()},
				}, nil)
				defer r.stop()
				known, lastUnknown := 0, 0
				for second := range 60 {
					pass(time.Second)
					truth := r.lengths(decode(t, r.srv.Truth()))
					for key, shown := range r.lengths(picture(t, r.feed.Latest())) {
						switch {
						case shown == nil && truth[key] != nil:
							lastUnknown = second
						case shown == nil:
						case *shown-*truth[key] > 60:
							t.Fatalf("after %d s: %s is shown as %v and is %v", second, key, *shown, *truth[key])
						default:
							known++
						}
					}
				}
				t.Logf("%d known; the last unknown one after %d s: %s", known, lastUnknown, unitsSaid(r.feed.Latest()))
				if lastUnknown > 20 {
					t.Errorf("some were unknown for %d s", lastUnknown)
				}
			})
		})
	}
}

// TestUnitsAreKept has a board know at its start in which units the platform told
// times to the board before, until that platform has another version.
func TestUnitsAreKept(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		store := &kept{}
		unknownAfter := func(d time.Duration) (unknown int) {
			r := newRig(t, simulator.Options{
				Switches: rtd.Switches{Lengths: rtd.LengthsMilliseconds},
				World:    world.Options{Seed: 5, Agents: 20, Services: 4, Groups: 2, Operators: 2, Campaigns: 1, Clock: time.Now()},
			}, func(o *feeds.Options) { o.Profiles = store })
			defer r.stop()
			pass(d)
			truth := r.lengths(decode(t, r.srv.Truth()))
			for key, shown := range r.lengths(picture(t, r.feed.Latest())) {
				if shown == nil && truth[key] != nil {
					unknown++
				}
			}
			return unknown
		}
		if unknownAfter(time.Second) == 0 {
			t.Error("a board that knows nothing of the platform knows its units after a second")
		}
		if n := unknownAfter(20 * time.Second); n > 0 {
			t.Errorf("%d lengths are unknown after 20 s", n)
		}
		if n := unknownAfter(time.Second); n > 0 {
			t.Errorf("%d lengths are unknown to a board that could know", n)
		}
		store.p.Server = "0.9.0" // the server was updated since
		if unknownAfter(time.Second) == 0 {
			t.Error("the units of another version are still believed")
		}
	})
}

// lengths are the lengths of a picture whose unit document 2 does not show, in
// seconds; nil is unknown.
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
