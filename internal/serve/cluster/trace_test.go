package cluster

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"wallboard/model"
)

// trace records the steps of some nodes after their leader is gone, each step once with its time. It
// shows which step took too long.
type trace struct {
	began time.Time
	epoch uint64 // epoch of the former leader
	nodes []*member
	was   []Stats

	stop func()
	mu   sync.Mutex
	told []string
	seen map[string]bool
}

// traced records the steps of nodes until the trace is stopped.
func traced(epoch uint64, nodes ...*member) *trace {
	t := &trace{began: time.Now(), epoch: epoch, nodes: nodes, seen: make(map[string]bool)}
	ctx, cancel := context.WithCancel(context.Background())
	for _, m := range nodes {
		t.was = append(t.was, m.Status().Stats)
	}
	var watching sync.WaitGroup
	watching.Go(func() { callPeriodically(ctx, 5*time.Millisecond, t.look) })
	watching.Go(func() { t.servers(ctx) })
	t.stop = sync.OnceFunc(func() { cancel(); watching.Wait() })
	return t
}

// look records the steps that the nodes have reached.
func (t *trace) look() {
	for _, m := range t.nodes {
		n := m.Node
		n.mu.Lock()
		silent := n.role == RoleFollowing && n.options.Now().Sub(n.leader.lastHeard) > n.options.Lease
		steps := []struct {
			what string
			so   bool
		}{
			{"waits for the lease", silent},
			{"is alone: " + n.roleReason, n.role == RoleAlone},
			{"leads", n.role == RoleLeading && n.leader.epoch > t.epoch},
			{"hears the new leader", n.role == RoleFollowing && n.leader.epoch > t.epoch},
			{"is connected", n.upstream != nil && n.upstream.latest != nil && n.upstream.latest.Health.Link.LastFrame.After(t.began)},
			{"has a whole floor", n.upstream != nil && n.upstream.isSettled},
			{"has all there is", n.role == RoleFollowing && n.leader.epoch > t.epoch && n.leader.receiver.epoch > t.epoch && n.leader.receiver.lastPiece > 0},
		}
		var feed model.Health
		if n.upstream != nil && n.upstream.latest != nil {
			feed = n.upstream.latest.Health
		}
		n.mu.Unlock()
		for i := range feed.Subscriptions {
			if s := &feed.Subscriptions[i]; s.Since.After(t.began) {
				t.note(strings.TrimSpace(fmt.Sprint(m.o.Node, " ", s.Name, " ", s.State, " ", s.Reason)))
			}
		}
		for _, s := range steps {
			if s.so {
				t.note(m.o.Node + " " + s.what)
			}
		}
		if p := m.Latest(); m.Status().Epoch > t.epoch && p != nil && p.Health.Live() {
			t.note(m.o.Node + " is live")
		}
	}
}

// note records a step unless it was recorded before.
func (t *trace) note(what string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.seen[what] {
		t.seen[what] = true
		t.told = append(t.told, fmt.Sprintf("%.2f s %s", time.Since(t.began).Seconds(), what))
	}
}

// servers records which server leads the replicas of the lease, as each node's server reports it.
func (t *trace) servers(ctx context.Context) {
	var all sync.WaitGroup
	for _, m := range t.nodes {
		all.Go(func() {
			callPeriodically(ctx, m.o.Lease/5, func() {
				st, err := withShortTimeout(ctx, func(ctx context.Context) (jetstream.Stream, error) {
					return m.leases.jetStream.Stream(ctx, "KV_"+m.subjects.bucketName(bucketLease))
				})
				switch {
				case ctx.Err() != nil:
				case err != nil:
					t.note(m.o.Node + " is not told who keeps the lease: " + err.Error())
				case st.CachedInfo().Cluster.Leader == "":
					t.note(m.o.Node + " is told that nobody keeps the lease")
				default:
					t.note(m.o.Node + " is told that the lease is kept by " + st.CachedInfo().Cluster.Leader)
				}
			})
		})
	}
	all.Wait()
}

// String returns the steps, and the counts of some events since the start of the trace. The trace must
// have been stopped.
func (t *trace) String() string {
	told := slices.Clone(t.told)
	for i, m := range t.nodes {
		now := m.Status().Stats
		told = append(told, fmt.Sprintf("%s: %d times no answer of the lease, %d gaps, %d times asked for all",
			m.o.Node, now.UnansweredRequests-t.was[i].UnansweredRequests, now.Gaps-t.was[i].Gaps, now.FullStateRequests-t.was[i].FullStateRequests))
	}
	return strings.Join(told, "; ")
}
