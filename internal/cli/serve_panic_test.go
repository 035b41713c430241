package cli

import (
	"context"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/internal/app"
	"wallboard/internal/config"
	"wallboard/internal/hub"
	"wallboard/internal/lib/terminal"
	"wallboard/internal/simulator"
	"wallboard/internal/simulator/world"
	"wallboard/model"
	"wallboard/ui"
	"wallboard/ui/alerts"
	uilook "wallboard/ui/style"
	"wallboard/ui/term"
)

// TestPanicOfAServedBoard lets boards panic while drawing and evaluating: another board
// that shares everything continues.
func TestPanicOfAServedBoard(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		r := newRig(t, simulator.Options{World: world.Options{Seed: 4, Services: 4, Agents: 12, Drama: true}}, nil)
		defer r.stop()
		r.until(time.Minute, func(s *model.Snapshot) bool { return s.Health.Live() && s.UserStats.Len() > 0 })
		c := config.Default()
		ctx, cancel := context.WithCancel(t.Context())
		var all sync.WaitGroup
		defer all.Wait()
		defer cancel()
		h := r.hub(ctx, &c, &all)
		strips, family := term.NewRowCache(), new(uilook.LookCaches)
		var armed atomic.Bool
		serve := func(change func(*ui.Options)) (w *witness, ended chan error) {
			v, err := h.NewViewer(hub.Visibility{Names: model.NamesFull}, time.Second, 0)
			if err != nil {
				t.Fatal(err)
			}
			o, err := app.ViewerOptions(&c, &config.ServeUser{Name: "anna"}, v, []string{"LANG=C.UTF-8"})
			if err != nil {
				t.Fatal(err)
			}
			o.Process.SharedCaches = family.ForView(&c, "full")
			change(&o)
			in, typed := io.Pipe()
			w, ended = &witness{screen: terminal.NewScreen(120, 40)}, make(chan error, 1)
			all.Go(func() {
				ended <- ui.Serve(ctx, o, term.Viewer{
					In: in, Out: w, Env: []string{"TERM=xterm-256color", "LANG=C.UTF-8"}, Size: term.Size{Width: 120, Height: 40}, Shared: strips,
				})
				_ = typed.Close()
			})
			return w, ended
		}
		other, _ := serve(func(*ui.Options) {})
		breaks := func() string {
			if armed.Load() {
				panic("a fault of the test")
			}
			return ""
		}
		_, drawing := serve(func(o *ui.Options) { o.Process.ProblemText = breaks })
		_, judging := serve(func(o *ui.Options) { o.Alerts = brittle{o.Alerts, breaks} })
		pass(5 * time.Second)
		armed.Store(true)
		for _, ended := range []chan error{drawing, judging} {
			if err := <-ended; err == nil || !strings.Contains(err.Error(), "a fault of the test") {
				t.Errorf("the board ended with %v", err)
			}
		}
		other.mu.Lock()
		before := other.frames
		other.mu.Unlock()
		pass(10 * time.Second)
		other.mu.Lock()
		defer other.mu.Unlock()
		if n := other.frames - before; n < 5 { // normally one frame per second, fewer on a busy machine
			t.Errorf("the other board was drawn %d times in ten seconds", n)
		}
	})
}

// brittle is an engine that panics while it computes shared data.
type brittle struct {
	alerts.Engine

	breaks func() string
}

func (b brittle) CachedResult(fresh bool, made func(active, ended []alert.Alert, view *situation.View, before any) any) (any, *situation.View, *model.Snapshot) {
	return b.Engine.CachedResult(fresh, func(active, ended []alert.Alert, view *situation.View, before any) any {
		_ = b.breaks()
		return made(active, ended, view, before)
	})
}
