package cli

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"wallboard/simulator"
	"wallboard/simulator/rtd"
	"wallboard/simulator/world"
)

// TestLengthsAreNotTakenForSecondsForLong has a platform tell lengths in
// milliseconds whose dates tell no unit. Document 2 shows seconds for others, so
// that they are taken for seconds until the first figure cannot be one.
func TestLengthsAreNotTakenForSecondsForLong(t *testing.T) {
	t.Parallel()
	for _, lengths := range []rtd.Lengths{rtd.LengthsSeconds, rtd.LengthsMilliseconds} {
		t.Run(string(lengths), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, simulator.Options{
					Switches: rtd.Switches{Lengths: lengths},
					World:    world.Options{Seed: 5, Agents: 20, Services: 4, Groups: 2, Operators: 2, Campaigns: 1, Clock: time.Now()},
				}, nil)
				defer r.stop()
				wrong, unknown, known := 0, 0, 0
				for second := range 60 {
					pass(time.Second)
					truth := r.lengths(decode(t, r.srv.Truth()))
					off := ""
					for key, shown := range r.lengths(picture(t, r.feed.Latest())) {
						switch {
						case shown == nil && truth[key] != nil:
							unknown++
						case shown == nil:
						case *shown-*truth[key] > 60:
							off = fmt.Sprintf("%s is shown as %v and is %v", key, *shown, *truth[key])
						default:
							known++
						}
					}
					if off != "" {
						if wrong++; wrong > 3 {
							t.Fatalf("after %d s, wrong for %d s: %s", second, wrong, off)
						}
					}
				}
				t.Logf("wrong for %d s; %d known, %d unknown: %s", wrong, known, unknown, unitsSaid(r.feed.Latest()))
				if lengths == rtd.LengthsSeconds && unknown > 0 {
					t.Errorf("%d are unknown where nothing speaks against seconds", unknown)
				}
			})
		})
	}
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
