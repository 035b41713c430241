package ui

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/lib/testkit"
	"wallboard/internal/record"
	"wallboard/internal/record/recordtest"
	"wallboard/internal/simulator/world"
	"wallboard/ui/replay"
)

// BenchmarkRewind jumps within 24 recorded hours on a 200x60 board with agents: to random
// instants, and by steps of ten seconds, four per second or with the key held. It measures
// from the key to the frame. The goals on an idle machine with 5,000 agents are 150 and 30
// ms in 99 of 100 cases; cpu-ms is the CPU time in between. It fails if the median exceeds
// the goal, or, from a hundred cases on, if one in a hundred exceeds it in CPU time, so
// that the result also holds on a busy machine.
func BenchmarkRewind(b *testing.B) {
	const step = 30 * time.Millisecond
	for agents, anywhere := range map[int]time.Duration{60: 30 * time.Millisecond, 5000: 150 * time.Millisecond} {
		path, err := recordtest.RecordFloor(b.Context(), testkit.PrivateDir(b), world.Options{
			Seed: 1, Agents: agents, Start: time.Date(2026, 11, 23, 11, 0, 0, 0, time.UTC),
		}, 6*time.Minute)
		if err != nil {
			b.Fatal(err)
		}
		for name, w := range map[string]walk{
			"step": {10 * time.Second, time.Second / 4, step}, "back": {-10 * time.Second, time.Second / 4, step},
			"held": {10 * time.Second, 0, 0}, "held-back": {-10 * time.Second, 0, 0},
		} {
			b.Run(fmt.Sprintf("%d/%s", agents, name), func(b *testing.B) { rewindOften(b, path, w) })
		}
		if err := recordtest.Extend(path, 24*time.Hour); err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("%d/anywhere", agents), func(b *testing.B) { rewindOften(b, path, walk{most: anywhere}) })
	}
}

// walk describes a series of jumps: step 0 means random, rest is the pause after each, most
// is the goal or 0.
type walk struct{ step, rest, most time.Duration }

func rewindOften(b *testing.B, path string, by walk) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	r, err := record.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	in := r.Info()
	if by.step == 0 && in.Last.Sub(in.First) < 23*time.Hour {
		b.Fatalf("a recording of %v", in.Last.Sub(in.First))
	}
	film := r.Replay(in.First, 0, nil)
	defer film.Close() //nolint:errcheck // only read from
	m := New(Options{Archive: replay.Archive{Shown: film}, Context: b.Context(), Display: Display{Location: time.UTC}, Navigation: Navigation{StartPage: "Agents"}})
	m.Update(tea.WindowSizeMsg{Width: 200, Height: 60})
	rng := rand.New(rand.NewPCG(1, 1))
	anywhere := func() time.Time { return in.First.Add(time.Duration(rng.Int64N(int64(in.Last.Sub(in.First))))) }
	to := func(at time.Time) {
		m.shown.replay.Jump(at)
		m.Update(snapshotMsg{Snapshot: film.Latest()})
		if len(m.Frame()) < 1000 {
			b.Fatalf("the frame is %q", m.Frame())
		}
	}
	stay := func() { // who steps has stayed for a moment
		if err := m.shown.replay.EvaluatePast(b.Context(), func(msg tea.Msg) { m.Update(msg) }); err != nil {
			b.Fatal(err)
		}
	}
	to(anywhere())
	b.ResetTimer()
	var took, used []time.Duration
	for b.Loop() {
		at := anywhere()
		if by.step != 0 {
			b.StopTimer()
			at = film.At().Add(by.step)
			if at.After(in.Last) || at.Before(in.First) || len(took) == 0 {
				at = in.First
				if by.step < 0 {
					at = in.Last
				}
				to(at)
				stay()
				at = at.Add(by.step)
			}
			time.Sleep(by.rest) //nolint:forbidigo // a person's
			b.StartTimer()
		}
		begin, busy := time.Now(), processor()
		to(at)
		took, used = append(took, time.Since(begin)), append(used, processor()-busy)
		if b.StopTimer(); m.shown.replay.DrawsBeforeEvaluating() {
			m.Update(evaluateMsg{}) // when the frame is there
		}
		b.StartTimer()
	}
	slices.Sort(took)
	slices.Sort(used)
	by.check(b, took, used)
	for unit, of := range map[string][]time.Duration{"ms": took, "cpu-ms": used} {
		for _, share := range []int{50, 99} {
			d := rank(of, share)
			b.ReportMetric(float64(d.Microseconds())/1000, fmt.Sprintf("p%d-%s", share, unit))
		}
	}
}

// rank returns a percentile of sorted times.
func rank(of []time.Duration, share int) time.Duration { return of[min(len(of)*share/100, len(of)-1)] }

// check fails if the goal is exceeded.
func (w walk) check(b *testing.B, took, used []time.Duration) {
	b.Helper()
	if w.most == 0 {
		return
	}
	most := time.Duration(float64(w.most) * testkit.GoalFactor())
	if d := rank(took, 50); d > most {
		b.Errorf("half of the frames take longer than %v, of %v", d, most)
	}
	if d := rank(used, 99); len(used) >= 100 && d > most {
		b.Errorf("one frame in a hundred takes %v of a processor, of %v", d, most)
	}
}

// processor returns the CPU time of this goroutine's thread.
func processor() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_THREAD, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
