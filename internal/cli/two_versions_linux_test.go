//go:build linux

package cli

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/lib/testkit"
)

// earlierProgram returns the path of an earlier version of the program.
func earlierProgram(t *testing.T) string {
	t.Helper()
	path := os.Getenv("EARLIER_PROGRAM")
	if path == "" {
		t.Skip("make versions builds an earlier version and names it in EARLIER_PROGRAM")
	}
	return path
}

// earlierCommand returns a command of the earlier version.
func earlierCommand(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	return exec.CommandContext(t.Context(), earlierProgram(t), args...)
}

// thisCommand returns a command of this version.
func thisCommand(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), platformEnv+"="+strings.Join(args, " "))
	return cmd
}

// TestTwoVersionsOfViewer connects a client of each version to a server of the other version. Each client
// shows a working board, and each version can read the recordings of the other.
func TestTwoVersionsOfViewer(t *testing.T) {
	earlierProgram(t)
	t.Parallel()
	for name, c := range map[string]struct {
		server, client func(*testing.T, ...string) *exec.Cmd
	}{
		"an earlier client": {thisCommand, earlierCommand},
		"an earlier server": {earlierCommand, thisCommand},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := testkit.PrivateDir(t)
			signer, identity := keyFile(t, dir)
			s := newScripts(t, nil)
			s.srv.Resume()
			text, err := os.ReadFile(s.config)
			if err != nil {
				t.Fatal(err)
			}
			recordings := filepath.Join(dir, "recordings")
			rewrite(t, s.config, string(text)+"\n[record]\nenabled = true\ndir = \""+recordings+"\"\n[serve]\nlisten = \"127.0.0.1:0\"\nhost_key_file = \""+
				filepath.Join(dir, "host")+"\"\n"+serveUser("anna", signer, "page = \"Agents\""))
			n := &clusterNode{config: s.config}
			server := n.runCommand(t, c.server(t, "serve", "--config", s.config))
			hosts := filepath.Join(dir, "hosts")
			if err := os.WriteFile(hosts, []byte(hostLine(t, n.addr, signer)+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			host, port, err := net.SplitHostPort(n.addr)
			if err != nil {
				t.Fatal(err)
			}
			args := []string{"view", host, "--port", port, "--identity", identity, "--known-hosts", hosts}
			x := newTerminalOf(t, c.client(t, args...), syscall.SysProcAttr{Setsid: true, Setctty: true}, dir, args...)
			x.shows("LIVE", "Activity")
			x.press("2")
			x.shows("Services ─", "Waiting", "LIVE")
			<-time.After(3 * time.Second) // so that something is recorded
			x.press("q")
			x.leaves()
			if err := server.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			if _, err := server.Wait(); err != nil {
				t.Fatal(err)
			}
			out, err := c.client(t, "record", "info", recordings).CombinedOutput()
			if err != nil || !strings.Contains(string(out), "names full") {
				t.Errorf("record info: %v: %s", err, out)
			}
		})
	}
}

// TestTwoVersionsInACluster runs a cluster of an earlier node and two of this version, as during an
// upgrade: all serve live boards through one connection, also after the leading node has crashed.
func TestTwoVersionsInACluster(t *testing.T) {
	earlierProgram(t)
	t.Parallel()
	for name, earlier := range map[string][]int{"one earlier": {0}, "two earlier": {1, 2}} {
		t.Run(name, func(t *testing.T) { //nolint:paralleltest // one cluster at a time, for its elections
			anna := sshKey(t)
			s := newScripts(t, nil)
			s.srv.Resume()
			nodes := openCluster(t, s, anna)
			processes := make([]*os.Process, len(nodes))
			for i, n := range nodes {
				command := thisCommand
				if slices.Contains(earlier, i) {
					command = earlierCommand
				}
				processes[i] = n.runCommand(t, command(t, "serve", "--config", n.config))
			}
			screens := make([]*remote, len(nodes))
			for i, n := range nodes {
				screens[i] = look(t, n.addr, anna, 120, 40)
				screens[i].shows("● LIVE", "Activity")
			}
			oneConnection(t, s)
			led := nodes[0].ledBy(t, -1)
			if err := processes[led].Kill(); err != nil {
				t.Fatal(err)
			}
			other := (led + 1) % len(nodes)
			next := nodes[other].ledBy(t, led)
			t.Logf("wb%d leads after wb%d", next+1, led+1)
			oneConnection(t, s)
			for i := range nodes {
				if i != led {
					screens[i].shows("● LIVE")
					nodes[i].says(t, "status", cmdutil.ExitOK, "led by wb")
				}
			}
		})
	}
}

// oneConnection waits until the platform has a single connection.
func oneConnection(t *testing.T, s *scripts) {
	t.Helper()
	for late := time.Now().Add(patienceOfTests); s.srv.RTD().Connections() != 1; <-time.After(20 * time.Millisecond) {
		if time.Now().After(late) {
			t.Fatalf("%d connections to the platform", s.srv.RTD().Connections())
		}
	}
}
