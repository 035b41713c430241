package proof_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"wallboard/feeds"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/serve/cluster"
	"wallboard/internal/simulator/rtd"
)

// link is a connection between two nodes that can be cut.
type link struct {
	to   string
	l    net.Listener
	mu   sync.Mutex
	cut  bool
	open []net.Conn
}

func newLink(t *testing.T, to string) *link {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &link{to: to, l: l}
	t.Cleanup(func() { _ = l.Close(); r.set(true) })
	go func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			r.join(in)
		}
	}()
	return r
}

func (r *link) join(in net.Conn) {
	out, err := new(net.Dialer).DialContext(context.Background(), "tcp", r.to)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil || r.cut {
		_ = in.Close()
		if err == nil {
			_ = out.Close()
		}
		return
	}
	r.open = append(r.open, in, out)
	for _, way := range [][2]net.Conn{{in, out}, {out, in}} {
		go func() {
			_, _ = io.Copy(way[0], way[1])
			_, _ = way[0].Close(), way[1].Close()
		}()
	}
}

// set cuts or restores the link.
func (r *link) set(cut bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.cut = cut; cut {
		for _, c := range r.open {
			_ = c.Close()
		}
		r.open = nil
	}
}

// TestAFollowerNeverLies shows a platform on three nodes for some minutes of real
// time, cuts connections between the nodes and to the platform, and compares every
// node with the true state every second. It runs if CLUSTER is set; PROOF_MINUTES is
// the duration (default 1).
func TestAFollowerNeverLies(t *testing.T) {
	t.Parallel()
	if os.Getenv("CLUSTER") == "" {
		t.Skip("make cluster")
	}
	r := &run{seed: 7, dialect: dialects()[0], protocol: rtd.SubprotocolTransport, t: t, network: newNetwork(7)}
	r.ledger = newLedger(t, r.dialect.DateForm == rtd.DateSeconds)
	r.startPlatform()
	t.Cleanup(func() { r.stopSrv(); r.network.close() })
	o := r.feedOptions()
	var addr, names []string
	for i := range 3 {
		addr, names = append(addr, testkit.FreeAddr(t)), append(names, fmt.Sprint("wb", i+1))
	}
	var roads [3][3]*link
	nodes, seen := make([]*cluster.Node, 3), make([]*run, 3)
	for i := range nodes {
		peers := []string{addr[0], addr[1], addr[2]}
		for j := range peers {
			if j != i {
				roads[i][j] = newLink(t, addr[j])
				peers[j] = roads[i][j].l.Addr().String()
			}
		}
		own := cluster.Options{
			Name: "proof", Node: names[i], Platform: "simulated", Dir: filepath.Join(testkit.PrivateDir(t), "js"), Listen: addr[i], Peers: peers,
			Advertise: "127.0.0.1:1", MayLead: true, Connect: func() (cluster.Upstream, error) { return feeds.New(o) },
		}
		machine, err := cluster.Open(t.Context(), own, own.Scope)
		if err != nil {
			t.Fatal(err)
		}
		n, err := machine.Join(own)
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(context.Background())
		done := make(chan struct{})
		go func() { defer close(done); _ = n.Run(ctx) }()
		t.Cleanup(func() { stop(); <-done })
		nodes[i] = n
		seen[i] = &run{t: t, srv: r.srv, ledger: newLedger(t, r.dialect.DateForm == rtd.DateSeconds), lastFault: "none"}
	}
	const half = 500 * time.Millisecond // half a step of the world, so that no step is missed
	led, began := make(map[string]int), time.Now()
	for n := range 2 * 60 * setting(t, "PROOF_MINUTES", 1) {
		for i, node := range nodes {
			s, now := node.Latest(), time.Now() // the shown state first: the true state may change while it is noted
			seen[i].note(now)
			if s != nil && n%2 == 0 {
				seen[i].compare(s, now)
			}
			if st := node.Status(); st.Role == cluster.RoleLeading {
				led[st.Node]++
			}
		}
		if n%2 == 0 {
			fault := followerFault(n/2, &roads, nodes, r)
			for _, s := range seen {
				s.lastFault = fault
			}
		}
		pass(time.Until(began.Add(time.Duration(n+1) * half)))
	}
	for i, s := range seen {
		t.Logf("%s: live in %d of %d s; the oldest unmarked figure was %v old: %s", names[i], s.live, s.seconds, s.worst, s.worstWhat)
		if s.live*2 < s.seconds {
			t.Errorf("%s was live for only %d of %d s", names[i], s.live, s.seconds)
		}
	}
	if len(led) < 2 {
		t.Errorf("the only leaders were %v", led)
	}
}

// followerFault injects a fault into the cluster every twelve seconds, and returns
// the latest fault.
func followerFault(second int, roads *[3][3]*link, nodes []*cluster.Node, r *run) string {
	set := func(i int, cut bool) {
		for j := range 3 {
			if j != i {
				roads[i][j].set(cut)
				roads[j][i].set(cut)
			}
		}
	}
	leader := 0
	for i, n := range nodes {
		if n.Status().Role == cluster.RoleLeading {
			leader = i
		}
	}
	follower := (leader + 1) % 3
	switch second % 48 {
	case 12:
		set(leader, true)
	case 20, 32, 46:
		for i := range 3 {
			set(i, false)
		}
	case 26:
		set(follower, true)
	case 38:
		r.network.each(func(w *wire) { w.halfOpen() })
	case 44:
		roads[leader][follower].set(true)
		roads[follower][leader].set(true)
	}
	return fmt.Sprintf("that of second %d of 48 (12 leader cut off, 26 a follower, 38 the platform, 44 leader from a follower)", second%48)
}
