package backtest

import (
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/record"
	"wallboard/internal/simulator/demo"
	"wallboard/internal/simulator/world"
)

// mostForShift is the time limit for the current and new rules on eight hours of 60
// agents.
const mostForShift = 5 * time.Second

// BenchmarkEightHours backtests rules on eight recorded hours of 60 agents with one
// snapshot per second: the current rules alone, and with variants. It fails if the
// current and new rules take too long in both wall-clock and CPU time.
func BenchmarkEightHours(b *testing.B) {
	dir := testkit.PrivateDir(b)
	tape, err := record.NewBatchWriter(dir, record.Metadata{})
	if err != nil {
		b.Fatal(err)
	}
	open := time.Date(2026, 11, 23, 15, 0, 0, 0, time.UTC)
	for s, err := range demo.NewPastDay(world.Options{Seed: 1, Agents: 60, Start: open}).Snapshots(b.Context(), time.Time{}, time.Second) {
		if err != nil {
			b.Fatal(err)
		}
		if err := tape.Add(s); err != nil {
			b.Fatal(err)
		}
	}
	if err := tape.Close(); err != nil {
		b.Fatal(err)
	}
	today := alert.Options{Rules: alert.DefaultRules(), Goal: alert.DefaultGoal()}
	sweep, err := Sweep(today, "longest wait.critical=45s..5m")
	if err != nil {
		b.Fatal(err)
	}
	all := append([]RuleSet{{Name: "today", Options: today}}, sweep...)
	for name, sets := range map[string][]RuleSet{"today": all[:1], "today and new": all[:2], "today and five others": all} {
		b.Run(name, func(b *testing.B) {
			n, began := 0, testkit.ProcessCPUTime(b)
			for b.Loop() {
				n++
				r, err := record.Open(dir)
				if err != nil {
					b.Fatal(err)
				}
				res, err := Run(b.Context(), r.Snapshots(r.Info().First, r.Info().Last), r.Info().First, sets, nil)
				if err != nil || res.Snapshots < 28_000 || len(res.Outcomes[0].Episodes) == 0 {
					b.Fatalf("%d pictures, %v", res.Snapshots, err)
				}
				b.ReportMetric(float64(res.Snapshots), "pictures")
				if err := r.Close(); err != nil {
					b.Fatal(err)
				}
			}
			took := min(testkit.ProcessCPUTime(b)-began, b.Elapsed()) / time.Duration(n)
			if name == "today and new" && float64(took) > float64(mostForShift)*testkit.GoalFactor() {
				b.Errorf("eight hours take %v, of %v", took, mostForShift)
			}
		})
	}
}
