package cluster

import (
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"wallboard/model"
)

// TestOneConnection checks that three nodes show a platform through one connection, also after the leader
// has stopped.
func TestOneConnection(t *testing.T) {
	t.Parallel()
	s := newSite(t, 3, nil)
	first, _ := s.settled()
	s.platform.most.Store(1)
	s.end(first)
	second, took := s.settled()
	t.Logf("the next one leads after %v", took)
	if second == first {
		t.Error("the node that has stopped leads")
	}
	if most := s.platform.most.Load(); most > 1 {
		t.Errorf("%d connections at once", most)
	}
	s.start(first)
	if again, _ := s.settled(); again != second {
		t.Error("the node that was restarted took the lead")
	}
}

// TestCutOff cuts the leader off from the other nodes: these continue with a new leader, and the former
// leader continues alone and says so. After the cut it joins them again.
func TestCutOff(t *testing.T) {
	t.Parallel()
	inCluster(t)
	for name, cut := range map[string]func(s *site, i int){
		"both ways": (*site).cutOff,
		"nothing comes in": func(s *site, i int) {
			for j := range s.nodes {
				if i != j {
					s.cables[j][i].there.Store(true)
					s.cables[i][j].back.Store(true)
				}
			}
		},
		"nothing goes out": func(s *site, i int) {
			for j := range s.nodes {
				if i != j {
					s.cables[i][j].there.Store(true)
					s.cables[j][i].back.Store(true)
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newFloor(t, nil)
			first, _ := s.settled()
			cut(s, first)
			began := time.Now()
			took := await(t, "the others live on a new leader", func() bool {
				led := false
				for i, m := range s.nodes {
					if i == first {
						continue
					}
					led = led || m.Status().Role == RoleLeading
					if !m.live(time.Second) || m.Latest().Health.Notice != "" {
						return false
					}
				}
				return led
			})
			t.Logf("live again after %v", took)
			await(t, "who is cut off on its own", func() bool {
				m := s.nodes[first]
				return m.Status().Role == RoleAlone && m.live(time.Second) && m.Latest().Health.Notice != ""
			})
			t.Logf("on its own after %v", time.Since(began))
			s.mend()
			_, took = s.settled()
			t.Logf("all nodes in one cluster again after %v", took)
		})
	}
}

// TestNoCluster cuts all nodes off from each other, without permission to connect alone: they say so and
// keep the last snapshot, marked as old. They continue when there is a majority again.
func TestNoCluster(t *testing.T) {
	t.Parallel()
	inCluster(t)
	s := newSite(t, 3, func(_ int, o *Options) { o.Fallback = FallbackNone })
	first, _ := s.settled()
	for i := range s.nodes {
		s.cutOff(i)
	}
	await(t, "no connection, and every board says so", func() bool {
		for _, m := range s.nodes {
			h := m.Latest().Health
			if h.Link.State != model.LinkStopped || h.Live() || h.Notice == "" || newestCalls(m.Latest()) == 0 {
				return false
			}
		}
		return s.platform.connected.Load() == 0
	})
	s.mend()
	s.settled()
	_ = first
}

// TestStoreLost deletes the lease and the locks: the snapshots continue without a break, and the lease is
// created again with higher epochs.
func TestStoreLost(t *testing.T) {
	t.Parallel()
	inCluster(t)
	s := newFloor(t, nil)
	first, _ := s.settled()
	epoch := s.nodes[first].Status().Epoch
	s.platform.most.Store(1)
	for _, name := range []string{"KV_" + s.nodes[0].subjects.bucketName(bucketLease), "KV_" + s.nodes[0].subjects.bucketName(bucketLocks)} {
		await(t, name+" deleted", func() bool { return s.nodes[0].leases.jetStream.DeleteStream(t.Context(), name) == nil })
	}
	began := time.Now()
	for time.Since(began) < 2*time.Second {
		for _, m := range s.nodes {
			if !m.live(3 * time.Second) {
				t.Fatalf("%s: %+v", m.o.Node, m.Latest().Health)
			}
		}
		time.Sleep(10 * time.Millisecond) //nolint:forbidigo // a while without a break
	}
	await(t, "the lease is kept again", func() bool {
		e, err := s.nodes[0].leases.jetStream.KeyValue(t.Context(), s.nodes[0].subjects.bucketName(bucketLease))
		if err != nil {
			return false
		}
		_, err = e.Get(t.Context(), leaseKey)
		return err == nil
	})
	if s.platform.most.Load() > 1 {
		t.Error("there were two connections")
	}
	s.end(s.leader())
	second, _ := s.settled()
	if got := s.nodes[second].Status().Epoch; got <= epoch {
		t.Errorf("epoch %d after %d", got, epoch)
	}
}

// TestLeaseStuck simulates nodes that get no answer of the lease for long but hear the other nodes: only
// the node with the first name creates the lease again, with higher epochs.
func TestLeaseStuck(t *testing.T) {
	t.Parallel()
	inCluster(t)
	s := newSite(t, 3, nil)
	first, _ := s.settled()
	epoch := s.nodes[first].Status().Epoch
	made := func() time.Time {
		var at time.Time
		await(t, "the lease is there", func() bool {
			st, err := s.nodes[0].leases.jetStream.Stream(t.Context(), "KV_"+s.nodes[0].subjects.bucketName(bucketLease))
			if err == nil {
				at = st.CachedInfo().Created
			}
			return err == nil
		})
		return at
	}
	before := made()
	for i := len(s.nodes) - 1; i >= 0; i-- {
		n := s.nodes[i].Node
		n.mu.Lock()
		role, answered, begun := n.role, n.lease.lastAnswerAt, n.startedAt
		n.role, n.lease.lastAnswerAt, n.startedAt = RoleAlone, time.Now().Add(-2*leaseStuckAfter), time.Now().Add(-2*leaseStuckAfter)
		n.mu.Unlock()
		n.recreateStuckLease(t.Context())
		n.mu.Lock()
		n.role, n.lease.lastAnswerAt, n.startedAt = role, answered, begun
		n.mu.Unlock()
		if i > 0 && !made().Equal(before) {
			t.Errorf("%s created the lease again, but is not the first node", n.options.Node)
		}
	}
	await(t, "it is made anew", func() bool { return !made().Equal(before) })
	s.end(s.leader())
	second, _ := s.settled()
	if got := s.nodes[second].Status().Epoch; got <= epoch {
		t.Errorf("epoch %d after %d", got, epoch)
	}
}

// TestClocks uses nodes whose clocks differ by minutes: each node knows the age of its data and the
// platform's time.
func TestClocks(t *testing.T) {
	t.Parallel()
	inCluster(t)
	off := []time.Duration{0, 7 * time.Minute, -9 * time.Minute}
	p := simulatedFloor(t)
	s := newSiteOf(t, p, 3, func(i int, o *Options) {
		o.Now = func() time.Time { return time.Now().Add(off[i]) }
		o.Connect = func() (Upstream, error) { return p.connectAt(off[i]) }
	})
	for range 2 {
		first, _ := s.settled()
		for i, m := range s.nodes {
			if m.Node == nil {
				continue
			}
			await(t, m.o.Node+" knows the time", func() bool {
				h := m.Latest().Health
				now := time.Now().Add(off[i])
				server := now.Add(h.ClockOffset).Add(-p.clock)
				return time.Since(server).Abs() < 30*time.Second && now.Sub(h.Link.LastFrame).Abs() < 30*time.Second &&
					now.Sub(h.Subscriptions[0].LastData).Abs() < 30*time.Second
			})
		}
		s.end(first)
	}
}

// TestStepDown checks that the leader steps down when another node requests it.
func TestStepDown(t *testing.T) {
	t.Parallel()
	inCluster(t)
	s := newSite(t, 3, nil)
	first, _ := s.settled()
	s.platform.most.Store(1)
	who, err := s.nodes[(first+1)%3].StepDown(t.Context())
	if err != nil || who != s.nodes[first].o.Node {
		t.Fatalf("%q: %v", who, err)
	}
	await(t, "another one leads", func() bool { l := s.leader(); return l >= 0 && l != first })
	s.settled()
	if s.platform.most.Load() > 1 {
		t.Error("there were two connections")
	}
}

// TestNeverLeads uses two of three nodes that may not lead: they do not take the lease, and their server
// does not let them publish snapshots.
func TestNeverLeads(t *testing.T) {
	t.Parallel()
	inCluster(t)
	s := newSite(t, 3, func(i int, o *Options) { o.MayLead = i == 1 })
	if first, _ := s.settled(); first != 1 {
		t.Fatalf("node %d leads", first+1)
	}
	m := s.nodes[0]
	if err := m.natsConn.Publish(m.subjects.dataSubject(), []byte("x")); err != nil {
		t.Fatal(err)
	}
	if err := m.natsConn.FlushTimeout(patience); err != nil {
		t.Fatal(err)
	}
	await(t, "it may not tell pictures", func() bool { return m.natsConn.LastError() != nil })
	s.end(1)
	await(t, "nobody leads", func() bool { return s.nodes[0].Status().Role == RoleAlone || !s.nodes[0].Latest().Health.Live() })
	for _, i := range []int{0, 2} {
		if s.nodes[i].Status().Role == RoleLeading {
			t.Errorf("%s leads", s.nodes[i].o.Node)
		}
	}
}

// TestOneName adds a node of another platform to a cluster with the same name: no node shows the other
// platform, and all boards say what to do.
func TestOneName(t *testing.T) {
	t.Parallel()
	inCluster(t)
	other := &platform{agents: 3, every: 50 * time.Millisecond}
	s := newFloor(t, func(i int, o *Options) {
		if i == 2 {
			o.Platform, o.Connect = "wss://elsewhere/rtd", other.connect
		}
	})
	for i, m := range s.nodes {
		await(t, m.o.Node+" says so", func() bool {
			h := m.Latest().Health
			return h.Link.State == model.LinkUp && h.Notice != "" && (m.Latest().UserStats.Len() == 3) == (i == 2)
		})
		t.Log(m.Latest().Health.Notice)
	}
}

// TestHalfCut cuts the leader off from one node only: this node sees that the lease is renewed, but
// receives no snapshots. Its viewers must not see an old snapshot forever.
func TestHalfCut(t *testing.T) {
	t.Parallel()
	inCluster(t)
	s := newFloor(t, nil)
	first, _ := s.settled()
	far := (first + 1) % 3
	s.cables[first][far].cut()
	s.cables[far][first].cut()
	await(t, "all live, one of the two on its own", func() bool {
		for _, m := range s.nodes {
			if !m.live(time.Second) {
				return false
			}
		}
		return (s.nodes[far].Latest().Health.Notice != "") != (s.nodes[first].Latest().Health.Notice != "")
	})
	s.mend()
	s.settled()
}

// TestTwoVersions sends a node messages of an unknown protocol version, and then snapshots of an unknown
// schema from a new leader: the node says so, and connects to the platform itself until a leader with a
// known schema follows.
func TestTwoVersions(t *testing.T) {
	t.Parallel()
	inCluster(t)
	s := newFloor(t, nil)
	first, _ := s.settled()
	far := s.nodes[(first+1)%3]
	tell := func(b []byte) { far.handleLeaderMessage(&nats.Msg{Data: b}) }
	tell([]byte{protocolVersion + 1, kindFrame, 0})
	await(t, "it says so", func() bool { return strings.Contains(far.Latest().Health.Notice, "the same version") })
	if !far.live(3 * time.Second) {
		t.Error("the leader of the known version is no longer followed")
	}
	teller, err := newFrameSender()
	if err != nil {
		t.Fatal(err)
	}
	body := teller.compressor.EncodeAll(append([]byte{byte(len(laterSchema))}, laterSchema...), nil)
	head := message{platform: far.identity, epoch: far.Status().Epoch + 10, node: "later", seq: 1}
	alive, frame := head, head
	alive.kind = kindAlive
	frame.kind, frame.flags, frame.pieces, frame.body = kindFrame, flagFull|flagCompressed, 1, body
	for until := time.Now().Add(4 * far.o.Lease); time.Now().Before(until); time.Sleep(far.o.Lease / 4) { //nolint:forbidigo // it leads on
		for _, m := range []message{frame, alive} {
			m.sent = time.Now()
			tell(m.append(nil))
			if r := far.Status().Role; r != RoleAlone {
				t.Fatalf("it is %s", r)
			}
		}
	}
	await(t, "it goes on by itself", func() bool {
		h := far.Latest().Health
		return far.live(time.Second) && strings.Contains(h.Notice, "shows more than this version knows")
	})
	alive.epoch++
	alive.sent = time.Now()
	tell(alive.append(nil))
	if r := far.Status().Role; r != RoleFollowing {
		t.Errorf("it is %s when another one leads", r)
	}
}

// TestIncomplete sends signs of life of a leader whose snapshots do not arrive: the shown snapshot is
// marked as old.
func TestIncomplete(t *testing.T) {
	t.Parallel()
	inCluster(t)
	s := newFloor(t, nil)
	first, _ := s.settled()
	far := s.nodes[(first+1)%3]
	far.mu.Lock()
	far.leader.fullStateAskedAt = time.Now().Add(time.Hour) // so that the node does not request the full state
	far.mu.Unlock()
	m := message{kind: kindAlive, platform: far.identity, epoch: far.Status().Epoch + 10, node: "mute", seq: 7}
	var h model.Health
	for until := time.Now().Add(2 * far.o.Lease); time.Now().Before(until); time.Sleep(far.o.Lease / 8) { //nolint:forbidigo // it leads on
		m.sent = time.Now()
		far.handleLeaderMessage(&nats.Msg{Data: m.append(nil)})
		h = far.Latest().Health
	}
	if h.Live() || !strings.Contains(h.Link.Reason, "is not complete") {
		t.Errorf("live: %v, %q", h.Live(), h.Link.Reason)
	}
}

// laterSchema is the schema of a later version with an unknown operation.
const laterSchema = `{"tables":[{"op":"laterStats"}]}`

// TestAllStopped stops and restarts all nodes, as after a power failure of the whole site, and then again
// with empty disks.
func TestAllStopped(t *testing.T) {
	t.Parallel()
	inCluster(t)
	s := newFloor(t, nil)
	s.settled()
	for round := range 2 {
		for i := range s.nodes {
			s.end(i)
			if round > 0 {
				if err := os.RemoveAll(s.nodes[i].o.Dir); err != nil {
					t.Fatal(err)
				}
			}
		}
		if n := s.platform.connected.Load(); n != 0 {
			t.Fatalf("%d connections without a node", n)
		}
		for i := range s.nodes {
			s.start(i)
		}
		_, took := s.settled()
		t.Logf("live again after %v", took)
	}
}

// TestAsleep suspends a follower, as on a busy machine: it reads the waiting messages before it concludes
// that it is alone, and the platform never has a second connection.
func TestAsleep(t *testing.T) {
	t.Parallel()
	var asleep [3]atomic.Int64
	s := newSite(t, 3, func(i int, o *Options) {
		o.Now = func() time.Time { return time.Now().Add(time.Duration(asleep[i].Load())) }
	})
	leader, _ := s.settled()
	follower := (leader + 1) % len(s.nodes)
	before, most := s.nodes[follower].Status().Stats.RoleChanges, s.platform.most.Load()
	for range 3 {
		asleep[follower].Add(int64(20 * time.Second))
		s.nodes[follower].heartbeat() // before the node has read a message
		time.Sleep(time.Second)       //nolint:forbidigo // what it does then
	}
	if st := s.nodes[follower].Status(); st.Role != RoleFollowing || st.Stats.RoleChanges != before {
		t.Errorf("the node is %s, and changed its role %d times", st.Role, st.Stats.RoleChanges-before)
	}
	if now := s.platform.most.Load(); now != most {
		t.Errorf("at most %d connections, %d before", now, most)
	}
}

// TestFree checks when a lease can be taken: not while it is renewed or its holder is heard. A holder
// renews it twice in its time, and sends a sign of life four times.
func TestFree(t *testing.T) {
	t.Parallel()
	const ttl = time.Second
	now := time.Now()
	mine, gone, given := leaseContent{Node: "wb1"}, leaseContent{Node: "wb2"}, leaseContent{GivenBackBy: "wb2"}
	for name, c := range map[string]struct {
		value        leaseContent
		rev          uint64
		idle, silent time.Duration
		free         bool
	}{
		"nobody has written it":                  {leaseContent{}, 0, 0, 0, true},
		"renewed, heard":                         {gone, 7, ttl / 2, ttl / 4, false},
		"renewed, not heard here":                {gone, 7, ttl * 5 / 8, 10 * ttl, false},
		"not renewed when it was due, not heard": {gone, 7, ttl * 7 / 8, ttl * 9 / 8, true},
		"not renewed when it was due, heard":     {gone, 7, ttl * 7 / 8, ttl / 4, false},
		"ended":                                  {mine, 7, ttl * 9 / 8, 0, true},
		"given back by another one":              {given, 7, 0, 0, true},
		"given back here":                        {leaseContent{GivenBackBy: "wb1"}, 7, ttl, 0, false},
		"given back here, and nobody took it":    {leaseContent{GivenBackBy: "wb1"}, 7, 3 * ttl, 0, true},
	} {
		l := &lease{content: c.value, revision: c.rev, revisionSeenAt: now.Add(-c.idle)}
		if got := l.canTake("wb1", now, c.silent, ttl); got != c.free {
			t.Errorf("%s: free %v", name, got)
		}
	}
}

// TestRevisionTold checks that followers learn the revision of the lease from the leader, although they
// rarely read the lease.
func TestRevisionTold(t *testing.T) {
	t.Parallel()
	s := newSite(t, 3, nil)
	first, _ := s.settled()
	revision := func(i int, of func(n *Node) uint64) uint64 {
		n := s.nodes[i].Node
		n.mu.Lock()
		defer n.mu.Unlock()
		return of(n)
	}
	for range 3 {
		now := revision(first, func(n *Node) uint64 { return n.lease.revision })
		for i := range s.nodes {
			if i != first {
				await(t, "the revision is told", func() bool { return revision(i, func(n *Node) uint64 { return n.leader.announcedRevision }) >= now })
			}
		}
		await(t, "it is renewed", func() bool { return revision(first, func(n *Node) uint64 { return n.lease.revision }) > now })
	}
}
