package ui

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/record"
	"wallboard/record/recordtest"
	"wallboard/simulator/world"
)

// BenchmarkRewind goes to instants of 24 recorded hours, on a board of 200 columns and 60
// rows that shows the agents: anywhere, and a step of ten seconds on. It is measured from
// the key to the frame. The goals are 150 and 30 ms in 99 of 100 cases with 5,000 agents.
func BenchmarkRewind(b *testing.B) {
	for _, agents := range []int{60, 5000} {
		path, err := recordtest.Floor(b.Context(), b.TempDir(), world.Options{
			Seed: 1, Agents: agents, Start: time.Date(2026, 11, 23, 11, 0, 0, 0, time.UTC),
		}, 6*time.Minute)
		if err == nil {
			err = recordtest.Stretch(path, 24*time.Hour)
		}
		if err != nil {
			b.Fatal(err)
		}
		for _, way := range []string{"anywhere", "step"} {
			b.Run(fmt.Sprintf("%d/%s", agents, way), func(b *testing.B) { rewindOften(b, path, way == "step") })
		}
	}
}

func rewindOften(b *testing.B, path string, step bool) {
	r, err := record.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	in := r.Info()
	if in.Last.Sub(in.First) < 23*time.Hour {
		b.Fatalf("a recording of %v", in.Last.Sub(in.First))
	}
	film := r.Film(in.First, 0, nil)
	defer film.Close() //nolint:errcheck // only read from
	m := New(Options{Source: film, Now: film.Now, Location: time.UTC, Context: b.Context(), Steering: Steering{StartPage: "Agents"}})
	m.Update(tea.WindowSizeMsg{Width: 200, Height: 60})
	rng := rand.New(rand.NewPCG(1, 1))
	anywhere := func() time.Time { return in.First.Add(time.Duration(rng.Int64N(int64(in.Last.Sub(in.First))))) }
	to := func(at time.Time) {
		m.reel.leap(at)
		m.Update(snapshotMsg{film.Latest()})
		if len(m.Frame()) < 1000 {
			b.Fatalf("the frame is %q", m.Frame())
		}
	}
	to(anywhere())
	var took []time.Duration
	for b.Loop() {
		at := film.At().Add(10 * time.Second)
		if !step || !at.Before(in.Last) {
			at = anywhere()
		}
		begin := time.Now()
		to(at)
		took = append(took, time.Since(begin))
	}
	slices.Sort(took)
	for _, share := range []int{50, 99} {
		d := took[min(len(took)*share/100, len(took)-1)]
		b.ReportMetric(float64(d.Microseconds())/1000, fmt.Sprintf("p%d-ms", share))
	}
}
