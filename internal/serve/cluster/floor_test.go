package cluster

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"wallboard/feeds"
	"wallboard/internal/alert"
	"wallboard/internal/lib/secret"
	"wallboard/internal/simulator"
	"wallboard/internal/simulator/world"
	"wallboard/model"
)

// simulated starts a simulated platform. connect returns a feed of it, with the clock now.
func simulated(t *testing.T, o simulator.Options) (srv *simulator.Server, connect func(now func() time.Time) (Upstream, error)) {
	t.Helper()
	srv, err := simulator.New(o)
	if err != nil {
		t.Fatal(err)
	}
	if err := srv.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = srv.Close() })
	return srv, func(now func() time.Time) (Upstream, error) {
		return feeds.New(feeds.Options{
			URL: srv.HTTPURL(), WSURL: srv.WSURL(), Auth: feeds.AuthToken, Credentials: feeds.Credentials{AccessToken: secret.New("demo-token")},
			Logger: testLogger(), AuditInterval: 10 * time.Second, Now: now,
		})
	}
}

// judged evaluates the snapshots of all nodes with a rule that is always true for every service. stop
// ends this. It returns the alerts that began or ended after the first ones were raised.
func judged(t *testing.T, s *site) (stop func() []string) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var mu sync.Mutex
	var changes []string
	var all sync.WaitGroup
	for i := range s.nodes {
		e, err := alert.New(alert.Options{Rules: []alert.Rule{{Name: "open", Scope: alert.Service, When: "receivedCalls >= 0", Severity: alert.Warning}}})
		if err != nil {
			t.Fatal(err)
		}
		node := s.nodes[i].Node
		all.Go(func() {
			raised := false
			for seq := uint64(0); ; {
				p, err := node.Wait(ctx, seq)
				if err != nil {
					break
				}
				seq = p.Seq
				news := e.Evaluate(p, time.Now().Add(p.Health.ClockOffset))
				mu.Lock()
				for _, c := range news {
					if raised {
						changes = append(changes, fmt.Sprint(node.options.Node, " ", c.Kind, " ", c.Alert.ID))
					}
				}
				mu.Unlock()
				raised = raised || len(e.Active()) > 0
			}
			if !raised {
				t.Errorf("%s: the rule raised no alert, so the test shows nothing", node.options.Node)
			}
		})
	}
	return func() []string { cancel(); all.Wait(); return changes }
}

// quantile returns the q-quantile of durations.
func quantile(all []time.Duration, q float64) time.Duration {
	slices.SortFunc(all, cmp.Compare)
	return all[min(int(q*float64(len(all))), len(all)-1)]
}

// liveAgain returns the maximum time until a floor is live again under a new leader.
func liveAgain(agents int) time.Duration {
	if agents <= 60 {
		return 2 * time.Second
	}
	return 3500 * time.Millisecond
}

// TestLeaderKilled stops the leader several times, alternately by closing its connections, as when a
// process is killed, and by silencing them, as in a power failure. Each time both other nodes are live
// again on one connection, with nearly all records of the platform, and no alert changes. CLUSTER_KILLS
// is the number of times (2), and CLUSTER_AGENTS the number of agents (60).
func TestLeaderKilled(t *testing.T) {
	t.Parallel()
	inCluster(t)
	agents := rounds(t, "CLUSTER_AGENTS", 60)
	srv, connect := simulated(t, simulator.Options{World: world.Options{Seed: 5, Agents: agents}})
	s := newSiteOf(t, &platform{floor: connect}, 3, nil)
	live := func(m *member) bool {
		p := m.Latest()
		return p != nil && p.Health.Live() && p.Health.Notice == "" && p.UserStats.Len() > 0
	}
	settled := func() (leader int) {
		await(t, "all live", func() bool {
			leader = s.leader()
			for _, m := range s.nodes {
				if m.Node != nil && !live(m) {
					return false
				}
			}
			return leader >= 0
		})
		return leader
	}
	alerts := judged(t, s)
	var took [2][]time.Duration
	for round := range rounds(t, "CLUSTER_KILLS", 2) {
		first := settled()
		await(t, "the lease is kept by all, and led by another one", func() bool { return s.ready(first) })
		epoch := s.nodes[first].Status().Epoch
		before := s.nodes[first].Latest()
		trace := traced(epoch, s.nodes[(first+1)%3], s.nodes[(first+2)%3])
		t.Cleanup(trace.stop) // before the nodes are stopped
		if round%2 == 0 {
			s.cutOff(first)
		} else {
			s.silence(first)
		}
		for _, m := range trace.nodes {
			await(t, m.o.Node+" live on another leader", func() bool {
				st := m.Status()
				return st.Epoch > epoch && st.Role != RoleAlone && live(m) && m.Latest().UserStats.Len() >= before.UserStats.Len()*9/10
			})
		}
		again := time.Since(trace.began)
		trace.stop()
		took[round%2] = append(took[round%2], again)
		if again > liveAgain(agents) {
			t.Errorf("live again after %v: %v", again, trace)
		} else if again == slices.Max(slices.Concat(took[:]...)) {
			t.Logf("live again after %v: %v", again, trace)
		}
		s.end(first)
		s.mend()
		s.start(first)
	}
	if changes := alerts(); len(changes) > 0 {
		t.Errorf("alerts changed without a reason: %v", changes)
	}
	for i, how := range []string{"killed", "without power"} {
		if len(took[i]) > 0 {
			t.Logf("%s: live again after %v at the median, %v at most, of %d", how, quantile(took[i], 0.5), slices.Max(took[i]), len(took[i]))
		}
	}
	settled()
	srv.Pause()
	defer srv.Resume()
	await(t, "all nodes show the same, record by record", func() bool { return differ(s) == "" })
}

// ready reports whether all servers have current replicas of the lease, and their leader is another node
// than the given one. A second node may fail only after the first has caught up.
func (s *site) ready(leader int) bool {
	st, err := s.nodes[leader].leases.jetStream.Stream(s.t.Context(), "KV_"+s.nodes[leader].subjects.bucketName(bucketLease))
	if err != nil {
		return false
	}
	c := st.CachedInfo().Cluster
	if c == nil || c.Leader == "" || c.Leader == s.nodes[leader].o.Node || len(c.Replicas) != len(s.nodes)-1 {
		return false
	}
	for _, r := range c.Replicas {
		if !r.Current || r.Offline {
			return false
		}
	}
	for _, m := range s.nodes {
		if x := m.Status(); !x.StoreAnswers || !x.HasMajority {
			return false
		}
	}
	return true
}

// differ describes a difference between the snapshots of two nodes; "": there is none.
func differ(s *site) string {
	same := gocmp.Options{
		gocmp.Exporter(func(reflect.Type) bool { return true }), cmpopts.IgnoreTypes(model.Stamp{}),
		gocmp.Comparer(func(a, b time.Time) bool { return a.UnixMilli() == b.UnixMilli() }),
	}
	first := s.nodes[0].Latest()
	for _, m := range s.nodes[1:] {
		p := m.Latest()
		for what, diff := range map[string]string{
			"services": gocmp.Diff(first.Services.Sorted(), p.Services.Sorted(), same), "groups": gocmp.Diff(first.Groups.Sorted(), p.Groups.Sorted(), same),
			"agents": gocmp.Diff(first.UserStats.Sorted(), p.UserStats.Sorted(), same), "users": gocmp.Diff(first.Users.Sorted(), p.Users.Sorted(), same),
		} {
			if diff != "" {
				return fmt.Sprint(m.o.Node, " ", what, ": ", diff)
			}
		}
	}
	return ""
}
