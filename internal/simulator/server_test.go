package simulator_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"wallboard/internal/simulator"
	"wallboard/internal/simulator/rtd"
)

func TestServeUntilDone(t *testing.T) {
	t.Parallel()
	s, err := simulator.New(simulator.Options{World: small()})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- s.Serve(ctx) }()
	open(t, s, rtd.SubprotocolTransport)
	if err := s.Start(ctx); err == nil {
		t.Error("the server started twice")
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil { // a second time
		t.Error(err)
	}
}

func TestCloseWithoutStart(t *testing.T) {
	t.Parallel()
	s, err := simulator.New(simulator.Options{World: small()})
	if err != nil {
		t.Fatal(err)
	}
	address := s.HTTPURL()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if _, err := simulator.New(simulator.Options{World: small(), Addr: "256.0.0.1:0"}); err == nil {
		t.Errorf("New accepted an invalid address; %s was fine", address)
	}
}

func TestForcedUpdates(t *testing.T) {
	t.Parallel()
	s := start(t, simulator.Options{UpdatesPerSecond: 200, UpdatesPerMessage: 1, Tick: 50 * time.Millisecond})
	c := open(t, s, rtd.SubprotocolTransport)
	c.subscribe("s", "subscription {userStats(filter: "+listed(t, s)["userStats"]+") {username status timeInState}}")
	if first := c.result("s").Data["userStats"].([]any); len(first) < 2 {
		t.Fatalf("the first message has %d records: the limit does not apply", len(first))
	}
	began := time.Now()
	for range 50 {
		if list := c.result("s").Data["userStats"].([]any); len(list) != 1 {
			t.Errorf("%d records in a message", len(list))
		}
	}
	// Without forced updates the small floor changes about once per second.
	if d := time.Since(began); d > 10*time.Second {
		t.Errorf("50 updates took %v", d)
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	s := start(t, simulator.Options{})
	kinds := map[string]int{}
	for _, n := range s.DisplayNames() {
		if n.Code == "" || n.Name == "" {
			t.Errorf("%+v", n)
		}
		kinds[n.Kind]++
	}
	if kinds["service"] != 4 || kinds["group"] != 3 || kinds["campaign"] != 3 || len(s.CampaignIDs()) != 3 {
		t.Errorf("names of %v, campaigns %v", kinds, s.CampaignIDs())
	}
}

// The platform's clock keeps its pace on a machine that is too busy for the ticks.
// No tick is on time here.
func TestClockOnBusyMachine(t *testing.T) {
	t.Parallel()
	floor := small()
	floor.Pace = 1
	const speed = 100
	s := start(t, simulator.Options{World: floor, Speed: speed, Tick: time.Microsecond})
	date := func() time.Time {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.RESTURL()+"/rest/powerdialer/phone/campaign/search", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		at, err := http.ParseTime(resp.Header.Get("Date"))
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	began, at := time.Now(), date()
	for {
		// A step may be late, and the next one is then longer. Only the pace over
		// some time matters.
		elapsed, passed := time.Since(began), date().Sub(at)
		if elapsed > 200*time.Millisecond && passed > elapsed*speed/2 {
			return
		}
		if elapsed > 10*time.Second {
			t.Fatalf("%v passed in %v, want at least half of %d times as much", passed, elapsed, speed)
		}
	}
}
