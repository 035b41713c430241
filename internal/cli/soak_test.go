package cli

import (
	"context"
	"math"
	"os"
	"runtime"
	"slices"
	"testing"
	"time"

	"wallboard/feeds"
	"wallboard/internal/lib/secret"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/simulator"
	"wallboard/internal/simulator/rtd"
	"wallboard/internal/simulator/webservice"
	"wallboard/internal/simulator/world"
)

// TestSoak runs a feed with 5,000 agents and 2,000 updates per second for SOAK, cutting its
// connection every 5 s. Goroutines and the minimum memory within half a minute must not
// grow, and the final snapshot is correct:
//
//	SOAK=10m go test ./internal/cli -run TestSoak -v -timeout 30m
func TestSoak(t *testing.T) { //nolint:paralleltest // it counts the goroutines and the memory of the process
	long, err := time.ParseDuration(os.Getenv("SOAK"))
	if err != nil {
		t.Skip("SOAK says for how long")
	}
	net := testkit.NewPipeListener()
	srv, err := simulator.New(simulator.Options{
		Listener: net, UpdatesPerSecond: 2000,
		World: world.Options{Seed: 7, Services: 40, Groups: 20, Agents: 5000, Start: world.OpeningTime(time.Now())},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := srv.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	feed, err := feeds.New(feeds.Options{
		URL: srv.HTTPURL(), WSURL: srv.WSURL(), Campaigns: srv.CampaignIDs(), DialContext: net.Dial,
		Credentials: feeds.Credentials{AccessToken: secret.New(webservice.DefaultAccount().Token)},
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); _ = feed.Run(ctx) }()
	r := &rig{t: t, srv: srv, feed: feed, stop: func() { cancel(); <-done; _ = srv.Close() }}
	defer r.stop()
	r.live(2 * time.Minute)

	const cut, look = 5, 30 // seconds between two cuts, and between two measurements
	var heap, goroutines []float64
	low, most := math.Inf(1), 0
	for began, n := time.Now(), 1; time.Since(began) < long; n++ {
		if n%cut == 1 {
			srv.Faults().DropSockets(0)
		}
		pass(time.Second)
		low, most = min(low, used()), max(most, runtime.NumGoroutine())
		if n%look != 0 {
			continue
		}
		heap, goroutines = append(heap, low), append(goroutines, float64(most))
		h := feed.Latest().Health
		t.Logf("%4.0f s: %.1f MB, %d goroutines, %d cuts, %d healed, drift %d",
			time.Since(began).Seconds(), low/1e6, most, h.Cuts, h.Healed, h.Drift().Total())
		low, most = math.Inf(1), 0
	}
	r.live(3 * time.Minute)
	r.settle(rtd.DateISO)
	if h := feed.Latest().Health; h.Cuts != h.Healed || h.Drift().Total() != 0 {
		t.Errorf("%d of %d cuts healed, drift %s", h.Healed, h.Cuts, driftOf(feed.Latest()))
	}
	if len(heap) < 4 {
		return // too short for a trend
	}
	if s := slope(heap[1:]); s > 0.02 {
		t.Errorf("the memory grows by %.1f %% in half a minute: %.0f", 100*s, heap)
	}
	const underWay = 20 // goroutines of connections that begin or end
	if most := slices.Max(goroutines[1:]); most > goroutines[0]+underWay {
		t.Errorf("%v goroutines", goroutines)
	}
}
