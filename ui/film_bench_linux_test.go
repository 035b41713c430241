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

	"wallboard/internal/testkit"
	"wallboard/record"
	"wallboard/record/recordtest"
	"wallboard/simulator/world"
)

// BenchmarkRewind goes to instants of 24 recorded hours, on a board of 200 columns and 60
// rows that shows the agents: anywhere, and steps of ten seconds on and back by somebody who
// presses the key four times a second, or holds it down. It is measured from the key to the
// frame. The goals are 150 and 30 ms in 99 of 100 cases with 5,000 agents,
// on a machine that has nothing else to do; cpu-ms is what a processor was busy for
// between the two. It fails where half of all cases take longer than the goal or, of a hundred
// and more, one in a hundred needs more of a processor: that holds on a busy machine, too.
func BenchmarkRewind(b *testing.B) {
	const step = 30 * time.Millisecond
	for agents, anywhere := range map[int]time.Duration{60: 30 * time.Millisecond, 5000: 150 * time.Millisecond} {
		path, err := recordtest.Floor(b.Context(), testkit.PrivateDir(b), world.Options{
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
		if err := recordtest.Stretch(path, 24*time.Hour); err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("%d/anywhere", agents), func(b *testing.B) { rewindOften(b, path, walk{most: anywhere}) })
	}
}

// walk is how somebody goes through a recording: anywhere, or by steps, with a rest after
// each, and how long that may take; most is 0 where there is no goal.
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
	film := r.Film(in.First, 0, nil)
	defer film.Close() //nolint:errcheck // only read from
	m := New(Options{Source: film, Now: film.Now, Location: time.UTC, Context: b.Context(), Steering: Steering{StartPage: "Agents"}})
	m.Update(tea.WindowSizeMsg{Width: 200, Height: 60})
	rng := rand.New(rand.NewPCG(1, 1))
	anywhere := func() time.Time { return in.First.Add(time.Duration(rng.Int64N(int64(in.Last.Sub(in.First))))) }
	to := func(at time.Time) {
		m.reel.Leap(at)
		m.Update(snapshotMsg{film.Latest()})
		if len(m.Frame()) < 1000 {
			b.Fatalf("the frame is %q", m.Frame())
		}
	}
	stay := func() { // who steps has stayed for a moment
		if err := m.reel.LookBack(b.Context(), func(msg tea.Msg) { m.Update(msg) }); err != nil {
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
		if b.StopTimer(); m.reel.DrawsFirst() {
			m.Update(lookMsg{}) // when the frame is there
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

// rank is what so many of a hundred of sorted times are not longer than.
func rank(of []time.Duration, share int) time.Duration { return of[min(len(of)*share/100, len(of)-1)] }

// check fails where it took longer than it may.
func (w walk) check(b *testing.B, took, used []time.Duration) {
	b.Helper()
	if w.most == 0 {
		return
	}
	most := time.Duration(float64(w.most) * testkit.Slack())
	if d := rank(took, 50); d > most {
		b.Errorf("half of the frames take longer than %v, of %v", d, most)
	}
	if d := rank(used, 99); len(used) >= 100 && d > most {
		b.Errorf("one frame in a hundred takes %v of a processor, of %v", d, most)
	}
}

// processor is what this goroutine, which has a thread to itself, has used of a processor: on
// a machine that has other things to do it tells more than the clock.
func processor() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_THREAD, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
