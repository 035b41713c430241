// Command benchmarks compares Wallboard with other libraries. It is in its own module, because
// Wallboard must not depend on them.
//
// The program serves the board over SSH like a typical program based on the library wish: each viewer
// has their own Bubble Tea program, renderer and alert engine. It is the baseline for measurements of
// `wallboard serve` (make served-baseline). It accepts every connection without authentication.
//
// The tests compare the recordings of a simulated floor with the same data in SQLite: size, cost of
// writing, and time to find an instant (make recording-baseline).
//
// wish PLATFORM-URL WEBSOCKET-URL TOKEN PAGE
package main

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/ssh"
	"charm.land/wish/v2"
	"charm.land/wish/v2/bubbletea"

	"wallboard/feeds"
	"wallboard/internal/alert"
	"wallboard/internal/hub"
	"wallboard/internal/lib/secret"
	"wallboard/model"
	"wallboard/ui"
)

func main() {
	if len(os.Args) != 5 {
		fmt.Fprintln(os.Stderr, "wish PLATFORM-URL WEBSOCKET-URL TOKEN PAGE")
		os.Exit(2)
	}
	debug.SetGCPercent(50) // same setting as `wallboard serve`
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	feed, err := feeds.New(feeds.Options{
		URL: args[0], WSURL: args[1], Credentials: feeds.Credentials{AccessToken: secret.New(args[2])}, Campaigns: []int64{301, 302, 303, 304, 305},
	})
	if err != nil {
		return err
	}
	go func() { _ = feed.Run(ctx) }()
	pace, err := hub.New(hub.Options{Source: feed, Engine: newEngine})
	if err != nil {
		return err
	}
	board := func(s ssh.Session) (tea.Model, []tea.ProgramOption) {
		// Use the hub only to limit the rate to one snapshot per second, as `wallboard serve` does.
		v, err := pace.NewViewer(hub.Visibility{Names: model.NamesFull}, time.Second, rand.N(200*time.Millisecond))
		if err != nil {
			wish.Fatalln(s, err)
			return nil, nil
		}
		own, err := hub.NewPrivateViewer(hub.Options{Engine: newEngine})
		if err != nil {
			wish.Fatalln(s, err)
			return nil, nil
		}
		return fullFrameBoard{ui.New(ui.Options{
			Source: v, Alerts: own, Context: s.Context(), Navigation: ui.Navigation{StartPage: args[3]}, Display: ui.Display{Flash: true},
		})}, nil
	}
	server, err := wish.NewServer(
		wish.WithHostKeyPath(filepath.Join(os.TempDir(), "wallboard-wish-host")),
		wish.WithPublicKeyAuth(func(ssh.Context, ssh.PublicKey) bool { return true }),
		wish.WithMiddleware(bubbletea.Middleware(board)),
	)
	if err != nil {
		return err
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Printf("the board is at %s, nobody is asked for a key\n", l.Addr())
	go answerRequests()
	go func() { <-ctx.Done(); _ = server.Close() }()
	if err := server.Serve(l); err != nil && ctx.Err() == nil {
		return err
	}
	return nil
}

func newEngine(model.FloorPart) (*alert.Engine, error) {
	return alert.New(alert.Options{Rules: alert.DefaultRules(), Goal: alert.DefaultGoal()})
}

// fullFrameBoard is a board whose View method returns the whole frame, as Bubble Tea's renderer
// expects.
type fullFrameBoard struct{ *ui.Model }

func (w fullFrameBoard) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	_, cmd := w.Model.Update(msg)
	return w, cmd
}

func (w fullFrameBoard) View() tea.View {
	v := w.Model.View()
	v.Content = string(w.Frame())
	return v
}

// answerRequests answers the requests on standard input. For "count" it prints the number of
// goroutines and the bytes of the heap in use.
func answerRequests() {
	for asked := bufio.NewScanner(os.Stdin); asked.Scan(); {
		if asked.Text() != "count" {
			fmt.Println("done")
			continue
		}
		var m runtime.MemStats
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&m)
		fmt.Println(runtime.NumGoroutine(), m.HeapAlloc)
	}
}
