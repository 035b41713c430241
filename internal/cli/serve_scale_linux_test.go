package cli

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"
)

// servedGoal describes the goals of a server with many SSH clients that have terminals of 200x60 and show
// the page Agents.
type servedGoal struct {
	name, platform, serve string
	core, resident        float64       // at most, in percent of a core and MiB
	last                  time.Duration // time until the last viewer has the frame of a second, in 99 of 100 cases; 0: no goal
	deaf                  int           // viewers of a hundred who read nothing
	mixed                 bool          // pages, sizes, themes and names differ
}

// large is a floor with 2,000 changed agent figures per second.
const large = "--agents 5000 --services 40 --groups 20 --channels 2 --drama=false --updates 2000"

func servedGoals() []servedGoal {
	return []servedGoal{
		{name: "S1", platform: "--agents 60", core: 25, resident: 350, last: 250 * time.Millisecond},
		{name: "S2", platform: large, core: 100, resident: 1024},
		{name: "S3", platform: "--agents 60", serve: "every = \"100ms\"", core: 150, resident: 700},
		{name: "S6", platform: "--agents 60", core: 25, resident: 350, last: 250 * time.Millisecond, deaf: 10},
		{name: "Mix", platform: "--agents 60", core: 60, resident: 700, mixed: true},
	}
}

// TestManyViewers measures the CPU time of a server with many viewers; server, platform and
// clients are separate processes. It reports the goals without failing on a busy machine.
//
//	SERVE_VIEWERS=500 go test ./internal/cli -run ManyViewers -v -timeout 30m
func TestManyViewers(t *testing.T) { //nolint:paralleltest // it measures
	viewers, err := strconv.Atoi(os.Getenv("SERVE_VIEWERS"))
	if err != nil {
		t.Skip("SERVE_VIEWERS says how many")
	}
	for _, goal := range servedGoals() {
		t.Run(goal.name, func(t *testing.T) { goal.measure(t, viewers) }) //nolint:paralleltest // it measures
	}
}

// crowdOf returns clients and their users.
func (goal *servedGoal) crowdOf(t *testing.T, n int) (clients []*client, users []string) {
	t.Helper()
	kinds := []string{"page = \"Agents\""}
	if goal.mixed {
		kinds = []string{
			"page = \"Agents\"", "page = \"Overview\"", "page = \"Services\"\ntheme = \"light\"", "page = \"Situations\"", "page = \"Agents\"\nnames = \"initials\"",
			"page = \"Groups\"\ntheme = \"colour-blind\"", "role = \"kiosk\"", "page = \"Campaigns\"", "page = \"Agents\"\nservices = [\"SRV01\", \"SRV02\"]", "page = \"Feed\"",
		}
	}
	var keys []ssh.Signer
	for i, lines := range kinds {
		key := sshKey(t)
		keys, users = append(keys, key), append(users, serveUser(fmt.Sprint("user", i), key, lines+"\nsessions = 2000"))
	}
	sizes := [][2]int{{200, 60}}
	if goal.mixed {
		sizes = [][2]int{{200, 60}, {120, 40}, {80, 24}, {160, 45}, {300, 80}, {100, 30}, {237, 61}}
	}
	for i := range n {
		size := sizes[i%len(sizes)]
		clients = append(clients, &client{key: keys[i%len(keys)], width: size[0], height: size[1], deaf: i%100 < goal.deaf})
	}
	return clients, users
}

func (goal *servedGoal) measure(t *testing.T, viewers int) {
	t.Helper()
	clients, users := goal.crowdOf(t, viewers)
	x := measureServer(t, goal.platform, goal.serve, users...)
	<-time.After(5 * time.Second)
	alone := x.core(5 * time.Second)
	var received atomic.Int64
	slots := newSlots()
	listening := int64(0)
	for _, c := range clients {
		if !c.deaf {
			listening++
		}
		c.got = func(n int, at time.Time) { received.Add(int64(n)); slots.note(n, at) }
	}
	took, each := x.crowd(clients)
	t.Logf("%d logins in %v, %v of the processor each", viewers, took, each)
	<-time.After(5 * time.Second)
	slots.clear()
	x.ask("begin")
	bytes := received.Load()
	const long = 30 * time.Second
	core := x.core(long)
	bytes = received.Load() - bytes
	rss := resident(t, x.pid, "VmRSS")
	last, p99 := slots.told()
	slowest, others := slots.slowest()
	x.ask("end")
	t.Logf("%d viewers: %.1f %% of a core (%.1f without any), %.0f MiB, at most %.0f, %d bytes/s each",
		viewers, core, alone, rss, resident(t, x.pid, "VmHWM"), bytes/int64(long/time.Second)/listening)
	t.Logf("the last viewer of a slot has its frame after %v (99 of 100 slots), one viewer after %v (99 of 100 frames)", last, p99)
	t.Logf("the slowest slot brought %d bytes to each, the others %d", slowest/listening, others/listening)
	if core > goal.core || rss > goal.resident || goal.last > 0 && last > goal.last {
		t.Errorf("the goal is missed: %.0f %% of a core, %.0f MiB and %v are the goal", goal.core, goal.resident, goal.last)
	}
	if goal.deaf > 0 { // the server disconnects them meanwhile
		<-time.After(30 * time.Second)
		t.Logf("%d deaf ones later: %.0f MiB", viewers-int(listening), resident(t, x.pid, "VmRSS"))
	}
}

// slots records the arrival of frames after the full second for which they are drawn.
type slots struct {
	all  [1100]atomic.Int64 // number of frames by milliseconds
	last []atomic.Int64     // arrival of the last frame in milliseconds, by second since the start
	got  []atomic.Int64     // number of bytes, by second since the start
	from int64
}

func newSlots() *slots {
	return &slots{last: make([]atomic.Int64, 3600), got: make([]atomic.Int64, 3600), from: time.Now().Unix()}
}

func (s *slots) clear() {
	for i := range s.all {
		s.all[i].Store(0)
	}
	for i := range s.last {
		s.last[i].Store(0)
		s.got[i].Store(0)
	}
}

func (s *slots) note(n int, at time.Time) {
	ms := int64(at.Nanosecond() / int(time.Millisecond))
	second := at.Unix() - s.from
	if second < 0 || second >= int64(len(s.last)) {
		return
	}
	s.all[ms].Add(1)
	s.got[second].Add(int64(n))
	for {
		before := s.last[second].Load()
		if ms <= before || s.last[second].CompareAndSwap(before, ms) {
			return
		}
	}
}

// inMost returns the 99th percentile of sorted values.
func inMost[T any](values []T) T { return values[(len(values)*99-1)/100] }

// told returns when the last frame of a second, and when any frame, has arrived in 99 of 100 cases.
func (s *slots) told() (last, each time.Duration) {
	var lasts []int64
	for i := range s.last {
		if ms := s.last[i].Load(); ms > 0 {
			lasts = append(lasts, ms)
		}
	}
	if len(lasts) > 0 {
		slices.Sort(lasts)
		last = time.Duration(inMost(lasts)) * time.Millisecond
	}
	total, sum := int64(0), int64(0)
	for i := range s.all {
		total += s.all[i].Load()
	}
	for i := range s.all {
		if sum += s.all[i].Load(); sum*100 >= total*99 {
			return last, time.Duration(i) * time.Millisecond
		}
	}
	return last, 0
}

// slowest returns the bytes of the second whose last frame came latest, and the average of the other
// seconds. The frame may be large because a banner has shifted all rows.
func (s *slots) slowest() (bytes, others int64) {
	at, n := 0, int64(-1)
	for i := range s.last {
		ms := s.last[i].Load()
		if ms > 0 {
			n++
			others += s.got[i].Load()
		}
		if ms > s.last[at].Load() {
			at = i
		}
	}
	bytes = s.got[at].Load()
	return bytes, (others - bytes) / max(n, 1)
}
