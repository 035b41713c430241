package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"wallboard/internal/app"
	"wallboard/internal/config"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/record"
	"wallboard/internal/simulator/demo"
	"wallboard/internal/simulator/world"
)

// dearest is the tolerated delay of live frames by replays, in 99 of 100 cases. It is the time to draw
// one frame.
const dearest = 10 * time.Millisecond

// TestRewindersCostNobody measures delayed and missing frames of live viewers while eight other viewers
// replay a recorded day at 600 times the speed or hold down keys.
//
//	SERVE_REWOUND=20 go test ./internal/cli -run RewindersCostNobody -v
func TestRewindersCostNobody(t *testing.T) { //nolint:paralleltest // it measures
	viewers, err := strconv.Atoi(os.Getenv("SERVE_REWOUND"))
	if err != nil {
		t.Skip("SERVE_REWOUND says how many look at what is")
	}
	for _, floor := range []struct {
		name, platform string
		agents         int
	}{{"60", "--agents 60", 60}, {"5000", large, 5000}} {
		t.Run(floor.name, func(t *testing.T) { costOfRewinding(t, floor.platform, floor.agents, viewers) }) //nolint:paralleltest // it measures
	}
}

func costOfRewinding(t *testing.T, platformArgs string, agents, viewers int) {
	t.Helper()
	fo := platform(t, platformArgs)
	rtd := config.RTD{URL: fo.URL}
	dir, morning := testkit.PrivateDir(t), lateMorning(time.Now().Add(-12*time.Hour))
	day := world.Options{Seed: 1, Agents: agents, Start: morning.Add(7 * time.Hour), WholeDay: true}
	if _, err := record.WriteSnapshots(dir, record.Metadata{Names: "full", Platform: rtd.RecordingPlatform()}, demo.NewPastDay(day).Snapshots(t.Context(), day.Start.Add(-8*time.Hour), demo.SnapshotInterval)); err != nil {
		t.Fatal(err)
	}
	key := sshKey(t)
	x := measureServerOn(t, fo, "", serveUser("anna", key, "page = \"Agents\"\nsessions = 200"), fmt.Sprintf("[record]\nenabled = true\ndir = %q\n", dir))
	x.settle()
	var punctual []*punctuality
	var clients []*client
	for range viewers {
		p := new(punctuality)
		punctual = append(punctual, p)
		clients = append(clients, &client{key: key, width: 200, height: 60, got: p.note})
	}
	x.crowd(clients)
	<-time.After(10 * time.Second)
	var rewinders []*rewinder
	for range app.MaxReplays {
		rewinders = append(rewinders, rewinds(t, x, key))
	}
	<-time.After(5 * time.Second)
	const long = 15 * time.Second
	measure := func(what string) (late lateness) {
		for _, p := range punctual {
			p.begin()
		}
		x.ask("begin")
		core := x.core(long)
		x.ask("end")
		late = latenessOf(punctual, int(long/time.Second))
		t.Logf("%s: a frame comes %v after its time, %v in 99 of 100 cases, %d of %d do not; the server takes %.0f %% of a core, %.0f MiB",
			what, late.middle, late.most, late.missed, viewers*int(long/time.Second), core, resident(t, x.pid, "VmRSS"))
		return late
	}
	for _, p := range punctual {
		p.base = -1
	}
	quiet := measure("nobody rewinds")
	hold := func(what string, keys string, every time.Duration, of []*rewinder) {
		for _, r := range of {
			r.press(fmt.Sprintf("Z:back %dm\r", int(time.Since(morning).Minutes())))
		}
		<-time.After(3 * time.Second)
		for _, r := range of {
			r.holds(keys, every)
		}
		late := measure(what)
		for _, r := range of {
			r.lets()
			r.press("Z")
			if !r.rewound.Swap(false) {
				t.Errorf("%s: the recording was not shown", what)
			}
		}
		if late.most > quiet.most+dearest || late.missed > quiet.missed {
			t.Errorf("the goal is missed: at most %v more, and no frame less, is the goal", dearest)
		}
		<-time.After(3 * time.Second)
	}
	hold("one plays at 600 times", strings.Repeat("+", 9), 0, rewinders[:1])
	hold("one holds a key, on", ".", 33*time.Millisecond, rewinders[:1])
	hold("one holds a key, five minutes on and back", strings.Repeat("}", 100)+strings.Repeat("{", 100), 33*time.Millisecond, rewinders[:1])
	hold("eight play at 600 times", strings.Repeat("+", 9), 0, rewinders)
	hold("eight hold a key, on", ".", 33*time.Millisecond, rewinders)
}

// lateMorning returns the latest busy time before an instant.
func lateMorning(before time.Time) time.Time {
	y, m, d := before.Date()
	at := time.Date(y, m, d, 11, 0, 0, 0, before.Location())
	if at.After(before) {
		at = at.AddDate(0, 0, -1)
	}
	return at
}

// settle waits until a server has read its recording, which takes a core and a minute or
// more on a large floor.
func (x *measuredServer) settle() {
	x.t.Helper()
	const reads, longest = 50, 5 * time.Minute
	for end := time.Now().Add(longest); x.core(5*time.Second) > reads; {
		if time.Now().After(end) {
			x.t.Fatal("the server still reads the recording")
		}
	}
}

// punctuality records the times at which a viewer's frames arrive, since the full second.
type punctuality struct {
	mu     sync.Mutex
	last   time.Time
	frames []time.Duration
	base   time.Duration // time at which frames arrive at the earliest; negative: not known yet
}

// note records the first piece of a frame.
func (p *punctuality) note(_ int, at time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if at.Sub(p.last) > 300*time.Millisecond {
		p.frames = append(p.frames, at.Sub(at.Truncate(time.Second)))
	}
	p.last = at
}

func (p *punctuality) begin() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.frames = nil
}

// lateness is the delay of frames and the number of missing ones.
type lateness struct {
	middle, most time.Duration
	missed       int
}

func latenessOf(all []*punctuality, seconds int) (l lateness) {
	var late []time.Duration
	for _, p := range all {
		p.mu.Lock()
		if p.base < 0 && len(p.frames) > 0 {
			p.base = slices.Min(p.frames)
		}
		for _, f := range p.frames {
			const early = 100 * time.Millisecond
			late = append(late, (f-p.base+time.Second+early)%time.Second-early)
		}
		l.missed += max(seconds-len(p.frames), 0)
		p.mu.Unlock()
	}
	if len(late) == 0 {
		return l
	}
	slices.Sort(late)
	l.middle, l.most = late[len(late)/2].Round(100*time.Microsecond), inMost(late).Round(100*time.Microsecond)
	return l
}

// rewinder is a viewer of a replay.
type rewinder struct {
	keys    io.Writer
	rewound atomic.Bool // the replay has been on the screen
	stop    chan struct{}
	over    sync.WaitGroup
}

func rewinds(t *testing.T, x *measuredServer, key ssh.Signer) *rewinder {
	t.Helper()
	r := new(rewinder)
	c := &client{key: key, width: 200, height: 60, got: func(int, time.Time) {}}
	c.saw = func(b []byte) {
		if bytes.Contains(b, []byte("REWOUND")) {
			r.rewound.Store(true)
		}
	}
	if err := c.look(t.Context(), x.addr); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.conn.Close() })
	r.keys = c.keys
	return r
}

func (r *rewinder) press(keys string) { _, _ = io.WriteString(r.keys, keys) }

// holds presses keys repeatedly, or once if every is 0.
func (r *rewinder) holds(keys string, every time.Duration) {
	r.stop = make(chan struct{})
	if r.press(keys); every == 0 {
		return
	}
	r.over.Go(func() {
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			for _, k := range keys {
				select {
				case <-r.stop:
					return
				case <-tick.C:
					r.press(string(k))
				}
			}
		}
	})
}

func (r *rewinder) lets() { close(r.stop); r.over.Wait() }
