//go:build linux

package cli

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/lib/testkit"
)

// run runs the server of a node in a separate process until the test ends.
func (n *clusterNode) run(t *testing.T) *os.Process {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), platformEnv+"=serve --config "+n.config) // has the state folder of this process, so that commands reach the server
	return n.runCommand(t, cmd)
}

// runCommand runs a command that is the server of a node until the test ends.
func (n *clusterNode) runCommand(t *testing.T, cmd *exec.Cmd) *os.Process {
	t.Helper()
	cmd.Stderr = &n.errs
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	text, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("%v: %s", err, n.errs.String())
	}
	n.addr, _, _ = strings.Cut(strings.TrimPrefix(text, "the board is at "), ",")
	return cmd.Process
}

// ledBy queries a node until another node than but leads.
func (n *clusterNode) ledBy(t *testing.T, but int, flags ...string) int {
	t.Helper()
	for late := time.Now().Add(patienceOfTests); ; <-time.After(50 * time.Millisecond) {
		said := n.says(t, "status", cmdutil.ExitOK, "led by wb", flags...)
		if led := int(said[strings.Index(said, "led by wb")+len("led by wb")] - '1'); led != but {
			return led
		}
		if time.Now().After(late) {
			t.Fatalf("nobody takes over: %s", said)
		}
	}
}

// TestServeClusterStopped suspends the leading server for a minute: another node takes
// over, and the resumed one follows it without a connection of its own.
func TestServeClusterStopped(t *testing.T) {
	if os.Getenv("CLUSTER") == "" {
		t.Skip("make cluster") // elections want a machine that does little else
	}
	t.Parallel()
	anna := sshKey(t)
	s := newScripts(t, nil, quiet())
	s.srv.Resume()
	nodes := openCluster(t, s, anna)
	processes := make([]*os.Process, len(nodes))
	for i, n := range nodes {
		processes[i] = n.run(t)
	}
	for _, n := range nodes {
		n.says(t, "check", cmdutil.ExitOK, "all 3 nodes are well")
	}
	led := nodes[0].ledBy(t, -1)
	others := slices.DeleteFunc([]int{0, 1, 2}, func(i int) bool { return i == led })
	screen := look(t, nodes[others[0]].addr, anna, 120, 40)
	screen.shows("● LIVE")

	if err := processes[led].Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	next := nodes[others[0]].ledBy(t, led)
	t.Logf("wb%d takes over from wb%d after %v", next+1, led+1, time.Since(start))
	screen.shows("● LIVE")
	<-time.After(time.Minute - time.Since(start))
	nodes[others[1]].says(t, "check", cmdutil.ExitFailed, fmt.Sprintf("Node wb%d has sent nothing", led+1))

	if err := processes[led].Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	woken := time.Now()
	for _, n := range nodes {
		n.says(t, "check", cmdutil.ExitOK, "all 3 nodes are well")
		if now := n.ledBy(t, -1); now != next {
			t.Errorf("wb%d leads, not wb%d", now+1, next+1)
		}
	}
	for late := time.Now().Add(patienceOfTests); s.srv.RTD().Connections() != 1; <-time.After(20 * time.Millisecond) {
		if time.Now().After(late) {
			t.Fatalf("%d connections to the platform", s.srv.RTD().Connections())
		}
	}
	t.Logf("all is well %v after it was woken", time.Since(woken))
	screen.shows("● LIVE")
	late := look(t, nodes[led].addr, anna, 120, 40)
	late.shows("● LIVE")
}

// TestServeClusterPlatforms runs three servers on two platforms: each has one connection,
// which another server takes over after a crash or a hand-over, independently of the other
// platform.
func TestServeClusterPlatforms(t *testing.T) {
	if os.Getenv("CLUSTER") == "" {
		t.Skip("make cluster") // elections want a machine that does little else
	}
	t.Parallel()
	anna := sshKey(t)
	names := []string{"Milan", "Rome"}
	config, srv := someSites(t, testkit.PrivateDir(t), names...)
	nodes := openCluster(t, &scripts{t: t, srv: srv[0], config: config}, anna)
	processes := make([]*os.Process, len(nodes))
	for i, n := range nodes {
		processes[i] = n.run(t)
	}
	for _, n := range nodes {
		for _, name := range names {
			n.says(t, "check", cmdutil.ExitOK, name+": all 3 nodes are well")
		}
	}
	connected := func(when string) {
		t.Helper()
		for late := time.Now().Add(patienceOfTests); ; <-time.After(20 * time.Millisecond) {
			a, b := srv[0].RTD().Connections(), srv[1].RTD().Connections()
			if a == 1 && b == 1 {
				return
			}
			if time.Now().After(late) {
				t.Fatalf("%s: %d connections to Milan, %d to Rome", when, a, b)
			}
		}
	}
	connected("at first")
	led := func(n *clusterNode, platform string, but int) int { return n.ledBy(t, but, "--platform", platform) }
	rome := led(nodes[0], "Rome", -1)
	milan := led(nodes[0], "milan", -1)
	nodes[(milan+1)%3].says(t, "step-down", cmdutil.ExitOK, fmt.Sprintf("Milan: wb%d hands the connection over", milan+1), "--platform", "Milan")
	milan = led(nodes[0], "Milan", milan)
	if now := led(nodes[0], "Rome", -1); now != rome {
		t.Errorf("Rome went from wb%d to wb%d with Milan", rome+1, now+1)
	}
	connected("handed over")
	other := (milan + 1) % 3
	screen := look(t, nodes[other].addr, anna, 160, 45)
	screen.shows(" Milan · ", "● LIVE")
	if err := processes[milan].Kill(); err != nil {
		t.Fatal(err)
	}
	for i, platform := range names {
		before := []int{milan, rome}[i]
		if before != milan {
			before = -1
		}
		led(nodes[other], platform, before)
	}
	screen.press("\x1bOQ") // f2
	for late := time.Now().Add(patienceOfTests); strings.Count(screen.text(), "● LIVE") < 2; <-time.After(20 * time.Millisecond) {
		if time.Now().After(late) {
			t.Fatalf("both platforms are not live:\n%s", screen.text())
		}
	}
	connected("one killed")
	metrics := nodes[other].says(t, "metrics", cmdutil.ExitOK, `wallboard_cluster_nodes{platform="Rome"} `)
	if !strings.Contains(metrics, `wallboard_cluster_leading{platform="Milan"} `) {
		t.Error(metrics)
	}
}

// TestServeClusterViewers connects many SSH clients with terminals of 200x60 to three
// servers: the platform has one connection, also after the leading server is killed, and
// viewers of the others continue. It needs an idle machine:
//
//	CLUSTER_VIEWERS=1500 go test ./internal/cli -run ServeClusterViewers -v
func TestServeClusterViewers(t *testing.T) { //nolint:paralleltest // it measures
	viewers, err := strconv.Atoi(os.Getenv("CLUSTER_VIEWERS"))
	if err != nil {
		t.Skip("CLUSTER_VIEWERS says how many")
	}
	anna := sshKey(t)
	s := newScripts(t, nil, quiet())
	s.srv.Resume()
	nodes := openCluster(t, s, anna)
	processes := make([]*os.Process, len(nodes))
	t.Cleanup(func() { // log role changes at the end, which explain further connections
		for i, n := range nodes {
			for line := range strings.Lines(n.errs.String()) {
				if strings.Contains(line, "role=") {
					t.Logf("wb%d: %s", i+1, strings.TrimSpace(line))
				}
			}
		}
	})
	for i, n := range nodes {
		text, err := os.ReadFile(n.config)
		if err != nil {
			t.Fatal(err)
		}
		rewrite(t, n.config, strings.NewReplacer(`every = "200ms"`, "max_viewers = 2000", "keys = [", "sessions = 2000\nkeys = [").Replace(string(text)))
		processes[i] = n.run(t)
	}
	for _, n := range nodes {
		n.says(t, "check", cmdutil.ExitOK, "all 3 nodes are well")
	}
	var received [3]atomic.Int64
	var logins sync.WaitGroup
	room := make(chan struct{}, 16)
	began := time.Now()
	for i := range viewers {
		logins.Go(func() {
			room <- struct{}{}
			defer func() { <-room }()
			watchBoard(t, nodes[i%3].addr, loopbackOf(i), anna, &received[i%3])
		})
	}
	logins.Wait()
	t.Logf("%d logins in %v", viewers, time.Since(began))
	const long = 20 * time.Second
	measure := func(left []int) {
		t.Helper()
		time.Sleep(5 * time.Second) //nolint:forbidigo // it measures
		var spent, bytes [3]int64
		for _, i := range left {
			spent[i], bytes[i] = int64(processorTime(t, processes[i].Pid)), received[i].Load()
		}
		looks, one, most := 0, 0, 0
		var when []string                                                                                // times with another number of connections
		for until := time.Now().Add(long); time.Now().Before(until); time.Sleep(20 * time.Millisecond) { //nolint:forbidigo // it measures
			n := s.srv.RTD().Connections()
			if looks++; n == 1 {
				one++
			} else {
				when = append(when, fmt.Sprintf("%d at %s", n, time.Now().Format("15:04:05.000")))
			}
			most = max(most, n)
		}
		t.Logf("one connection to the platform in %d of %d looks, at most %d: %v", one, looks, most, when)
		if one*10 < looks*9 { // a node that gets no CPU time for seconds connects itself
			t.Errorf("one connection to the platform in %d of %d looks only", one, looks)
		}
		for _, i := range left {
			per := (received[i].Load() - bytes[i]) / int64(long/time.Second) / int64(viewers/3)
			if per == 0 {
				t.Errorf("nothing comes from wb%d", i+1)
			}
			t.Logf("wb%d: %.1f %% of a core, %.0f MiB, %d bytes/s to each of %d", i+1,
				100*float64(int64(processorTime(t, processes[i].Pid))-spent[i])/float64(long), resident(t, processes[i].Pid, "VmRSS"), per, viewers/3)
		}
	}
	measure([]int{0, 1, 2})
	led := nodes[0].ledBy(t, -1)
	if err := processes[led].Kill(); err != nil {
		t.Fatal(err)
	}
	others := slices.DeleteFunc([]int{0, 1, 2}, func(i int) bool { return i == led })
	nodes[others[0]].ledBy(t, led)
	t.Logf("wb%d was killed", led+1)
	measure(others)
}
