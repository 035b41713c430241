package cli

import (
	"fmt"
	"os"
	"testing"
	"time"

	"wallboard/feeds"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/report/headless"
	"wallboard/internal/simulator"
	"wallboard/internal/simulator/rtd"
	"wallboard/internal/simulator/world"
	"wallboard/model"
)

// dates is a format of instants.
type dates struct {
	form   rtd.DateForm
	never  rtd.NeverHeld
	quoted bool
}

func (d dates) String() string {
	quoted := ""
	if d.quoted {
		quoted = ", quoted"
	}
	return fmt.Sprintf("%s, never held %s%s", d.form, d.never, quoted)
}

// dateDialects returns all date formats, each with several representations of an instant that does not
// exist.
func dateDialects() []dates {
	forms := []rtd.DateForm{
		rtd.DateISO, rtd.DateOffset, rtd.DateLocal, rtd.DateSeconds, rtd.DateFraction,
		rtd.DateMilliseconds, rtd.DateMicroseconds, rtd.DateElapsed, rtd.DateElapsedFraction,
		rtd.DateElapsedMillis, rtd.DateElapsedMicros, rtd.DateElapsedClock,
	}
	nevers := []rtd.NeverHeld{
		rtd.NeverHeldLogin, rtd.NeverHeldZero, rtd.NeverHeldNull, rtd.NeverHeldEmpty,
		rtd.NeverHeldNegative, rtd.NeverHeldEpoch, rtd.NeverHeldFar, rtd.NeverHeldQuoted,
	}
	var all []dates
	for i, form := range forms {
		for j, never := range nevers {
			if never == rtd.NeverHeldZero || form == rtd.DateISO || (i+j)%3 == 0 {
				all = append(all, dates{form, never, (i+j)%2 == 1})
			}
		}
	}
	return all
}

// TestQuietFloorInEveryDateDialect observes an unchanged floor for ten minutes: all figures stay live and
// correct. With DIALECTS=all, it tests all representations of missing instants, and floors with 1,000
// agents.
func TestQuietFloorInEveryDateDialect(t *testing.T) {
	t.Parallel()
	for i, d := range dateDialects() {
		agents := 60
		if i%9 == 0 {
			agents = 1000
		}
		if testkit.Race && i%4 != 0 {
			continue // the formats differ only in a function that one goroutine calls
		}
		if (agents > 60 || d.never != rtd.NeverHeldZero) && os.Getenv("DIALECTS") != "all" {
			continue
		}
		t.Run(fmt.Sprintf("%v, %d agents", d, agents), func(t *testing.T) {
			t.Parallel()
			bubble(t, func(t *testing.T) { quietFloor(t, d, agents) })
		})
	}
}

func quietFloor(t *testing.T, d dates, agents int) {
	r := datesRig(t, rtd.Switches{DateForm: d.form, NeverHeld: d.never, QuotedDates: d.quoted}, agents, nil)
	defer r.stop()
	pass(20 * time.Second) // so that some agents change their state
	r.srv.Pause()
	pass(10 * time.Second)
	truth := r.instants(decode(t, r.srv.CurrentState()))
	for second := range 600 {
		pass(time.Second)
		s := r.feed.Latest()
		if !s.Health.Live() {
			t.Fatalf("after %d s: not live: %v", second, headless.CheckLive(s))
		}
		if n := s.Health.Drift().Total(); n > 0 {
			t.Fatalf("after %d s: drift %d: %+v", second, n, s.Health.Drift())
		}
		if second%20 != 0 {
			continue // comparing a snapshot is expensive
		}
		unknown := 0
		for key, shown := range r.instants(picture(t, s)) {
			if shown == "" {
				if truth[key] != "" {
					unknown++
				}
				continue
			}
			if off := apart(t, shown, truth[key]); off > 2*time.Second {
				t.Fatalf("after %d s: %s is shown as %s and is %s", second, key, shown, truth[key])
			}
		}
		if unknown > 0 && second > 30 {
			t.Fatalf("after %d s: %d of %d instants are unknown: %s", second, unknown, len(truth), unitsSaid(s))
		}
	}
}

// datesRig is a rig whose platform uses the local clock.
func datesRig(t *testing.T, sw rtd.Switches, agents int, tune func(*feeds.Options)) *rig {
	t.Helper()
	return newRig(t, simulator.Options{
		Switches: sw, World: world.Options{Seed: 5, Agents: agents, Services: 3, Groups: 2, Operators: 2, Campaigns: 1, Clock: time.Now()},
	}, tune)
}

// instants returns the instants of a snapshot by record and field; "" is unknown.
func (r *rig) instants(picture map[string]any) map[string]string {
	all := make(map[string]string)
	for _, op := range []string{"userStats", "userProfileStats", "operatorProfileStats"} {
		records, _ := picture[op].([]any)
		for _, e := range records {
			m, _ := e.(map[string]any)
			key := fmt.Sprint(op, m["username"], m["id"], m["channel"], " ")
			all[key+"timeInState"], _ = m["timeInState"].(string)
			if hold, ok := m["timeInHold"].(map[string]any); ok {
				all[key+"timeInHold"], _ = hold["timeInState"].(string)
			}
		}
	}
	return all
}

// apart returns the distance between two instants; 1000 h: one is unknown.
func apart(t *testing.T, a, b string) time.Duration {
	t.Helper()
	x, errX := time.Parse(time.RFC3339, a)
	y, errY := time.Parse(time.RFC3339, b)
	if errX != nil || errY != nil {
		return 1000 * time.Hour
	}
	return x.Sub(y).Abs()
}

// unitsSaid returns the Feed page's remarks on units.
func unitsSaid(s *model.Snapshot) (said string) {
	for _, sub := range s.Health.Subscriptions {
		said += sub.Times
	}
	return said
}
