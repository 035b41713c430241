package cli

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/knownhosts"

	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/lib/testkit"
)

// clusterNode is a server in a test.
type clusterNode struct {
	config, addr string
	stop         context.CancelFunc
	ended        chan int
	errs         bytes.Buffer
}

// clusters counts the clusters of the tests.
var clusters atomic.Int64

// openCluster starts three servers of a cluster for one viewer.
func openCluster(t *testing.T, s *scripts, viewer ssh.Signer) []*clusterNode {
	t.Helper()
	base, err := os.ReadFile(s.config)
	if err != nil {
		t.Fatal(err)
	}
	var peers []string
	for range 3 {
		peers = append(peers, testkit.FreeAddr(t))
	}
	number := clusters.Add(1) // a name of its own, so that the nodes of other tests do not answer
	nodes := make([]*clusterNode, 3)
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte(rand.Text()+rand.Text()), 0o600); err != nil {
		t.Fatal(err)
	}
	for i := range nodes {
		n := &clusterNode{config: filepath.Join(testkit.PrivateDir(t), "config.toml"), ended: make(chan int, 1)}
		text := string(base) + fmt.Sprintf("\n[serve]\nlisten = \"127.0.0.1:0\"\nevery = \"200ms\"\nhost_key_file = \"host\"\n[[serve.user]]\nname = \"anna\"\nkeys = [%q]\npage = \"Agents\"\n"+
			"[cluster]\nname = \"test%d-%d\"\nnode = \"wb%d\"\nlisten = %q\npeers = [%q, %q, %q]\ndir = \"js\"\nsecret_file = %q\n",
			strings.TrimSpace(string(ssh.MarshalAuthorizedKey(viewer.PublicKey()))), os.Getpid(), number, i+1, peers[i], peers[0], peers[1], peers[2], secret)
		if err := os.WriteFile(n.config, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		nodes[i] = n
	}
	return nodes
}

// start runs the server of a node until it is stopped.
func (n *clusterNode) start(t *testing.T) {
	t.Helper()
	said := make(chan string, 10)
	var ctx context.Context
	ctx, n.stop = context.WithCancel(t.Context())
	go func() {
		n.ended <- Run(ctx, []string{"serve", "--config", n.config}, cmdutil.Streams{In: strings.NewReader(""), Out: onLine(func(line string) { said <- line }), Err: &n.errs})
	}()
	select {
	case text := <-said:
		n.addr, _, _ = strings.Cut(strings.TrimPrefix(text, "the board is at "), ",")
	case code := <-n.ended:
		t.Fatalf("it ended with %d: %s", code, n.errs.String())
	}
}

// says queries a node until the answer has the exit code and the text.
func (n *clusterNode) says(t *testing.T, what string, code int, text string, flags ...string) (said string) {
	t.Helper()
	for late := time.Now().Add(patienceOfTests); ; <-time.After(50 * time.Millisecond) {
		var out, errs bytes.Buffer
		got := Run(t.Context(), append([]string{"cluster", what, "--config", n.config}, flags...), cmdutil.Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
		said = out.String() + errs.String()
		if got == code && strings.Contains(said, text) {
			return said
		}
		if time.Now().After(late) {
			t.Fatalf("cluster %s: %d: %s", what, got, said)
		}
	}
}

// TestServeCluster runs a cluster of three servers: each serves a viewer, also after the
// leading one ends, and reports its status.
func TestServeCluster(t *testing.T) {
	if os.Getenv("CLUSTER") == "" {
		t.Skip("make cluster") // elections want a machine that does little else
	}
	t.Parallel()
	anna := sshKey(t)
	s := newScripts(t, nil, quiet())
	s.srv.Resume()
	nodes := openCluster(t, s, anna)
	screens := make([]*remote, len(nodes))
	for i, n := range nodes {
		n.start(t)
		screens[i] = look(t, n.addr, anna, 120, 40)
	}
	for i, n := range nodes {
		screens[i].shows("LIVE", "Activity")
		n.says(t, "check", cmdutil.ExitOK, "all 3 nodes are well")
	}
	said := nodes[0].says(t, "status", cmdutil.ExitOK, "led by wb")
	led := int(said[strings.Index(said, "led by wb")+len("led by wb")] - '1')
	others := slices.DeleteFunc([]int{0, 1, 2}, func(i int) bool { return i == led })
	metrics := nodes[others[0]].says(t, "metrics", cmdutil.ExitOK, "wallboard_cluster_leading 0\n")
	if !strings.Contains(metrics, "wallboard_cluster_nodes 3\n") {
		t.Error(metrics)
	}
	nodes[others[0]].says(t, "step-down", cmdutil.ExitOK, "hands the connection over")
	nodes[led].stop()
	if code := <-nodes[led].ended; code != cmdutil.ExitOK {
		t.Errorf("it ended with %d: %s", code, nodes[led].errs.String())
	}
	for _, i := range others {
		screens[i].shows("LIVE")
		nodes[i].says(t, "check", cmdutil.ExitFailed, fmt.Sprintf("Node wb%d has sent nothing", led+1))
		defer func() { nodes[i].stop(); <-nodes[i].ended }()
	}
	nodes[led].says(t, "status", cmdutil.ExitFailed, "no node of this user answers")
}

// TestKnownHosts has one command print the host keys of three servers, by which a wall
// that asks nothing knows each of them.
func TestKnownHosts(t *testing.T) {
	if os.Getenv("CLUSTER") == "" {
		t.Skip("make cluster") // it starts three servers
	}
	t.Parallel()
	anna := sshKey(t)
	s := newScripts(t, nil, quiet())
	s.srv.Resume()
	nodes := openCluster(t, s, anna)
	for _, n := range nodes {
		n.start(t)
		defer func() { n.stop(); <-n.ended }()
	}
	for _, n := range nodes {
		n.says(t, "check", cmdutil.ExitOK, "all 3 nodes are well")
	}
	var out, errs bytes.Buffer
	args := []string{"serve", "known-hosts", "--config", nodes[1].config}
	for i, n := range nodes {
		args = append(args, fmt.Sprintf("wb%d=%s", i+1, n.addr))
	}
	if code := Run(t.Context(), args, cmdutil.Streams{In: strings.NewReader(""), Out: &out, Err: &errs}); code != cmdutil.ExitOK {
		t.Fatalf("%d: %s%s", code, out.String(), errs.String())
	}
	file := filepath.Join(testkit.PrivateDir(t), "known_hosts")
	if err := os.WriteFile(file, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	known, err := knownhosts.New(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range nodes {
		c := dial(t, n.addr, &ssh.ClientConfig{User: "anna", Auth: []ssh.AuthMethod{ssh.PublicKeys(anna)}, HostKeyCallback: known, Timeout: patienceOfTests})
		_ = c.Close()
	}
}
