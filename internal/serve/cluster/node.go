package cluster

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"wallboard/model"
)

// Role is the current role of a node.
type Role string

// The roles of a node.
const (
	Joining   Role = "joining"   // the node has not heard of any other node yet
	Following Role = "following" // another node has the connection to the platform
	Leading   Role = "leading"   // the node has the connection to the platform
	Alone     Role = "alone"     // the node reaches no majority, or no leader that it can follow
)

// Node takes part in a cluster for one platform. Create it with [New] or [Machine.Join] and
// run it with [Node.Run]; the other methods may be called from any goroutine.
type Node struct {
	// Common gives access to the data that the nodes share.
	Common *Common

	o   Options
	id  [identitySum]byte
	run string // Presence.Run
	sub subjects
	at  *Machine
	nc  *nats.Conn
	js  jetstream.JetStream
	log *serverLog // problems of this platform and, if there are none, of the machine
	wakes

	mu     sync.Mutex // guards everything below
	role   Role
	since  time.Time // of the role
	reason string    // of the role, as the end of a sentence
	begun  time.Time
	marked string // feed state and notice of the shown snapshot; "": none
	screen *screen
	teller *teller
	feed   *upstream
	crowd  crowd
	lease  lease
	yield  bool // a step-down was requested
	stats  Stats
	failed func(error)

	following
}

// wakes are the signals between goroutines of a node.
type wakes struct {
	led signal // this node has begun to lead
	due signal // compete has work to do
}

// signal wakes the goroutine that waits for it, or the next one that does.
type signal chan struct{}

// give sends the signal and does not block.
func (s signal) give() {
	select {
	case s <- struct{}{}:
	default:
	}
}

// following is what a node knows of the leader.
type following struct {
	epoch  uint64    // the highest known one
	leader string    // the node with that epoch
	heard  time.Time // when the leader was last heard from
	ran    time.Time // when this node last ran
	woken  time.Time // when it ran again after a pause
	why    string    // why the leader has no snapshot; "": it has one
	// current is when the shown snapshot was last known to be the leader's newest.
	current time.Time
	beyond  uint64 // the epoch of a leader whose frames this version cannot read
	// toldRev is the revision of the lease that the leader announced last, toldAt when it
	// was first announced.
	toldRev uint64
	toldAt  time.Time
	hearer  *hearer
	clock   skew      // of the leader
	asked   time.Time // when this node last requested the full state, or answered such a request
}

// New returns the node of a machine whose cluster shows a single platform.
func New(ctx context.Context, o Options) (*Node, error) {
	m, err := Open(ctx, o, o.Scope)
	if err != nil {
		return nil, err
	}
	n, err := m.Join(o)
	if err != nil {
		m.leave()
	}
	return n, err
}

// Join returns a node for one platform of the machine. The node publishes nothing before
// [Node.Run], which the caller has to call.
func (at *Machine) Join(o Options) (*Node, error) {
	o = o.withDefaults()
	if err := o.check(); err != nil {
		return nil, err
	}
	n := &Node{
		o: o, id: o.identity(), run: rand.Text(), sub: subjects{o.Name, scopeToken(o.Scope)}, at: at, log: &serverLog{log: o.Logger, now: o.Now, below: at.said},
		role: Joining, screen: newScreen(), crowd: crowd{peers: make(map[string]*peer), lease: o.Lease},
		begun: o.Now(), since: o.Now(), wakes: wakes{make(signal, 1), make(signal, 1)},
	}
	var err error
	if n.teller, err = newTeller(); err != nil {
		return nil, err
	}
	if n.hearer, err = newHearer(); err != nil {
		return nil, err
	}
	if err := n.connect(); err != nil {
		if n.nc != nil {
			n.nc.Close()
		}
		return nil, err
	}
	at.nodes.Add(1)
	n.screen.mark(n.begun, n.waitingFor(model.LinkConnecting, "joining the cluster "+o.Name))
	return n, nil
}

// connect connects to NATS and subscribes to the subjects of the node.
func (n *Node) connect() (err error) {
	if n.nc, err = dial(&n.o, n.at.own, n.o.Logger); err != nil {
		return err
	}
	if n.js, err = jetstream.New(n.nc); err != nil {
		return fmt.Errorf("cluster: %w", err)
	}
	n.Common = &Common{
		name: n.o.Node, run: n.run, sub: n.sub, js: n.js, log: n.o.Logger, now: n.o.Now,
		term: n.o.lockTerm, apart: n.apart, actAlone: n.o.ActAlone, own: make(map[string]bool),
	}
	for subject, take := range map[string]nats.MsgHandler{
		n.sub.data(): n.hear, n.sub.ask(): n.answer, n.sub.node("*"): n.meet, n.sub.call(n.o.Node): n.obey,
	} {
		if _, err := n.nc.Subscribe(subject, take); err != nil {
			return fmt.Errorf("cluster: %w", err)
		}
	}
	return nil
}

func (n *Node) close() {
	n.nc.Close()
	n.at.leave()
}

// Latest returns the newest snapshot. Before the first data of the platform it is an empty
// snapshot with the state of the node.
func (n *Node) Latest() *model.Snapshot { return n.screen.Latest() }

// Wait waits for a snapshot with a sequence number greater than after and returns the
// newest one, or the error of the context.
func (n *Node) Wait(ctx context.Context, after uint64) (*model.Snapshot, error) {
	return n.screen.Wait(ctx, after)
}

// Run takes part in the cluster until the context ends or the connection to the platform
// fails permanently. It then gives the lease back and returns the error of the context or
// of the connection.
func (n *Node) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	n.mu.Lock()
	n.failed = func(err error) { cancel(err) }
	n.begun = n.o.Now()
	n.mu.Unlock()
	var wg sync.WaitGroup
	wg.Go(func() { every(ctx, n.o.Lease/4, n.beat) })
	wg.Go(func() { contest(ctx, n) })
	wg.Go(func() { every(ctx, leaseStuck/4, func() { n.unstick(ctx) }) })
	wg.Go(func() { n.keepApart(ctx) })
	wg.Go(func() { every(ctx, time.Second, func() { n.Common.open(ctx) }) })
	if n.o.AuditFile != "" {
		wg.Go(func() { n.Common.copyAudit(ctx, n.o.AuditFile) })
	}
	<-ctx.Done()
	wg.Wait()
	n.resign()
	n.mu.Lock()
	feed := n.feed
	n.feed = nil
	n.mu.Unlock()
	feed.stop()
	n.close()
	return context.Cause(ctx)
}

// every calls a function at once and then periodically until the context ends.
func every(ctx context.Context, d time.Duration, do func()) {
	t := time.NewTicker(d)
	defer t.Stop()
	for {
		do()
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
	}
}

// resign gives the lease back so that another node need not wait until it expires.
func (n *Node) resign() {
	n.mu.Lock()
	l, leads := n.lease, n.role == Leading
	n.mu.Unlock()
	if !leads || l.kv == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 3*n.o.Lease)
	defer cancel()
	n.moveStore(ctx)
	v := l.value
	v.Node, v.By = "", n.o.Node
	if err := l.put(ctx, v, n.o.Now()); err != nil {
		n.o.Logger.Info("lease not given back; it expires by itself", "error", err)
	}
}

// become changes the role and opens or closes the connection to the platform accordingly.
// The caller holds mu.
func (n *Node) become(r Role, why string) {
	if n.role == r {
		return
	}
	n.o.Logger.Info("cluster", "node", n.o.Node, "role", string(r), "was", string(n.role), "epoch", n.epoch, "why", why)
	n.role, n.since, n.reason = r, n.o.Now(), why
	n.stats.Changes++
	n.teller.whole, n.crowd.told = time.Time{}, time.Time{}
	if r != Leading {
		n.lease.renewed = time.Time{}
	}
	switch {
	case r == Leading, r == Alone && n.o.Fallback == FallbackOwn:
		n.open()
	case n.feed != nil:
		go n.feed.stop()
		n.feed = nil
	}
	switch r {
	case Following:
		n.hearer.lose()
		n.current = n.o.Now()
	case Leading:
		n.led.give()
	case Joining, Alone:
	}
	n.remark()
}

// fail ends the node, because its connection to the platform failed permanently.
func (n *Node) fail(err error) {
	if !errors.Is(err, context.Canceled) {
		n.failed(err)
	}
}

// apart reports whether this node is Alone, and whether it is Alone and hears no majority.
func (n *Node) apart() (alone, cutOff bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.role == Alone, n.role == Alone && !n.majority(n.o.Now())
}
