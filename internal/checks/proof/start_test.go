package proof_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"wallboard/internal/lib/testkit"
	"wallboard/internal/simulator/rtd"
)

// TestStartUnderTraffic starts the board on a busy floor and pauses the platform
// within seconds. Two seconds later all unmarked figures must be equal. STARTS is
// the number of starts (default 16), STARTS_FIRST the seed of the first one (default 0).
func TestStartUnderTraffic(t *testing.T) {
	t.Parallel()
	firsts := []rtd.FirstMessage{rtd.FirstFull, rtd.FirstDelta, rtd.FirstNone, rtd.FirstKeys}
	gathers := []time.Duration{0, 300 * time.Millisecond, time.Second}
	from, starts := setting(t, "STARTS_FIRST", 0), setting(t, "STARTS", 16)
	for i := from; i < from+starts; i++ {
		rng := rand.New(rand.NewPCG(uint64(i), 11))
		d := dialect{
			Switches: rtd.Switches{FirstMessage: firsts[i%len(firsts)]},
			arrivals: []rtd.Arrivals{rtd.ArrivalsWhole, rtd.ArrivalsKeys}[i/4%2],
			gather:   gathers[i/8%len(gathers)],
		}
		if rng.IntN(2) == 0 {
			d.DurationUnit = rtd.DurationsInMilliseconds
		}
		agents := 30
		if i%8 == 5 && !testkit.Race {
			agents = 300
		}
		after := time.Second + time.Duration(rng.IntN(50))*100*time.Millisecond
		d.name = fmt.Sprintf("%d %s %s %v, %d agents, frozen after %v", i, d.FirstMessage, d.arrivals, d.gather, agents, after)
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			if testkit.Race && i%8 != 0 {
				t.Skip("some are enough for the race detector")
			}
			r := &run{
				t: t, seed: uint64(i), dialect: d, oldest: 2 * time.Second, lossless: true,
				churn: 30, agents: agents, traffic: 20,
			}
			synctest.Test(t, func(t *testing.T) { r.start(t, after) })
		})
	}
}

// start starts the board, pauses the platform, and compares two seconds after the
// last messages.
func (r *run) start(t *testing.T, after time.Duration) {
	r.t = t
	r.rng = rand.New(rand.NewPCG(r.seed, 1))
	r.network = newNetwork(r.seed)
	r.ledger = newLedger(t, r.dialect.DateForm == rtd.DateSeconds)
	pass(opening + 10*time.Minute) // the floor is busy
	r.startPlatform()
	defer func() { r.stopSrv(); r.network.close() }()
	pass(time.Minute)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	r.feed = r.newFeed()
	go func() { defer close(done); _ = r.feed.Run(ctx) }()
	defer func() { cancel(); <-done }()
	for end := time.Now().Add(after); time.Now().Before(end); {
		pass(r.tick())
		r.note(time.Now())
	}
	r.srv.Pause()
	synctest.Wait()
	r.note(time.Now())
	pass(2*time.Second + r.dialect.gather + r.tick())
	r.look()
	if r.live == 0 {
		t.Errorf("not live: %s", notLive(r.feed.Latest()))
	}
}
