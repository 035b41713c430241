package cli

import (
	"fmt"
	"os"
	"testing"
	"time"

	"wallboard/internal/lib/testkit"
	"wallboard/internal/report/headless"
	"wallboard/internal/simulator"
	"wallboard/internal/simulator/world"
)

// steadiness is the observed stability of LIVE.
type steadiness struct {
	first time.Duration // time until the first LIVE; 0: there was none
	live  time.Duration // total time with LIVE
	lost  []string      // times at which LIVE disappeared, with the reasons
}

// watched observes the published snapshots for a duration.
func (r *rig) watched(d time.Duration) (w steadiness) {
	r.t.Helper()
	var seq uint64
	if s := r.feed.Latest(); s != nil {
		seq = s.Seq
	}
	live := false
	began := time.Now()
	for last := began; last.Sub(began) < d; {
		pass(50 * time.Millisecond)
		now := time.Now()
		if live {
			w.live += now.Sub(last)
		}
		last = now
		s := r.feed.Latest()
		if s == nil || s.Seq == seq {
			continue
		}
		is := s.Health.Live()
		if is && w.first == 0 {
			w.first = now.Sub(began)
		}
		if live && !is {
			w.lost = append(w.lost, fmt.Sprintf("after %v: %v", now.Sub(began), headless.CheckLive(s)))
		}
		live = is
	}
	return w
}

// TestStaysLive uses a platform with slow full states and constant churn of agents: LIVE
// must not be lost. SCALE is the duration:
//
//	SCALE=1h go test ./internal/cli -run StaysLive -timeout 30m
func TestStaysLive(t *testing.T) {
	t.Parallel()
	long, err := time.ParseDuration(os.Getenv("SCALE"))
	if err != nil {
		long = 2 * time.Minute
	}
	minute := time.Minute
	if testkit.Race {
		minute, long = minute/3, min(long, minute/3)
	}
	bubble(t, func(t *testing.T) {
		r := newRig(t, simulator.Options{
			UpdatesPerSecond: 40, Tick: 500 * time.Millisecond, FullRate: 2000,
			World: world.Options{Seed: 11, Services: 8, Groups: 4, Agents: 1000, Channels: 2},
		}, nil)
		defer r.stop()
		for _, d := range []time.Duration{minute, minute, long} {
			w := r.watched(d)
			t.Logf("LIVE after %v, %.2f %% of %v", w.first, 100*float64(w.live)/float64(d-w.first), d)
			if w.first == 0 || w.first > 10*time.Second || len(w.lost) > 0 {
				t.Errorf("LIVE after %v, lost %q", w.first, w.lost)
			}
			r.srv.Faults().DropSockets(0)
		}
	})
}
