package backtest_test

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/backtest"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/record"
	"wallboard/internal/record/analysis"
	"wallboard/internal/simulator/demo"
	"wallboard/internal/simulator/world"
	"wallboard/model"
)

// TestRulesGoByTheirTables checks that alert rules have the same result if the
// player only reads the tables that they use.
func TestRulesGoByTheirTables(t *testing.T) {
	t.Parallel()
	floor := world.Options{
		Seed: 3, Agents: 30, Start: time.Date(2026, 11, 23, 11, 0, 0, 0, time.UTC),
	}
	path, err := record.WriteSnapshots(testkit.PrivateDir(t), record.Metadata{Names: "full"}, demo.NewPastDay(floor).Snapshots(t.Context(), floor.Start.Add(-20*time.Minute), time.Second))
	if err != nil {
		t.Fatal(err)
	}
	r, err := record.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close() //nolint:errcheck // opened for reading
	in := r.Info()
	try := func(only ...model.Op) backtest.Result {
		set := []backtest.RuleSet{{Name: "today", Options: alert.Options{Rules: alert.DefaultRules(), Goal: alert.DefaultGoal()}}}
		res, err := backtest.Run(t.Context(), r.Snapshots(in.First, in.Last, only...), in.First, set, nil)
		if err != nil || len(res.Outcomes[0].Episodes) == 0 {
			t.Fatalf("%d alerts, %v", len(res.Outcomes[0].Episodes), err)
		}
		res.Outcomes[0].Set = backtest.RuleSet{}
		slices.SortFunc(res.Outcomes[0].Episodes, func(a, b backtest.Episode) int { // the order within a second is not defined
			return cmp.Or(a.Raised.Compare(b.Raised), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Key.String(), b.Key.String()))
		})
		return res
	}
	if all, some := try(), try(alert.JudgedOperations()...); !reflect.DeepEqual(all, some) {
		t.Errorf("of all tables: %+v\nof those of the rules: %+v", all, some)
	}
}

// recorded records floors of 5,000 agents one after the other, each for the history
// that a world of this size simulates before its opening. It returns the folder.
func recorded(b *testing.B, floors int) string {
	b.Helper()
	dir := testkit.PrivateDir(b)
	from := time.Date(2026, 11, 23, 11, 0, 0, 0, time.UTC)
	for i := range floors {
		o := world.Options{Seed: int64(i + 1), Agents: 5000, Start: from}
		length := from.Sub(demo.NewPastDay(o).Start())
		o.Start = from.Add(time.Duration(i) * length)
		path, err := record.WriteSnapshots(testkit.PrivateDir(b), record.Metadata{Names: "full"}, demo.NewPastDay(o).Snapshots(b.Context(), o.Start.Add(-length), time.Second))
		if err == nil {
			err = os.Rename(path, filepath.Join(dir, fmt.Sprintf("%d.wbr", i)))
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	return dir
}

// mostForShift limits the time for other rules on eight hours of 5,000 agents.
const mostForShift = 90 * time.Second

// BenchmarkLooks scans a recording of 5,000 agents for the intervals of the day, for
// the value of the rules, and with other rules on each snapshot. It reports the time
// for a day of 24 hours and the memory in use at the end. It fails if other rules on
// eight hours exceed their limit both in elapsed and in processor time; elapsed time
// alone means nothing on a busy machine.
func BenchmarkLooks(b *testing.B) {
	path := recorded(b, 2)
	for name, look := range map[string]func(f *record.Replay, from, to time.Time) error{
		"intervals": func(f *record.Replay, from, to time.Time) error {
			_, err := analysis.Intervals(b.Context(), f, from, to, 15*time.Minute, analysis.Scope{Channel: model.Call}, nil)
			return err
		},
		"rules": func(_ *record.Replay, from, to time.Time) error {
			r, err := record.Open(path)
			if err != nil {
				return err
			}
			defer r.Close() //nolint:errcheck // opened for reading
			set := []backtest.RuleSet{{Name: "today", Options: alert.Options{Rules: alert.DefaultRules(), Goal: alert.DefaultGoal()}}}
			_, err = backtest.Run(b.Context(), r.Snapshots(from, to, alert.JudgedOperations()...), from, set, nil)
			return err
		},
		"verdict": func(f *record.Replay, from, to time.Time) error {
			engine, err := alert.New(alert.Options{})
			if err == nil {
				_, err = backtest.Evaluate(b.Context(), f.SampledSnapshots(from, to, backtest.Step, alert.JudgedOperations()...), engine, backtest.EvaluateOptions{})
			}
			return err
		},
	} {
		b.Run(name, func(b *testing.B) {
			r, err := record.Open(path)
			if err != nil {
				b.Fatal(err)
			}
			in := r.Info()
			f := r.Replay(in.First, 0, nil)
			defer f.Close() //nolint:errcheck // opened for reading
			n, began := 0, testkit.ProcessCPUTime(b)
			for b.Loop() {
				if err := look(f, in.First, in.Last); err != nil {
					b.Fatal(err)
				}
				n++
			}
			took := testkit.ProcessCPUTime(b) - began
			hours := in.Last.Sub(in.First).Hours() * float64(n)
			eight := time.Duration(float64(min(took, b.Elapsed())) * 8 / hours)
			if name == "rules" && float64(eight) > float64(mostForShift)*testkit.GoalFactor() {
				b.Errorf("eight hours of rules take %v, of %v", eight, mostForShift)
			}
			var m runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&m)
			b.ReportMetric(took.Seconds()/float64(n)*float64(24*time.Hour)/float64(in.Last.Sub(in.First)), "cpu-s/day")
			b.ReportMetric(float64(m.HeapAlloc)/1e6, "MB-live")
			b.ReportMetric(in.Last.Sub(in.First).Minutes(), "minutes")
		})
	}
}
