package cluster

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"wallboard/internal/lib/testkit"
	"wallboard/internal/simulator"
	"wallboard/internal/simulator/world"
	"wallboard/model"
)

// patience is the maximum time that a test waits for an expected event on a busy machine.
const patience = 60 * time.Second

// platform is the platform that all nodes show. It is a simulated floor, or a list of agents whose
// numbers of calls increase.
type platform struct {
	floor     func(now func() time.Time) (Upstream, error) // connects to the simulated floor; nil: there is none
	clock     time.Duration                                // offset of the floor's clock from ours
	connected atomic.Int64
	most      atomic.Int64
	calls     atomic.Int64
	agents    int
	every     time.Duration
	still     atomic.Bool // no more snapshots are published
	news      chan told   // published snapshots; some are missing if the channel is full
}

// told identifies a snapshot that was published.
type told struct {
	calls int64
	at    time.Time
}

// link is a connection to a platform without a simulated floor.
type link struct {
	model.SnapshotHolder
	p     *platform
	ahead time.Duration // offset of the connecting node's clock
}

func (p *platform) connect() (Upstream, error) { return p.connectAt(0) }

// connectAt connects a node whose clock is ahead by the given time.
func (p *platform) connectAt(ahead time.Duration) (Upstream, error) {
	if p.floor == nil {
		return &counted{&link{p: p, ahead: ahead}, p}, nil
	}
	u, err := p.floor(func() time.Time { return time.Now().Add(ahead) })
	return &counted{u, p}, err
}

// age returns the twentieth of a second in which a snapshot was made; without a simulated floor, the
// number of calls in it.
func (p *platform) age(s *model.Snapshot) int64 {
	if p.floor == nil {
		return newestCalls(s)
	}
	return s.At.UnixMilli() / 50
}

// now returns the age of a snapshot that is made now.
func (p *platform) now() int64 {
	if p.floor == nil {
		return p.calls.Load()
	}
	return time.Now().Add(p.clock).UnixMilli() / 50
}

// counted is a connection that is counted while it runs.
type counted struct {
	Upstream
	p *platform
}

func (c *counted) Run(ctx context.Context) error {
	n := c.p.connected.Add(1)
	defer c.p.connected.Add(-1)
	c.p.most.Store(max(c.p.most.Load(), n))
	return c.Upstream.Run(ctx)
}

func (l *link) Run(ctx context.Context) error {
	store := model.NewStore()
	for i := range l.p.agents {
		r := &model.UserStat{}
		r.Channel = model.Call
		r.Username = model.TextOf(fmt.Sprintf("agent.%05d", i))
		store.UserStats.Put(r)
	}
	t := time.NewTicker(l.p.every)
	defer t.Stop()
	for {
		if l.p.still.Load() {
			<-ctx.Done()
			return ctx.Err()
		}
		server := time.Now()
		now := server.Add(l.ahead)
		calls := l.p.calls.Add(1)
		r := *store.UserStats.Rows()[int(calls)%l.p.agents]
		r.NumberCallFromService = model.IntOf(calls)
		store.UserStats.Put(&r)
		select {
		case l.p.news <- told{calls, server}:
		default:
		}
		l.Put(store.Publish(server, model.Health{
			ClockOffset:   -l.ahead,
			Link:          model.Link{State: model.LinkUp, Since: now, LastFrame: now},
			Subscriptions: []model.Subscription{{Name: model.OpUserStats, State: model.SubLive, Since: now, LastData: now, Records: l.p.agents}},
		}))
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-t.C:
		}
	}
}

// cable is a connection from one node to another. Each direction can be stopped separately.
type cable struct {
	l    net.Listener
	to   string
	mu   sync.Mutex
	open []net.Conn
	// there and back stop the bytes of the dialing node and of the accepting node.
	there, back atomic.Bool
	gone        atomic.Bool // new connections are closed
}

func newCable(t *testing.T, to string) *cable {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := &cable{l: l, to: to}
	t.Cleanup(func() { _ = l.Close(); c.cut() })
	go func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			if c.gone.Load() {
				_ = in.Close()
				continue
			}
			out, err := new(net.Dialer).DialContext(context.Background(), "tcp", c.to)
			if err != nil {
				_ = in.Close()
				continue
			}
			c.mu.Lock()
			c.open = append(c.open, in, out)
			c.mu.Unlock()
			go c.carry(out, in, &c.there)
			go c.carry(in, out, &c.back)
		}
	}()
	return c
}

func (c *cable) carry(to, from net.Conn, stopped *atomic.Bool) {
	defer func() { _, _ = to.Close(), from.Close() }()
	b := make([]byte, 32<<10)
	for {
		n, err := from.Read(b)
		if err != nil {
			return
		}
		for stopped.Load() { // the connection hangs, as with lost packets
			if c.gone.Load() {
				return
			}
			time.Sleep(10 * time.Millisecond) //nolint:forbidigo // a cable
		}
		if _, err := to.Write(b[:n]); err != nil {
			return
		}
	}
}

func (c *cable) cut() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.gone.Store(true)
	for _, o := range c.open {
		_ = o.Close()
	}
	c.open = nil
}

func (c *cable) mend() { c.gone.Store(false); c.there.Store(false); c.back.Store(false) }

// site is a cluster in a test.
type site struct {
	t        *testing.T
	platform *platform
	nodes    []*member
	cables   [][]*cable // by the dialing node and the accepting node
	change   func(i int, o *Options)
}

// member is a node of a site.
type member struct {
	*Node
	p    *platform
	o    Options
	stop context.CancelFunc
	done chan struct{}
}

func testLogger() *slog.Logger {
	if os.Getenv("CLUSTER_LOG") == "" {
		return slog.New(slog.DiscardHandler)
	}
	return slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

// inCluster skips a test unless `make cluster` runs it: elections that last one second fail on a machine
// that is busy with all other tests.
func inCluster(t *testing.T) {
	t.Helper()
	if os.Getenv("CLUSTER") == "" {
		t.Skip("make cluster")
	}
}

// wired returns the addresses at which the nodes listen, the addresses of all nodes as each node uses
// them, and the cables between the nodes, to which the latter addresses lead.
func wired(t *testing.T, nodes int) (addr []string, peers [][]string, cables [][]*cable) {
	t.Helper()
	for range nodes {
		addr = append(addr, testkit.FreeAddr(t))
	}
	for i := range nodes {
		peers, cables = append(peers, slices.Clone(addr)), append(cables, make([]*cable, nodes))
		for j := range nodes {
			if j != i {
				cables[i][j] = newCable(t, addr[j])
				peers[i][j] = cables[i][j].l.Addr().String()
			}
		}
	}
	return addr, peers, cables
}

func newSite(t *testing.T, nodes int, change func(i int, o *Options)) *site {
	t.Helper()
	return newSiteOf(t, &platform{agents: 20, every: 50 * time.Millisecond, news: make(chan told, 1000)}, nodes, change)
}

// newFloor returns a site of three nodes that show a simulated floor.
func newFloor(t *testing.T, change func(i int, o *Options)) *site {
	t.Helper()
	return newSiteOf(t, simulatedFloor(t), 3, change)
}

// simulatedFloor returns a platform with a simulated floor.
func simulatedFloor(t *testing.T) *platform {
	t.Helper()
	noon := time.Date(2026, time.January, 14, 12, 0, 0, 0, time.UTC)
	p := &platform{}
	_, p.floor = simulated(t, simulator.Options{World: world.Options{Seed: 5, Agents: 150, Start: noon}})
	p.clock = time.Until(noon) // the simulated time begins at the start, which takes a while on a busy machine
	return p
}

func newSiteOf(t *testing.T, p *platform, nodes int, change func(i int, o *Options)) *site {
	t.Helper()
	s := &site{t: t, platform: p, change: change}
	addr, peers, cables := wired(t, nodes)
	s.cables = cables
	for i := range nodes {
		o := Options{
			Name: "milan", Node: fmt.Sprint("wb", i+1), Version: "test", Platform: "wss://platform/rtd", Dir: filepath.Join(testkit.PrivateDir(t), "js"),
			Listen: addr[i], Peers: peers[i], MayLead: true, Lease: time.Second, Advertise: "127.0.0.1:1", Connect: s.platform.connect, Logger: testLogger(),
		}
		if change != nil {
			change(i, &o)
		}
		s.nodes = append(s.nodes, &member{p: p, o: o})
	}
	for i := range s.nodes {
		s.start(i)
	}
	t.Cleanup(func() {
		if t.Failed() {
			s.tellAll()
		}
		for i := range s.nodes {
			s.end(i)
		}
	})
	return s
}

// tellAll logs the status of each node.
func (s *site) tellAll() {
	for _, m := range s.nodes {
		if m.Node == nil {
			continue
		}
		st := m.Status()
		s.t.Logf("%s: %s since %v (%s), epoch %d of %s; majority %v, stored %v, trouble %q", st.Node, st.Role, time.Since(st.Since), st.Reason, st.Epoch, st.Leader, st.HasMajority, st.StoreAnswers, st.Problem)
		if p := m.Latest(); p != nil {
			s.t.Logf("%s shows: %s %s; notice %q; %d records of agents", st.Node, p.Health.Link.State, p.Health.Link.Reason, p.Health.Notice, p.UserStats.Len())
		}
	}
}

func (s *site) start(i int) {
	s.t.Helper()
	m := s.nodes[i]
	n, err := newNode(s.t.Context(), m.o)
	if err != nil {
		s.t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	m.Node, m.stop, m.done = n, stop, make(chan struct{})
	go func() { defer close(m.done); _ = n.Run(ctx) }()
}

// end stops a node regularly.
func (s *site) end(i int) {
	if m := s.nodes[i]; m.Node != nil {
		m.stop()
		<-m.done
		m.Node = nil
	}
}

// cutOff cuts a node off from all others.
func (s *site) cutOff(i int) {
	for j := range s.nodes {
		if i != j {
			s.cables[i][j].cut()
			s.cables[j][i].cut()
		}
	}
}

// silence stops all data to and from a node, without closing the connections.
func (s *site) silence(i int) {
	for j := range s.nodes {
		if i != j {
			for _, c := range []*cable{s.cables[i][j], s.cables[j][i]} {
				c.there.Store(true)
				c.back.Store(true)
			}
		}
	}
}

func (s *site) mend() {
	for i := range s.cables {
		for j := range s.cables[i] {
			if i != j {
				s.cables[i][j].mend()
			}
		}
	}
}

// leader returns the index of the leader, or -1 if there is not exactly one.
func (s *site) leader() int {
	found := -1
	for i, m := range s.nodes {
		if m.Node != nil && m.Status().Role == RoleLeading {
			if found >= 0 {
				return -1
			}
			found = i
		}
	}
	return found
}

// live reports whether a node shows live data that is no older than within.
func (m *member) live(within time.Duration) bool {
	s := m.Latest()
	return s != nil && s.Health.Live() && m.p.age(s) > m.p.now()-int64(within/(50*time.Millisecond))
}

func newestCalls(s *model.Snapshot) int64 {
	most := int64(0)
	for r := range s.UserStats.All() {
		most = max(most, r.NumberCallFromService.Or(0))
	}
	return most
}

// await waits until a condition is true, and returns how long it took.
func await(t *testing.T, what string, so func() bool) time.Duration {
	t.Helper()
	began := time.Now()
	for !so() {
		if time.Since(began) > patience {
			t.Fatalf("after %v still not: %s", patience, what)
		}
		time.Sleep(5 * time.Millisecond) //nolint:forbidigo // several programs are waited for
	}
	return time.Since(began)
}

// settled waits until all running nodes are live on a single connection and one of them leads.
func (s *site) settled() (leader int, took time.Duration) {
	s.t.Helper()
	took = await(s.t, "all nodes live on one connection", func() bool {
		if s.leader() < 0 || s.platform.connected.Load() != 1 {
			return false
		}
		for _, m := range s.nodes {
			if m.Node != nil && (!m.live(time.Second) || m.Latest().Health.Notice != "") {
				return false
			}
		}
		return true
	})
	return s.leader(), took
}

// newNode returns the node of a machine whose cluster shows a single platform.
func newNode(ctx context.Context, o Options) (*Node, error) {
	m, err := Open(ctx, o, o.Scope)
	if err != nil {
		return nil, err
	}
	n, err := m.Join(o)
	if err != nil {
		m.nodeEnded()
	}
	return n, err
}
