package cli

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"wallboard/cli/command"
)

// clusterNode is a server that runs in a test.
type clusterNode struct {
	config, addr string
	stop         context.CancelFunc
	ended        chan int
	errs         bytes.Buffer
}

// TestServeCluster has three servers name each other: they show the platform to a viewer
// of each, also when the one with the connection ends, and say how they are.
func TestServeCluster(t *testing.T) {
	t.Parallel()
	anna := sshKey(t)
	s := newScripts(t, nil, quiet())
	s.srv.Resume()
	base, err := os.ReadFile(s.config)
	if err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprint("test", os.Getpid())
	var peers []string
	for range 3 {
		l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		peers = append(peers, l.Addr().String())
		defer l.Close() //nolint:errcheck // it is closed below
		_ = l.Close()
	}
	nodes := make([]*clusterNode, 3)
	for i := range nodes {
		dir := t.TempDir()
		n := &clusterNode{config: filepath.Join(dir, "config.toml"), ended: make(chan int, 1)}
		text := string(base) + fmt.Sprintf("\n[serve]\nlisten = \"127.0.0.1:0\"\nevery = \"200ms\"\nhost_key_file = \"host\"\n[[serve.user]]\nname = \"anna\"\nkeys = [%q]\npage = \"Agents\"\n"+
			"[cluster]\nname = %q\nnode = \"wb%d\"\nlisten = %q\npeers = [%q, %q, %q]\ndir = \"js\"\n",
			strings.TrimSpace(string(ssh.MarshalAuthorizedKey(anna.PublicKey()))), name, i+1, peers[i], peers[0], peers[1], peers[2])
		if err := os.WriteFile(n.config, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		said := make(chan string, 10)
		var ctx context.Context
		ctx, n.stop = context.WithCancel(t.Context())
		go func() {
			n.ended <- Run(ctx, []string{"serve", "--config", n.config}, command.Streams{In: strings.NewReader(""), Out: onLine(func(line string) { said <- line }), Err: &n.errs})
		}()
		select {
		case text := <-said:
			n.addr, _, _ = strings.Cut(strings.TrimPrefix(text, "the board is at "), ",")
		case code := <-n.ended:
			t.Fatalf("it ended with %d: %s", code, n.errs.String())
		}
		nodes[i] = n
	}
	screens := make([]*remote, 3)
	for i, n := range nodes {
		screens[i] = look(t, n.addr, anna, 120, 40)
		screens[i].shows("LIVE", "Activity")
	}
	ask := func(n *clusterNode, what string) (int, string) {
		var out, errs bytes.Buffer
		code := Run(t.Context(), []string{"cluster", what, "--config", n.config}, command.Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
		return code, out.String() + errs.String()
	}
	well := func(n *clusterNode) {
		t.Helper()
		for late := time.Now().Add(patienceOfTests); ; <-time.After(50 * time.Millisecond) {
			code, said := ask(n, "check")
			if code == command.ExitOK && strings.Contains(said, "all 3 nodes are well") {
				return
			}
			if time.Now().After(late) {
				t.Fatalf("%d: %s", code, said)
			}
		}
	}
	for _, n := range nodes {
		well(n)
	}
	_, said := ask(nodes[0], "status")
	led := said[strings.Index(said, "led by wb")+len("led by wb")] - '1'
	if code, said := ask(nodes[(led+1)%3], "metrics"); code != command.ExitOK || !strings.Contains(said, "wallboard_cluster_leading 0\n") || !strings.Contains(said, "wallboard_cluster_nodes 3\n") {
		t.Errorf("%d: %s", code, said)
	}
	if code, said := ask(nodes[(led+1)%3], "step-down"); code != command.ExitOK || !strings.Contains(said, "hands the connection over") {
		t.Errorf("%d: %s", code, said)
	}
	nodes[led].stop()
	if code := <-nodes[led].ended; code != command.ExitOK {
		t.Errorf("it ended with %d: %s", code, nodes[led].errs.String())
	}
	for i := range nodes {
		if i == int(led) {
			continue
		}
		screens[i].shows("LIVE")
		for late := time.Now().Add(patienceOfTests); ; <-time.After(50 * time.Millisecond) {
			code, said := ask(nodes[i], "check")
			if code != command.ExitOK && strings.Contains(said, fmt.Sprintf("Node wb%d has said nothing", led+1)) {
				break
			}
			if time.Now().After(late) {
				t.Fatalf("a node is gone: %d: %s", code, said)
			}
		}
		defer func() { nodes[i].stop(); <-nodes[i].ended }()
	}
	if code, said := ask(nodes[led], "status"); code == command.ExitOK || !strings.Contains(said, "no node of this user answers") {
		t.Errorf("%d: %s", code, said)
	}
}
