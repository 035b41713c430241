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

// patience is how long a test waits for what has to come: the machine may be busy.
const patience = 60 * time.Second

// platform is what all nodes show: agents whose calls count up, or a simulated floor.
type platform struct {
	floor     func(now func() time.Time) (Upstream, error) // nil: there is none
	clock     time.Duration                                // of the floor, ahead of ours
	connected atomic.Int64
	most      atomic.Int64
	calls     atomic.Int64
	agents    int
	every     time.Duration
	still     atomic.Bool // no picture comes any more
	news      chan told   // which pictures have come; some where nobody takes them
}

// told is a picture that has come of the platform.
type told struct {
	calls int64
	at    time.Time
}

// link is a connection to it.
type link struct {
	model.SnapshotHolder
	p     *platform
	ahead time.Duration // the clock of who connects
}

func (p *platform) connect() (Upstream, error) { return p.connectAt(0) }

// connectAt connects a node whose clock is ahead.
func (p *platform) connectAt(ahead time.Duration) (Upstream, error) {
	if p.floor == nil {
		return &counted{&link{p: p, ahead: ahead}, p}, nil
	}
	u, err := p.floor(func() time.Time { return time.Now().Add(ahead) })
	return &counted{u, p}, err
}

// age is in which twentieth of a second a picture was made, or after how many calls.
func (p *platform) age(s *model.Snapshot) int64 {
	if p.floor == nil {
		return newestCalls(s)
	}
	return s.At.UnixMilli() / 50
}

// now is what the age of a picture would be now.
func (p *platform) now() int64 {
	if p.floor == nil {
		return p.calls.Load()
	}
	return time.Now().Add(p.clock).UnixMilli() / 50
}

// counted counts the connections to a platform.
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

// cable is the way from one node to another, which can be cut in each direction.
type cable struct {
	l    net.Listener
	to   string
	mu   sync.Mutex
	open []net.Conn
	// there and back stop the bytes of who dials, and those of who answers.
	there, back atomic.Bool
	gone        atomic.Bool // nobody answers
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
		for stopped.Load() { // it hangs, as where packets are lost
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

// site is a cluster of a test.
type site struct {
	t        *testing.T
	platform *platform
	nodes    []*member
	cables   [][]*cable // from, to
	change   func(i int, o *Options)
}

// member is a node of it.
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

// inCluster leaves a test to `make cluster`: elections of a second mean nothing on a
// machine that is busy with all other tests.
func inCluster(t *testing.T) {
	t.Helper()
	if os.Getenv("CLUSTER") == "" {
		t.Skip("make cluster")
	}
}

// wired returns where nodes listen, where each of them finds all, and the cables from each
// to the others by which it does.
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

// newFloor is a site of three nodes that shows a simulated floor.
func newFloor(t *testing.T, change func(i int, o *Options)) *site {
	t.Helper()
	return newSiteOf(t, simulatedFloor(t), 3, change)
}

// simulatedFloor is a platform that is simulated.
func simulatedFloor(t *testing.T) *platform {
	t.Helper()
	noon := time.Date(2026, time.January, 14, 12, 0, 0, 0, time.UTC)
	p := &platform{}
	_, p.floor = simulated(t, simulator.Options{World: world.Options{Seed: 5, Agents: 150, Start: noon}})
	p.clock = time.Until(noon) // it begins when it is started, which takes a while on a busy machine
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

// tellAll tells how each node is.
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

// end stops a node in an orderly way.
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

// silence has nothing come from a node and nothing to it any more, without a word to
// either side.
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

// leader returns who leads, -1 where nobody does or several do.
func (s *site) leader() int {
	found := -1
	for i, m := range s.nodes {
		if m.Node != nil && m.Status().Role == Leading {
			if found >= 0 {
				return -1
			}
			found = i
		}
	}
	return found
}

// live reports whether what a node shows is live and moves: no older than a second, or some
// seconds.
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

// await waits until something is so, and returns how long it took.
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

// settled waits until all nodes that run show what is happening, and one leads.
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
