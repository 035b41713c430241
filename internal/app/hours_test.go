package app

import (
	"path/filepath"
	"testing"
	"time"

	"wallboard/internal/config"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/record"
	"wallboard/internal/simulator"
	"wallboard/internal/simulator/world"
)

// TestLivedHoursAreMarked checks that the simulated hours of the demo have marks.
func TestLivedHoursAreMarked(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 23, 22, 14, 3, 0, time.UTC)
	srv, err := simulator.New(simulator.Options{World: world.Options{Seed: 3, Start: world.OpeningTime(now), Clock: now}})
	if err != nil {
		t.Fatal(err)
	}
	defer srv.Close() //nolint:errcheck // the test is over
	c := config.Default()
	c.RTD.URL, c.Record.Enabled, c.Record.Dir = srv.HTTPURL(), true, filepath.Join(testkit.PrivateDir(t), "recordings")
	var last time.Time
	for s, err := range SimulatedHours(srv.WorldOptions(), "")(&c).ReadSnapshots(t.Context(), time.Time{}, now, time.Minute) {
		if err != nil {
			t.Fatal(err)
		}
		last = s.At
	}
	r, err := record.Open(c.Record.Dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close() //nolint:errcheck // it was read from
	in, begun := r.Info(), map[record.MarkKind]int{}
	for _, m := range in.Marks {
		begun[m.Kind]++
		if m.At.Before(in.First) || m.At.After(in.Last) || m.Text == "" && m.Incident == nil {
			t.Errorf("a mark at %v, in a recording from %v to %v: %q", m.At, in.First, in.Last, m.Text)
		}
	}
	if begun[record.MarkCritical] == 0 || begun[record.MarkRecovered] == 0 || last.IsZero() {
		t.Errorf("until %v: %v", last, begun)
	}
}
