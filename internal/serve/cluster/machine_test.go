package cluster

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"wallboard/internal/lib/testkit"
)

// TestPlatforms runs two platforms on three machines with one server each: each platform has one
// connection, which moves between the machines independently of the other platform. Locks of one platform
// do not affect the other.
func TestPlatforms(t *testing.T) {
	t.Parallel()
	scopes := []string{"Milan", "Rome South"}
	shown := make([]*platform, len(scopes))
	sites := make([]*site, len(scopes))
	for i := range scopes {
		shown[i] = &platform{agents: 20 + i, every: 50 * time.Millisecond}
		sites[i] = &site{t: t, platform: shown[i]}
	}
	peers := []string{testkit.FreeAddr(t), testkit.FreeAddr(t), testkit.FreeAddr(t)}
	stops := make([]func(), len(peers))
	for i, addr := range peers {
		o := Options{
			Name: "group", Node: fmt.Sprint("wb", i+1), Version: "test", Dir: filepath.Join(testkit.PrivateDir(t), "js"),
			Listen: addr, Peers: peers, MayLead: true, Lease: time.Second, Advertise: "127.0.0.1:1", Logger: testLogger(),
		}
		m, err := Open(t.Context(), o, scopes...)
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(context.Background())
		var ended []chan struct{}
		for k, scope := range scopes {
			o.Scope, o.Platform, o.Connect = scope, "wss://"+scope, shown[k].connect
			n, err := m.Join(o)
			if err != nil {
				t.Fatal(err)
			}
			one := &member{Node: n, p: shown[k], o: o, stop: stop, done: make(chan struct{})}
			sites[k].nodes = append(sites[k].nodes, one)
			ended = append(ended, one.done)
			go func() { defer close(one.done); _ = n.Run(ctx) }()
		}
		stops[i] = func() {
			stop()
			for _, done := range ended {
				<-done
			}
		}
	}
	t.Cleanup(func() {
		for _, stop := range stops {
			stop()
		}
	})
	first, _ := sites[0].settled()
	second, _ := sites[1].settled()

	if _, err := sites[0].nodes[(first+1)%3].StepDown(t.Context()); err != nil {
		t.Fatal(err)
	}
	await(t, "another machine leads Milan", func() bool { l := sites[0].leader(); return l >= 0 && l != first })
	sites[0].settled()
	if now, _ := sites[1].settled(); now != second {
		t.Errorf("Rome is led by %d, not by %d, because Milan's leader stepped down", now, second)
	}

	for _, c := range []*SharedData{sites[0].nodes[0].Shared, sites[1].nodes[1].Shared} {
		var l *Lock
		await(t, "the same call of either platform is locked", func() (so bool) {
			var err error
			l, err = c.Lock(t.Context(), "call 7")
			return err == nil
		})
		defer l.Release(true)
	}

	gone := sites[1].leader()
	stops[gone]()
	for _, s := range sites {
		s.nodes[gone].Node = nil
		s.settled()
		for _, m := range s.nodes {
			if m.Node != nil && m.Latest().UserStats.Len() != s.platform.agents {
				t.Errorf("%s shows %d agents of %s", m.o.Node, m.Latest().UserStats.Len(), m.o.Scope)
			}
		}
	}
}

// TestScopedSubjects checks that the server of a machine lets its nodes publish only for their own
// platform and in their own name.
func TestScopedSubjects(t *testing.T) {
	t.Parallel()
	peers := []string{testkit.FreeAddr(t), testkit.FreeAddr(t), testkit.FreeAddr(t)}
	o := Options{
		Name: "group", Node: "wb1", Dir: filepath.Join(testkit.PrivateDir(t), "js"), Listen: peers[0], Peers: peers, MayLead: true, Scope: "Milan",
		Connect: (&platform{}).connect, Advertise: "127.0.0.1:1",
	}
	m, err := Open(t.Context(), o, "Milan")
	if err != nil {
		t.Fatal(err)
	}
	n, err := m.Join(o)
	if err != nil {
		t.Fatal(err)
	}
	defer n.close()
	refused := make(chan string, 10)
	n.natsConn.SetErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { refused <- err.Error() })
	for _, subject := range []string{
		subjects{"group", scopeToken("Rome")}.dataSubject(), subjects{name: "group"}.dataSubject(), n.subjects.presenceSubject("wb2"), n.subjects.auditSubject("wb2"),
	} {
		if err := n.natsConn.Publish(subject, []byte("x")); err != nil {
			t.Fatal(err)
		}
		if err := n.natsConn.Flush(); err != nil {
			t.Fatal(err)
		}
		select {
		case <-refused:
		case <-time.After(patience):
			t.Errorf("%s is taken", subject)
		}
	}
	if err := n.natsConn.Publish(n.subjects.dataSubject(), []byte("x")); err != nil {
		t.Fatal(err)
	}
	if err := n.natsConn.Flush(); err != nil {
		t.Fatal(err)
	}
	select {
	case why := <-refused:
		t.Error(why)
	default:
	}
}
