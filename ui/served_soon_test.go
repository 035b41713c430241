package ui

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/hub"
	"wallboard/internal/lib/terminal"
	"wallboard/model"
	"wallboard/ui/kiosk"
	"wallboard/ui/term"
)

// glass is the screen of a remote viewer; it counts writes.
type glass struct {
	mu     sync.Mutex
	screen *terminal.Screen
	frames int
}

func (g *glass) Write(b []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.frames++
	return g.screen.Write(b)
}

func (*glass) Close() error { return nil }

func (g *glass) sent() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.frames
}

func (g *glass) shows(text string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return strings.Contains(g.screen.String(), text)
}

// servedBoards are boards of remote viewers on one hub, drawn every two seconds.
type servedBoards struct {
	hub    *hub.Hub
	boards map[string]*glass
}

func newServedBoards(ctx context.Context, t *testing.T, all *sync.WaitGroup) *servedBoards {
	t.Helper()
	f := quietFloor()
	f.Time = time.Now()
	f.Health = liveHealth(f.Time)
	f.wait(model.Call, 500)
	var live model.SnapshotHolder
	live.Put(f.publish())
	room := hub.NewRoom(nil)
	h, err := hub.New(hub.Options{
		Source: &live, Names: testNames(), OnAction: room.NotifyAlertAction, Salt: "s",
		Engine: func(model.FloorPart) (*alert.Engine, error) {
			return alert.New(alert.Options{Rules: alert.DefaultRules(), Goal: alert.DefaultGoal(), Names: testNames()})
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	all.Go(func() { h.Run(ctx) })
	s := &servedBoards{hub: h, boards: make(map[string]*glass)}
	for i, name := range []string{"anna", "ben", "initials", "hidden", "wall"} {
		names := model.NamesFull
		if mode := model.NameMode(name); mode == model.NamesInitials || mode == model.NamesHidden {
			names = mode
		}
		const every = 2 * time.Second
		phase := time.Duration(i) * 50 * time.Millisecond
		v, err := h.NewViewer(hub.Visibility{Names: names}, every, phase)
		if err != nil {
			t.Fatal(err)
		}
		o := Options{
			Source:  v,
			Alerts:  v,
			Names:   testNames(),
			Display: Display{Location: time.UTC},
			Actions: Actions{User: name},
		}
		o.Navigation.StartPage = "Alerts"
		if name == "wall" {
			o.Kiosk = &kiosk.Options{Pages: []string{"alerts"}}
		}
		seat := room.Enter(hub.Participant{Name: name, Wall: o.Kiosk != nil})
		o.OtherViewers.Member = seat
		in, typed := io.Pipe()
		g := &glass{screen: terminal.NewScreen(200, 50)}
		s.boards[name] = g
		all.Go(func() {
			defer seat.Leave()
			if err := Serve(ctx, o, term.Viewer{
				In: in, Out: g, Env: []string{"TERM=xterm-256color"}, Size: term.Size{Width: 200, Height: 50}, Interval: every, FramePhase: phase,
			}); err != nil {
				t.Error(err)
			}
			_ = typed.Close()
		})
	}
	return s
}

// until returns how long it takes until all boards show, or no longer show, a text.
func (s *servedBoards) until(t *testing.T, text string, shown bool) time.Duration {
	t.Helper()
	began := time.Now()
	for {
		synctest.Wait()
		late := ""
		for name, g := range s.boards {
			want := text
			if name == "wall" && strings.HasPrefix(text, "shift") {
				want = "Taken" // a wall does not show the name of the viewer
			}
			if g.shows(want) != shown {
				late = name
			}
		}
		took := time.Since(began)
		if late == "" {
			return took
		}
		if took > 10*time.Second {
			t.Fatalf("%q of %s: shown is not %v, but\n%s", text, late, shown, s.boards[late].screen)
		}
		<-time.After(10 * time.Millisecond)
	}
}

// TestActedSoon checks that take-overs, snoozes and the ends of snoozes appear on all boards within half
// a second, although frames are two seconds apart.
func TestActedSoon(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		var all sync.WaitGroup
		s := newServedBoards(ctx, t, &all)
		s.until(t, "Sales Italy", true)
		const bound = 500 * time.Millisecond
		var worst time.Duration
		hold := func(what, text string, shown bool) {
			took := s.until(t, text, shown)
			if worst = max(worst, took); took > bound {
				t.Errorf("%s: %v until all boards know", what, took)
			}
		}
		for i, names := range []model.NameMode{model.NamesFull, model.NamesInitials, model.NamesHidden, model.NamesFull} {
			<-time.After(2*time.Second + time.Duration(i)*330*time.Millisecond)
			v, err := s.hub.NewViewer(hub.Visibility{Names: names}, 0, 0)
			if err != nil {
				t.Fatal(err)
			}
			who := fmt.Sprintf("shift%d", i)
			if _, err := v.Acknowledge(v.Active()[0].ID, who, "on it", time.Now()); err != nil {
				t.Fatal(err)
			}
			hold("taken over where names are "+string(names), who, true)
			<-time.After(time.Duration(i) * 410 * time.Millisecond)
			v.Silencer().Snooze(alert.NewSnooze(v.Active(), "Sales Italy", who, time.Hour, time.Now()))
			hold("snoozed where names are "+string(names), "ilent", true)
			<-time.After(700 * time.Millisecond)
			v.Silencer().EndSnoozes(nil, time.Now())
			hold("heard again where names are "+string(names), "ilent", false)
		}
		t.Logf("at worst %v", worst)
		stop()
		all.Wait()
	})
}

// TestActedOften takes alerts over a hundred times a second: a board is drawn at most five
// times a second.
func TestActedOften(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		var all sync.WaitGroup
		s := newServedBoards(ctx, t, &all)
		s.until(t, "Sales Italy", true)
		g := s.boards["ben"]
		frames := func(during func()) int {
			synctest.Wait()
			before := g.sent()
			during()
			synctest.Wait()
			return g.sent() - before
		}
		<-time.After(5 * time.Second)
		if n := frames(func() { <-time.After(20 * time.Second) }); n > 10 {
			t.Errorf("%d frames in 20 s in which nobody does anything", n)
		}
		v, err := s.hub.NewViewer(hub.Visibility{Names: model.NamesFull}, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		storm := frames(func() {
			for i := range 1000 {
				if _, err := v.Acknowledge(v.Active()[0].ID, fmt.Sprintf("shift%d", i), "", time.Now()); err != nil {
					t.Fatal(err)
				}
				<-time.After(10 * time.Millisecond)
			}
		})
		if storm < 40 || storm > 56 { // five frames a second, and the regular frames
			t.Errorf("%d frames in ten seconds", storm)
		}
		if took := s.until(t, "shift999", true); took > 500*time.Millisecond {
			t.Errorf("the last is seen after %v", took)
		}
		stop()
		all.Wait()
	})
}

// TestActedElsewhere checks that a take-over on a hidden platform appears on the page Sites
// at once.
func TestActedElsewhere(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var h *hub.Hub
		th, rome := newSites(t, func(_, rome *Options) {
			room := hub.NewRoom(nil)
			var err error
			if h, err = hub.New(hub.Options{
				Source: rome.Source, Names: testNames(), OnAction: room.NotifyAlertAction, Salt: "s",
				Engine: func(model.FloorPart) (*alert.Engine, error) {
					return alert.New(alert.Options{Rules: alert.DefaultRules(), Goal: alert.DefaultGoal(), Names: testNames()})
				},
			}); err != nil {
				t.Fatal(err)
			}
			v, err := h.NewViewer(hub.Visibility{Names: model.NamesFull}, 0, 0)
			if err != nil {
				t.Fatal(err)
			}
			rome.Source, rome.Alerts = v, v
			rome.OtherViewers.Member = room.Enter(hub.Participant{Name: "anna"})
		})
		ctx, stop := context.WithCancel(t.Context())
		var all sync.WaitGroup
		all.Go(func() { h.Run(ctx) })
		th.press("f2")
		rome.show(th, 500)
		th.shows("Rome ▲ 1")
		th.pass(300 * time.Millisecond)
		v, err := h.NewViewer(hub.Visibility{Names: model.NamesFull}, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := v.Acknowledge(v.Active()[0].ID, "shift1", "", time.Now()); err != nil {
			t.Fatal(err)
		}
		th.pass(time.Millisecond)
		th.hides("Rome ▲ 1")
		th.shows("shift1")
		stop()
		all.Wait()
	})
}
