package cli

import (
	"bytes"
	"context"
	"io"
	"math"
	"net"
	"os"
	"regexp"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/feeds"
	"wallboard/internal/app"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/config"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/simulator"
	"wallboard/internal/simulator/world"
	"wallboard/model"
	"wallboard/ui"
)

// TestKioskForADay runs a kiosk on a platform whose connections are cut every few minutes.
// Goroutines and memory must not grow, and the platform may receive only reads. KIOSK_HOURS
// is the duration after the first hour; a whole day takes minutes.
func TestKioskForADay(t *testing.T) { //nolint:paralleltest // it counts the goroutines and the memory of the process
	hours := 1
	if n, err := strconv.Atoi(os.Getenv("KIOSK_HOURS")); err == nil {
		hours = n
	} else if testing.Short() || testkit.Race {
		t.Skip("it takes a while")
	}
	const (
		calm = 2 * time.Minute // connections that were cut recover before the measurement
		warm = 8
	)
	bubble(t, func(t *testing.T) {
		var asked reads
		var beats atomic.Int64
		r := newRig(t, simulator.Options{
			Tick: time.Second, World: world.Options{Services: 4, Groups: 3, Agents: 20, Operators: 2, Campaigns: 2, Sites: 1, MaxFinished: 100},
		}, func(o *feeds.Options) { o.DialContext, o.Publish.Every = asked.watch(o.DialContext), time.Second })
		defer r.stop()
		c := config.Default()
		c.Kiosk.Enabled, c.Kiosk.Quit = true, "ctrl+alt+q"
		shared, viewer := lookedAt(t, &commandSetup{Setup: &cmdutil.Setup{}, env: app.Environment{Simulated: true}}, &c, r.feed)
		defer shared.Close()
		o, err := app.UIOptions(&c, viewer)
		if err != nil {
			t.Fatal(err)
		}
		o.Source, o.Display.Output, o.Process.Heartbeat = viewer, io.Discard, func() { beats.Add(1) }
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go shared.Hub.Run(ctx)
		go func() {
			ended <- ui.Run(ctx, o, tea.WithInput(nil), tea.WithoutRenderer(),
				tea.WithoutSignalHandler(), tea.WithWindowSize(120, 40))
		}()

		const cut = 7 * time.Minute
		began := time.Now()
		next := began.Add(cut)
		heap, goroutines := make([]float64, 0, hours+1), make(map[int]int) // goroutines by the number of live subscriptions
		for h := range hours + 1 {
			for quiet := began.Add(time.Duration(h+1)*time.Hour - calm); time.Now().Before(quiet); {
				pass(min(time.Until(quiet), time.Until(next)))
				if !time.Now().Before(next) {
					r.srv.Faults().DropSockets(0)
					next = time.Now().Add(cut)
				}
			}
			r.srv.Pause() // so that no requests are running and no changes flash
			pass(calm)
			n := quietest()
			if soon := time.Now().Add(time.Second); next.Before(soon) {
				next = soon
			}
			live := 0 // fewer at night, when no agent is logged in
			for _, sub := range r.feed.Latest().Health.Subscriptions {
				if sub.State == model.SubLive {
					live++
				}
			}
			if before, ok := goroutines[live]; ok && before != n {
				t.Errorf("%d goroutines after hour %d, %d before, of %d subscriptions", n, h+1, before, live)
			}
			goroutines[live] = n
			heap = append(heap, used())
			t.Logf("hour %d: %.2f MB, %d goroutines, %d subscriptions, %d alerts that are over",
				h+1, heap[h]/1e6, n, live, len(o.Alerts.History()))
			r.srv.Resume()
		}
		if got, want := beats.Load(), int64(hours+1)*3600; got < want*99/100 {
			t.Errorf("%d beats in %d seconds", got, want)
		}
		if s := r.feed.Latest(); s == nil || s.Health.Link.Reconnects < uint64(hours)*5 {
			t.Error("the connections were not cut")
		}
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		// Until then the samples of a shift and ended alerts accumulate.
		if s := slope(heap[min(warm, len(heap)-1):]); s > 0.01 {
			t.Errorf("the memory grows by %.2f %% an hour: %v", 100*s, heap)
		} else {
			t.Logf("the memory changes by %.2f %% an hour", 100*s)
		}
		asked.check(t)
		if done := r.srv.REST().Executions(); len(done) > 0 {
			t.Errorf("the platform carried out %v", done)
		}
	})
}

// quietest returns the minimum number of goroutines within half a minute.
func quietest() int {
	least := math.MaxInt
	for range 30 { // at different parts of a second, because drawing waits for the full second
		pass(970 * time.Millisecond)
		synctest.Wait()
		least = min(least, runtime.NumGoroutine())
	}
	return least
}

// used returns the bytes in use.
func used() float64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // frees what finalizers held in the first run
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

// slope returns the relative slope of a least-squares fit.
func slope(values []float64) float64 {
	n := float64(len(values))
	if n < 2 {
		return 0
	}
	var x, y, xy, xx float64
	for i, v := range values {
		x, y, xy, xx = x+float64(i), y+v, xy+float64(i)*v, xx+float64(i)*float64(i)
	}
	return (n*xy - x*y) / (n*xx - x*x) / (y / n)
}

// reads records the requests of a client.
type reads struct {
	mu       sync.Mutex
	requests map[string]int // by method and path, such as "GET /rtd"
	kinds    map[string]int // by kind of operation: "query" or "subscription"
}

// watch returns a dial function whose connections are recorded.
func (r *reads) watch(dial func(context.Context, string, string) (net.Conn, error)) func(context.Context, string, string) (net.Conn, error) {
	r.requests, r.kinds = map[string]int{}, map[string]int{}
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		c, err := dial(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		return &watched{c, r}, nil
	}
}

type watched struct {
	net.Conn
	reads *reads
}

// Write records a request, or the operation of a WebSocket frame. The client writes one frame at a time.
func (w *watched) Write(p []byte) (int, error) {
	w.reads.note(p)
	return w.Conn.Write(p)
}

var (
	requestLine = regexp.MustCompile(`^([A-Z]+ /[^ ?]*)[^ ]* HTTP/1\.1\r\n`)
	operationOf = regexp.MustCompile(`"query":\s*"(?:\\n|\s)*(\w+|\{)`)
)

func (r *reads) note(p []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if m := requestLine.FindSubmatch(p); m != nil {
		r.requests[string(m[1])]++
	} else {
		p = unmasked(p)
	}
	for _, m := range operationOf.FindAllSubmatch(p, -1) {
		r.kinds[string(m[1])]++
	}
}

// unmasked returns the payload of a client's frame (RFC 6455, section 5.2).
func unmasked(p []byte) []byte {
	if len(p) < 6 || p[1]&0x80 == 0 {
		return p
	}
	at := map[byte]int{126: 4, 127: 10}[p[1]&0x7f]
	at = max(at, 2)
	if len(p) < at+4 {
		return p
	}
	mask, body := p[at:at+4], bytes.Clone(p[at+4:])
	for i := range body {
		body[i] ^= mask[i%4]
	}
	return body
}

func (r *reads) check(t *testing.T) {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	for request := range r.requests {
		if request != "GET /rtd" && request != "POST /rtd" && request != "HEAD /rtd" {
			t.Errorf("the platform was asked for %s", request)
		}
	}
	for kind := range r.kinds {
		if kind != "query" && kind != "subscription" {
			t.Errorf("the platform was asked for a %s", kind)
		}
	}
	if r.kinds["subscription"] == 0 || r.kinds["query"] == 0 {
		t.Errorf("no operation was seen: %v, %v", r.requests, r.kinds)
	}
}
