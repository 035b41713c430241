package cli

import (
	"bufio"
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/feeds"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/lib/powersave"
	"wallboard/internal/lib/secret"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/report/headless"
	"wallboard/internal/simulator/webservice"
	"wallboard/model"
	"wallboard/ui"
	"wallboard/ui/term"
)

// platformEnv makes the test binary a simulated platform, so that its CPU time is not
// counted as the board's.
const platformEnv = "WALLBOARD_TEST_PLATFORM"

// exampleEnv passes config.example.toml to the test binary, which does not embed it.
const exampleEnv = "WALLBOARD_TEST_EXAMPLE"

func TestMain(m *testing.M) {
	_ = os.Setenv("LC_ALL", "C.UTF-8") // tests expect English
	if args := os.Getenv(platformEnv); args != "" {
		if strings.HasPrefix(args, "serve") {
			go answerTest()
		}
		os.Exit(Run(context.Background(), strings.Fields(args), cmdutil.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Example: os.Getenv(exampleEnv)})) //nolint:forbidigo // tests compare the exit code
	}
	testkit.UsePrivateMounts()
	if signal.Ignored(syscall.SIGHUP) { // programs that the tests start would ignore it, too
		signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	}
	testkit.StartSignalHandling()
	quicken()
	testkit.RunInHome(m)
}

// quicken runs many tests in parallel, unless configured otherwise: most wait for a
// process, a socket or a clock. The garbage collector runs rarely, except in measurements.
func quicken() {
	flag.Parse()
	said := false
	flag.Visit(func(f *flag.Flag) { said = said || f.Name == "test.parallel" })
	if !said {
		atOnce := "32"
		if testkit.Race {
			atOnce = "8" // with the race detector, the tests compute rather than wait
		}
		if err := flag.Set("test.parallel", atOnce); err != nil {
			panic(err)
		}
	}
	if os.Getenv("GOGC") == "" && flag.Lookup("test.bench").Value.String() == "" {
		debug.SetGCPercent(400)                          // many simulated platforms at once need more memory than one board
		if err := os.Setenv("GOGC", "400"); err != nil { // a board in this process would change it otherwise
			panic(err)
		}
	}
}

// working limits the number of synctest bubbles that compute at once. More bubbles would delay tests that
// use the real clock.
var working = make(chan struct{}, runtime.GOMAXPROCS(0))

// bubble is synctest.Test for a test that computes all the time.
func bubble(t *testing.T, test func(*testing.T)) {
	t.Helper()
	working <- struct{}{}
	defer func() { <-working }()
	synctest.Test(t, test)
}

// platform starts a simulated platform in a separate process and returns the options for
// it.
func platform(tb testing.TB, args string) feeds.Options {
	tb.Helper()
	cmd := exec.CommandContext(tb.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), platformEnv+"=simulator --addr 127.0.0.1:0 "+args)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		tb.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	o := feeds.Options{Campaigns: []int64{301, 302, 303, 304, 305}, Credentials: feeds.Credentials{
		AccessToken: secret.New(webservice.DefaultAccount().Token),
	}}
	lines := bufio.NewScanner(out)
	for o.WSURL == "" && lines.Scan() {
		_, _ = fmt.Sscanf(lines.Text(), "url = %q", &o.URL)
		_, _ = fmt.Sscanf(lines.Text(), "ws_url = %q", &o.WSURL)
	}
	if o.WSURL == "" {
		tb.Fatal("the platform did not start")
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	return o
}

// probe measures the latency from the socket to the terminal. Data read before a snapshot
// was published is on the screen when its frame has been written or found unchanged.
type probe struct {
	mu      sync.Mutex
	on      bool
	reads   []time.Time // times of reads whose data is not on the screen yet
	pub     []published
	taken   uint64 // sequence number of the newest snapshot of the model
	seen    uint64 // sequence number of the newest snapshot in a frame
	frame   []byte
	written bool // the frame has been written
	delays  []time.Duration
	bytes   int
	writes  int
}

type published struct {
	seq  uint64
	upTo int // number of reads that the snapshot contains
}

func (p *probe) read() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.on {
		p.reads = append(p.reads, time.Now())
	}
}

// shown records that the pending data is on the screen.
func (p *probe) shown(now time.Time) {
	upTo := 0
	for len(p.pub) > 0 && p.pub[0].seq <= p.seen {
		upTo = p.pub[0].upTo
		p.pub = p.pub[1:]
	}
	for _, at := range p.reads[:upTo] {
		p.delays = append(p.delays, now.Sub(at))
	}
	p.reads = p.reads[upTo:]
	for i := range p.pub {
		p.pub[i].upTo -= upTo
	}
}

// Write implements io.Writer for the terminal.
func (p *probe) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bytes += len(b)
	p.writes++
	if p.on {
		p.written = true
		p.shown(time.Now())
	}
	return len(b), nil
}

// probedConn records when data is read from the socket.
type probedConn struct {
	net.Conn
	p *probe
}

func (c *probedConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if n > 0 {
		c.p.read()
	}
	return n, err
}

// probedSource records when snapshots are published.
type probedSource struct {
	*feeds.Feed
	p *probe
}

func (s *probedSource) Wait(ctx context.Context, after uint64) (*model.Snapshot, error) {
	snap, err := s.Feed.Wait(ctx, after)
	if err == nil {
		s.p.mu.Lock()
		if s.p.on {
			s.p.pub = append(s.p.pub, published{snap.Seq, len(s.p.reads)})
		}
		s.p.mu.Unlock()
	}
	return snap, err
}

// probedModel records the snapshot of each frame.
type probedModel struct {
	*ui.Model
	p *probe
}

func (m *probedModel) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if _, ok := msg.(ui.SnapshotMsg); ok { // the model takes the newest published snapshot
		m.p.mu.Lock()
		if m.p.on && len(m.p.pub) > 0 {
			m.p.taken = m.p.pub[len(m.p.pub)-1].seq
		}
		m.p.mu.Unlock()
	}
	_, cmd := m.Model.Update(msg)
	return m, cmd
}

// Frame implements [term.Model].
func (m *probedModel) Frame() []byte {
	frame := m.Model.Frame()
	m.p.mu.Lock()
	defer m.p.mu.Unlock()
	same := bytes.Equal(frame, m.p.frame)
	if m.p.on {
		m.p.seen = m.p.taken
		if same && m.p.written {
			m.p.shown(time.Now()) // nothing to write: the frame is already on the screen
		}
	}
	if !same {
		m.p.frame, m.p.written = append(m.p.frame[:0], frame...), false
	}
	return frame
}

// peakRSS returns the peak memory of the process in MiB.
func peakRSS(tb testing.TB) float64 {
	tb.Helper()
	b, err := os.ReadFile("/proc/self/status")
	if err != nil {
		tb.Skip("no /proc")
	}
	_, rest, _ := bytes.Cut(b, []byte("VmHWM:"))
	var kb float64
	if _, err := fmt.Sscan(string(rest), &kb); err != nil {
		tb.Fatal(err)
	}
	return kb / 1024
}

// runBoard runs a board on a platform for a while after it has settled, and returns the
// measurements and its share of a core.
func runBoard(b *testing.B, fo feeds.Options, page string, live, d time.Duration) (*probe, float64) {
	b.Helper()
	powersave.AvoidEarlyCollections(powersave.BoardGCPercent)
	p := &probe{}
	fo.DialContext = func(ctx context.Context, network, addr string) (net.Conn, error) {
		c, err := (&net.Dialer{}).DialContext(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		return &probedConn{Conn: c, p: p}, nil
	}
	feed, err := feeds.New(fo)
	if err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(b.Context())
	done := make(chan struct{}, 2)
	go func() { _ = feed.Run(ctx); done <- struct{}{} }()
	m := ui.New(ui.Options{Source: &probedSource{feed, p}, Context: ctx, Display: ui.Display{Flash: true}, Navigation: ui.Navigation{StartPage: page}})
	go func() {
		err := term.Run(ctx, &probedModel{Model: m, p: p}, term.Terminal{Out: p}, tea.WithInput(nil),
			tea.WithWindowSize(200, 60), tea.WithoutSignalHandler(),
			tea.WithEnvironment([]string{"TERM=xterm-256color", "COLORTERM=truecolor"}))
		if err != nil {
			b.Error(err)
		}
		done <- struct{}{}
	}()
	deadline := time.Now().Add(live)
	for s := feed.Latest(); s == nil || !s.Health.Live(); s = feed.Latest() {
		if time.Now().After(deadline) {
			b.Fatalf("not live: %v", headless.CheckLive(feed.Latest()))
		}
		<-time.After(100 * time.Millisecond)
	}
	<-time.After(2 * time.Second) // until changes of the first snapshot no longer flash
	p.mu.Lock()
	p.on, p.bytes, p.writes = true, 0, 0
	p.mu.Unlock()
	before, began := testkit.ProcessCPUTime(b), time.Now()
	<-time.After(d)
	share := float64(testkit.ProcessCPUTime(b)-before) / float64(time.Since(began))
	p.mu.Lock()
	p.on = false
	p.mu.Unlock()
	cancel()
	<-done
	<-done
	return p, share
}

// measured is the duration of a measurement, shorter in a smoke run.
func measured(b *testing.B, d time.Duration) time.Duration {
	b.Helper()
	if b.N == 1 && testing.Short() {
		return 3 * time.Second
	}
	return d
}

// BenchmarkSocketToFrame measures the latency from the socket to the terminal and the
// resources of the process, with 2,000 updates per second on a floor of 5,000 agents. It
// measures for a fixed time, regardless of b.N.
func BenchmarkSocketToFrame(b *testing.B) {
	for _, c := range []struct{ name, args string }{
		{"batched", "--updates 2000 --tick 50ms"},
		{"one-per-message", "--updates 2000 --tick 50ms --per-message 1"},
	} {
		b.Run(c.name, func(b *testing.B) {
			fo := platform(b, "--agents 5000 --services 40 --groups 20 --drama=false "+c.args)
			d := measured(b, time.Minute) // includes a complete audit, and agents who log in and out
			p, share := runBoard(b, fo, "Agents", time.Minute, d)
			if len(p.delays) == 0 {
				b.Fatal("nothing was measured")
			}
			slices.Sort(p.delays)
			at := func(q float64) float64 {
				return float64(p.delays[int(q*float64(len(p.delays)-1))].Microseconds()) / 1000
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(at(0.5), "p50-ms")
			b.ReportMetric(at(0.99), "p99-ms")
			b.ReportMetric(100*share, "%core")
			b.ReportMetric(peakRSS(b), "MiB-peak")
			b.ReportMetric(float64(len(p.delays))/d.Seconds(), "reads/s")
			b.ReportMetric(float64(p.writes)/d.Seconds(), "writes/s")
		})
	}
}

// BenchmarkIdle compares a board on a frozen floor with tickers of the same rates. Only the
// clock may be written, once a second.
func BenchmarkIdle(b *testing.B) {
	var base, share float64
	d := measured(b, 15*time.Second)
	b.Run("tickers", func(b *testing.B) {
		frames := time.NewTicker(time.Second / term.FPS)
		publish := time.NewTicker(100 * time.Millisecond)
		clock := time.NewTicker(time.Second)
		stop := time.After(d)
		before, began := testkit.ProcessCPUTime(b), time.Now()
		for done := false; !done; {
			select {
			case <-frames.C:
			case <-publish.C:
			case <-clock.C:
			case <-stop:
				done = true
			}
		}
		base = float64(testkit.ProcessCPUTime(b)-before) / float64(time.Since(began))
		b.ReportMetric(0, "ns/op")
		b.ReportMetric(100*base, "%core")
	})
	b.Run("board", func(b *testing.B) {
		p, s := runBoard(b, platform(b, "--rate 0.000001 --drama=false --speed 0.000001"), "Agents", 30*time.Second, d)
		share = s
		b.ReportMetric(0, "ns/op")
		b.ReportMetric(100*share, "%core")
		b.ReportMetric(share/base, "x-tickers")
		b.ReportMetric(float64(p.writes)/d.Seconds(), "writes/s")
		b.ReportMetric(float64(p.bytes)/d.Seconds(), "bytes/s")
	})
}

// BenchmarkBoard measures the CPU usage on a floor of sixty agents on the busiest page. The
// goal is one per cent of a core; it fails above two, to tolerate a busy machine.
func BenchmarkBoard(b *testing.B) {
	const most = 0.02
	p, share := runBoard(b, platform(b, "--drama=false"), "Overview", 30*time.Second, measured(b, 15*time.Second))
	if share > most*testkit.GoalFactor() {
		b.Errorf("the board takes %.2f %% of a core", 100*share)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(100*share, "%core")
	b.ReportMetric(float64(p.bytes)/measured(b, 15*time.Second).Seconds(), "bytes/s")
}
