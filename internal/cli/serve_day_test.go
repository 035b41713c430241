package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/pprof"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"wallboard/feeds"
	"wallboard/internal/app"
	"wallboard/internal/config"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/serve/sshterminal"
	"wallboard/internal/simulator"
	"wallboard/internal/simulator/world"
)

// desk is a place used by one viewer after another.
type desk struct {
	r       *rand.Rand
	s       *app.BoardServer
	longest time.Duration // maximum duration of a visit
	visits  *atomic.Int64
}

// calmAfterVisits is the quiet time before measuring, in which cut connections recover.
const calmAfterVisits = 3 * time.Minute

// mostGrowth is the tolerated growth of memory from the first to the second of two days.
const mostGrowth = 0.03

// nobody discards output.
type nobody struct{}

func (nobody) Write(b []byte) (int, error) { return len(b), nil }
func (nobody) Close() error                { return nil }

// visit simulates a viewer with random size and input.
func (d *desk) visit(ctx context.Context) error {
	users := d.s.Platforms[0].Platform.Config().Serve.Users
	in, typed := io.Pipe()
	resizes := make(chan sshterminal.Size)
	x := &sshterminal.Session{
		Account: sshterminal.Account{Name: users[d.r.IntN(len(users))].Name}, Env: []string{"TERM=xterm-256color", "LANG=C.UTF-8"},
		Size: sshterminal.Size{Width: 60 + d.r.IntN(200), Height: 20 + d.r.IntN(50)}, Resizes: resizes, In: in, Out: nobody{},
	}
	ctx, leave := context.WithTimeout(ctx, time.Second+time.Duration(d.r.Int64N(int64(d.longest))))
	defer leave()
	var person sync.WaitGroup
	person.Go(func() {
		defer typed.Close() //nolint:errcheck // it is a pipe
		keys := "1234567890\r\x1b\t?wHtcGgjkhls/bB!npf"
		for {
			select {
			case <-ctx.Done():
				return
			case <-time.After(time.Duration(d.r.IntN(40_000)) * time.Millisecond):
			}
			if d.r.IntN(20) == 0 {
				select {
				case resizes <- sshterminal.Size{Width: 40 + d.r.IntN(300), Height: 12 + d.r.IntN(80)}:
				case <-ctx.Done():
					return
				}
			}
			if _, err := typed.Write([]byte{keys[d.r.IntN(len(keys))]}); err != nil {
				return
			}
		}
	})
	err := d.s.RunSession(ctx, x)
	_ = in.Close()
	leave()
	person.Wait()
	d.visits.Add(1)
	return err
}

// growth returns the growth of the peak memory from the first to the second half. Bounded
// data reaches its limit on the first day.
func growth(heap []float64) float64 {
	half := len(heap) / 2
	return slices.Max(heap[half:])/slices.Max(heap[:half]) - 1
}

// TestGrowth checks the function growth.
func TestGrowth(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		hours int
		mb    func(h int) float64
		grows bool
	}{
		{48, func(h int) float64 { return min(12+float64(h)/4, 17) + float64(h%24)/20 }, false}, // data reaches its limit on the first day
		{48, func(h int) float64 { return 18 + float64(h)/30 }, true},                           // 2 kB per visit
		{6, func(int) float64 { return 12 }, false},
		{6, func(h int) float64 { return 12 + float64(h) }, true},
	} {
		var heap []float64
		for h := range x.hours {
			heap = append(heap, x.mb(h))
		}
		if got := growth(heap); got > mostGrowth != x.grows {
			t.Errorf("%d hours: it grows by %.3f", x.hours, got)
		}
	}
}

// TestServedForADay runs random viewers while connections are cut: goroutines and memory must not grow.
// SERVE_HOURS is the number of simulated hours after the first one. Two days take ten minutes. Without
// SERVE_HOURS, the test simulates six periods of three minutes.
func TestServedForADay(t *testing.T) { //nolint:paralleltest // it counts the goroutines and the memory of the process
	hours, span, every := 5, 3*time.Minute, time.Second
	if n, err := strconv.Atoi(os.Getenv("SERVE_HOURS")); err == nil {
		hours, span, every = n, time.Hour-calmAfterVisits, 5*time.Second
	} else if testing.Short() || testkit.Race {
		t.Skip("it takes a while")
	}
	const desks = 6
	bubble(t, func(t *testing.T) {
		r := newRig(t, simulator.Options{
			Tick: time.Second, World: world.Options{Services: 4, Groups: 3, Agents: 20, Operators: 2, Campaigns: 2, Sites: 1, MaxFinished: 100},
		}, func(o *feeds.Options) { o.Publish.Every = every })
		defer r.stop()
		c := config.Default()
		c.Serve.UpdateInterval = every
		c.Serve.Users = []config.ServeUser{
			{Name: "anna"},
			{Name: "ben", ConfiguredNames: "initials", Page: "Agents"},
			{Name: "carl", Services: []string{"SRV01"}},
			{Name: "hall", Role: config.RoleKiosk},
			{Name: "dora", Role: config.RoleAdmin, Theme: "light"},
		}
		env := &app.Environment{Simulated: true}
		log := slog.New(slog.DiscardHandler)
		s := app.NewBoardServer(env, &c, log)
		if err := s.AddPlatform(func(o app.PlatformOptions) (*app.Platform, error) {
			return env.OpenWithSource(t.Context(), &c, r.feed, log, o)
		}); err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		ctx, stop := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { s.Platforms[0].Platform.Hub.Run(ctx) })
		defer running.Wait()
		defer stop()
		var visits atomic.Int64
		var heap []float64
		goroutines := make(map[int]int) // goroutines by the number of live subscriptions
		for h := range hours + 1 {
			open, closed := context.WithTimeout(ctx, span)
			var all sync.WaitGroup
			for i := range desks {
				all.Go(func() {
					d := &desk{r: rand.New(rand.NewPCG(uint64(h), uint64(i))), s: s, longest: span * 2 / 3, visits: &visits}
					for open.Err() == nil {
						if err := d.visit(open); err != nil {
							t.Error(err)
						}
						pass(time.Duration(d.r.Int64N(int64(span / 6))))
					}
				})
			}
			for open.Err() == nil {
				pass(min(7*time.Minute, span))
				r.srv.Faults().DropSockets(0)
			}
			closed()
			all.Wait()
			r.srv.Pause() // so that no requests are running
			pass(calmAfterVisits)
			n, live := quietest(), 0
			for _, sub := range r.feed.Latest().Health.Subscriptions {
				if sub.State.IsCurrent() {
					live++
				}
			}
			if before, is := goroutines[live]; is && before != n {
				t.Errorf("%d goroutines after hour %d, %d before, of %d subscriptions", n, h+1, before, live)
			}
			goroutines[live] = n
			heap = append(heap, used()/1e6)
			if dir := os.Getenv(profileEnv); dir != "" {
				kept := created(filepath.Join(dir, fmt.Sprintf("hour-%02d.pprof", h+1)))
				if err := errors.Join(pprof.WriteHeapProfile(kept), kept.Close()); err != nil {
					t.Error(err)
				}
			}
			t.Logf("hour %d: %d visits, %.2f MB, %d goroutines, %d subscriptions", h+1, visits.Load(), heap[h], n, live)
			r.srv.Resume()
		}
		if people, _ := s.Platforms[0].ViewerRoom.Viewers(); len(people) != 0 {
			t.Errorf("%v are said to look", people)
		}
		grown := growth(heap)
		t.Logf("the memory grows by %.2f %%: %.1f MB", 100*grown, heap)
		most := mostGrowth
		if hours < 47 {
			most = 0.15 // bounded data reaches its limit only after a day
		}
		if grown > most {
			t.Error("the memory grows")
		}
	})
}
