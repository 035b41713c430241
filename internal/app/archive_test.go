package app

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"wallboard/internal/alert/backtest"
	"wallboard/internal/config"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/record"
	"wallboard/internal/simulator/demo"
	"wallboard/internal/simulator/world"
)

// TestTrySaysHowFarItIs checks the progress of a backtest on the board, and its
// cancellation.
func TestTrySaysHowFarItIs(t *testing.T) {
	t.Parallel()
	dir := testkit.PrivateDir(t)
	floor := world.Options{Seed: 1, Agents: 300, Start: time.Date(2026, 11, 23, 10, 30, 0, 0, time.UTC)}
	_, err := record.WriteSnapshots(dir, record.Metadata{Names: "full"}, demo.NewPastDay(floor).Snapshots(t.Context(), floor.Start.Add(-time.Hour), demo.SnapshotInterval))
	if err != nil {
		t.Fatal(err)
	}
	r, err := record.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close() //nolint:errcheck // only read from
	c := config.Default()
	today := backtest.RuleSet{Name: "today", Options: c.AlertOptions(c.Names())}
	var said []float64
	res, err := backtestRule(t.Context(), r, today, time.Time{}, "longest wait", "longest wait.critical=45s,1m", func(f float64) { said = append(said, f) })
	if err != nil || len(res.Outcomes) < 3 || res.Snapshots < 50 {
		t.Fatalf("%d outcomes of %d pictures, %v", len(res.Outcomes), res.Snapshots, err)
	}
	if n := len(said); n < 5 || !slices.IsSorted(said) || said[0] > 0.3 || said[n-1] < 0.9 || said[n-1] > 1 {
		t.Errorf("said %v", said)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	after := 0
	_, err = backtestRule(ctx, r, today, time.Time{}, "longest wait", "", func(f float64) {
		if f < 0.9 { // before the end
			cancel()
			after++
		}
	})
	if !errors.Is(err, context.Canceled) || after > 1 {
		t.Errorf("called off: %v, %d pictures after that", err, after-1)
	}
}

// TestTriedSpan checks the part of a recording for a backtest: the day of an instant, or
// the last day.
func TestTriedSpan(t *testing.T) {
	t.Parallel()
	zone := time.FixedZone("here", 2*60*60)
	at := func(day, hour, minute int) time.Time { return time.Date(2026, 3, day, hour, minute, 0, 0, zone) }
	in := record.Info{First: at(2, 9, 0), Last: at(4, 16, 0)}
	for name, tt := range map[string]struct{ at, from, to time.Time }{
		"the first day":  {at(2, 14, 0), at(2, 9, 0), at(3, 0, 0)},
		"a whole day":    {at(3, 0, 10), at(3, 0, 0), at(4, 0, 0)},
		"the last day":   {at(4, 1, 0), at(4, 0, 0), at(4, 16, 0)},
		"of another one": {at(3, 0, 10).UTC(), at(2, 9, 0), at(3, 2, 0)}, // 22:10 of the previous day
	} {
		if from, to := backtestSpan(in, tt.at); !from.Equal(tt.from) || !to.Equal(tt.to) {
			t.Errorf("%s: %v to %v", name, from, to)
		}
	}
	if from, to := backtestSpan(in, time.Time{}); !to.Equal(in.Last) || to.Sub(from) < ShiftLength {
		t.Errorf("now: %v to %v", from, to)
	}
}
