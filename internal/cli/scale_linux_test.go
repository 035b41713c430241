package cli

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"wallboard/internal/lib/testkit"
)

// floorGoal describes the goals for a floor.
type floorGoal struct {
	agents, updates int           // updates of agents' figures per second
	start, heal     time.Duration // time until LIVE is shown, after the start and after a cut
	resident, core  float64       // maximum memory in MiB, and maximum share of one core
}

// TestScaleOfTheProgram checks the goals of the whole program on large floors, with program
// and platform in separate processes. It counts CPU time and needs an idle machine for some
// minutes:
//
//	SCALE=2m go test ./internal/cli -run ScaleOfTheProgram -v -timeout 30m
func TestScaleOfTheProgram(t *testing.T) { //nolint:paralleltest // it measures
	long, err := time.ParseDuration(os.Getenv("SCALE"))
	if err != nil {
		t.Skip("SCALE says for how long")
	}
	for _, goal := range []floorGoal{
		{5_000, 2_000, 10 * time.Second, 5 * time.Second, 150, 0.6},
		{20_000, 8_000, 20 * time.Second, 20 * time.Second, 450, 0.6},
	} {
		t.Run(fmt.Sprint(goal.agents), func(t *testing.T) { goal.holds(t, long) })
	}
}

// holds runs the program, cuts its connection, and runs it again.
func (goal *floorGoal) holds(t *testing.T, long time.Duration) {
	t.Helper()
	fo := platform(t, fmt.Sprintf("--agents %d --services 40 --groups 20 --channels 2 --drama=false --updates %d", goal.agents, goal.updates))
	wire := newCutter(t, fo.WSURL)
	began := time.Now()
	x := newTerminal(t, testkit.PrivateDir(t), "--config", configFile(t, fmt.Sprintf(
		"[ui]\ntheme = \"dark\"\npage = \"Agents\"\n[rtd]\nurl = %q\nws_url = %q\naccess_token = \"demo-token\"\n", fo.URL, wire.url)))
	pid := x.cmd.Process.Pid
	start := x.live(began)
	t.Logf("LIVE after %v, for %v of the processor", start, processorTime(t, pid))
	if start > goal.start {
		t.Errorf("LIVE after %v, want %v", start, goal.start)
	}
	before, began := processorTime(t, pid), time.Now()
	x.staysLive(long)
	cut, opened := time.Now(), wire.opened.Load()
	wire.cut()
	x.until("a new connection", func(string) bool { return wire.opened.Load() > opened })
	heal := x.live(cut)
	t.Logf("LIVE %v after a cut", heal)
	if heal > goal.heal {
		t.Errorf("LIVE %v after a cut, want %v", heal, goal.heal)
	}
	x.staysLive(long)
	core, most := float64(processorTime(t, pid)-before)/float64(time.Since(began)), mostResident(t, pid)
	t.Logf("%.0f MiB at most, %.0f %% of a core", most, 100*core)
	if most > goal.resident || core > goal.core {
		t.Errorf("%.0f MiB and %.0f %% of a core, want %.0f and %.0f at most", most, 100*core, goal.resident, 100*goal.core)
	}
}

// live waits for LIVE and returns the time since an instant.
func (x *testTerminal) live(since time.Time) time.Duration {
	x.t.Helper()
	x.until("LIVE", isLive)
	return time.Since(since)
}

// staysLive checks that LIVE stays on the screen for the duration.
func (x *testTerminal) staysLive(long time.Duration) {
	x.t.Helper()
	seen, live := 0, 0
	for began := time.Now(); time.Since(began) < long; {
		<-time.After(100 * time.Millisecond)
		screen := x.text()
		if seen++; isLive(screen) {
			live++
		} else if seen-live == 1 {
			x.t.Logf("LIVE went after %v:\n%s", time.Since(began), screen)
		}
	}
	x.t.Logf("LIVE at %d of %d looks", live, seen)
	if live < seen {
		x.t.Errorf("LIVE at %d of %d looks", live, seen)
	}
}

// cutter is a connection between program and platform that can be cut.
type cutter struct {
	url    string
	opened atomic.Int64 // number of connections until now

	mu    sync.Mutex
	conns []net.Conn
}

func newCutter(t *testing.T, wsURL string) *cutter {
	t.Helper()
	to, err := url.Parse(wsURL)
	if err != nil {
		t.Fatal(err)
	}
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c, platform := &cutter{}, to.Host
	t.Cleanup(func() { _ = l.Close(); c.cut() })
	go func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			far, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", platform)
			if err != nil {
				_ = near.Close()
				continue
			}
			c.mu.Lock()
			c.conns = append(c.conns, near, far)
			c.mu.Unlock()
			c.opened.Add(1)
			go func() { _, _ = io.Copy(near, far); _ = near.Close() }()
			go func() { _, _ = io.Copy(far, near); _ = far.Close() }()
		}
	}()
	to.Host = l.Addr().String()
	c.url = to.String()
	return c
}

// cut ends every connection.
func (c *cutter) cut() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, conn := range c.conns {
		_ = conn.Close()
	}
	c.conns = nil
}

// mostResident returns the peak memory of a process in MiB.
func mostResident(t *testing.T, pid int) float64 { return resident(t, pid, "VmHWM") }

// resident returns a memory figure of a process in MiB.
func resident(t *testing.T, pid int, what string) float64 {
	t.Helper()
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := bytes.Cut(b, []byte(what+":"))
	var kb float64
	if _, err := fmt.Sscan(string(rest), &kb); err != nil {
		t.Fatal(err)
	}
	return kb / 1024
}

// processorTime returns the CPU time of a process, to 10 ms.
func processorTime(t *testing.T, pid int) time.Duration {
	t.Helper()
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := bytes.Cut(b, []byte(") "))
	fields := bytes.Fields(rest)
	var user, system int
	if _, err := fmt.Sscan(string(bytes.Join(fields[11:13], []byte(" "))), &user, &system); err != nil {
		t.Fatal(err)
	}
	return time.Duration(user+system) * 10 * time.Millisecond
}
