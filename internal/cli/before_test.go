package cli

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"wallboard/internal/simulator"
	"wallboard/internal/simulator/demo"
	"wallboard/internal/simulator/world"
	"wallboard/model"
)

// TestDayBeforeIsThePlatforms checks that the day before the demo ends in the platform's current state,
// and that its counters only grow.
func TestDayBeforeIsThePlatforms(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 23, 22, 14, 3, 500_000_000, time.UTC)
	o := simulator.Options{World: world.Options{Seed: 3, Start: world.OpeningTime(now), Clock: now}}
	srv, err := simulator.New(o)
	if err != nil {
		t.Fatal(err)
	}
	defer srv.Close() //nolint:errcheck // the test is over
	var last *model.Snapshot
	pictures, received := 0, int64(0)
	for s, err := range demo.NewPastDay(srv.WorldOptions()).Snapshots(t.Context(), time.Time{}, demo.SnapshotInterval) {
		if err != nil {
			t.Fatal(err)
		}
		if last != nil && (s.At.Sub(last.At) > 10*time.Second || !s.At.After(last.At)) {
			t.Fatalf("a picture of %v after one of %v", s.At, last.At)
		}
		sum := int64(0)
		for r := range s.Services.All() {
			sum += r.ChannelStats.ReceivedCalls.Or(0)
		}
		if sum < received || !s.Health.Live() {
			t.Fatalf("at %v %d were received, %d before; live: %v", s.At, sum, received, s.Health.Live())
		}
		last, received = s, sum
		pictures++
	}
	if pictures < 3*360 || !last.At.Equal(now) || received < 1000 {
		t.Fatalf("%d pictures until %v, %d received", pictures, last.At, received)
	}
	if diff := cmp.Diff(normal(decode(t, srv.CurrentState()), "", false), normal(picture(t, last), "", false)); diff != "" {
		t.Errorf("the day does not end in the state in which the platform begins:\n%s", diff)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	pictures = 0
	for range demo.NewPastDay(srv.WorldOptions()).Snapshots( //nolint:errcheck // it is a sequence: what it yields is counted
		ctx, now.Add(-time.Hour), demo.SnapshotInterval) {
		if pictures++; pictures == 3 {
			cancel()
		}
	}
	if pictures != 3 {
		t.Errorf("%d snapshots after the iteration was stopped", pictures)
	}
}
