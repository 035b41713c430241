package film_test

import (
	"runtime"
	"testing"
	"time"

	"wallboard/alert"
	"wallboard/alert/verdict"
	"wallboard/model"
	"wallboard/record"
	"wallboard/record/recordtest"
	"wallboard/recount"
	"wallboard/simulator/world"
)

// BenchmarkLooks looks through two hours of 5,000 agents: for the intervals of the day, and
// for what the rules have been worth. It reports what a day of 24 hours would take, and
// what is kept in memory at the end.
func BenchmarkLooks(b *testing.B) {
	const length = 2 * time.Hour
	path, err := recordtest.Floor(b.Context(), b.TempDir(), world.Options{
		Seed: 1, Agents: 5000, Start: time.Date(2026, 11, 23, 11, 0, 0, 0, time.UTC),
	}, 6*time.Minute)
	if err == nil {
		err = recordtest.Stretch(path, length)
	}
	if err != nil {
		b.Fatal(err)
	}
	for name, look := range map[string]func(f *record.Film, from, to time.Time) error{
		"intervals": func(f *record.Film, from, to time.Time) error {
			_, err := recount.Intervals(b.Context(), f, from, to, 15*time.Minute, recount.Scope{Channel: model.Call}, nil)
			return err
		},
		"verdict": func(f *record.Film, from, to time.Time) error {
			engine, err := alert.New(alert.Options{})
			if err == nil {
				_, err = verdict.Judge(b.Context(), f.Through(from, to, verdict.Step), engine, verdict.Options{})
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
			f := r.Film(in.First, 0, nil)
			defer f.Close() //nolint:errcheck // only read from
			n, began := 0, processor()
			for b.Loop() {
				if err := look(f, in.First, in.Last); err != nil {
					b.Fatal(err)
				}
				n++
			}
			took := processor() - began
			var m runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&m)
			b.ReportMetric(took.Seconds()/float64(n)*float64(24*time.Hour)/float64(in.Last.Sub(in.First)), "cpu-s/day")
			b.ReportMetric(float64(m.HeapAlloc)/1e6, "MB-live")
		})
	}
}
