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

// Role is what a node does at present.
type Role string

// The roles of a node.
const (
	Joining   Role = "joining"   // it has not heard of anybody yet
	Following Role = "following" // another one has the connection to the platform
	Leading   Role = "leading"   // it has it
	Alone     Role = "alone"     // it cannot reach a majority
)

// Node is one machine of a cluster that shows a platform. Create it with [New] or
// [Machine.Join] and run it with [Node.Run]; the other methods may be called from any
// goroutine.
type Node struct {
	// Common is what the nodes keep together.
	Common *Common

	o   Options
	id  [identitySum]byte
	run string // this life of the node
	sub subjects
	at  *Machine
	nc  *nats.Conn
	js  jetstream.JetStream
	log *serverLog // of this platform, with what the server says
	wakes

	mu     sync.Mutex // guards everything below
	role   Role
	since  time.Time // of the role
	reason string    // of the role, as the end of a sentence
	begun  time.Time
	marked string // what is said of the present picture; "": nothing
	screen *screen
	teller *teller
	feed   *upstream
	crowd  crowd
	lease  lease
	yield  bool // somebody asks to step down
	stats  Stats
	failed func(error)

	following
}

// wakes are what goroutines of a node wait for.
type wakes struct {
	led signal // this node leads now
	due signal // the lease is to be competed for
}

// signal wakes who waits for it, or who does so next.
type signal chan struct{}

func (s signal) give() {
	select {
	case s <- struct{}{}:
	default:
	}
}

// following is what a node knows of who leads.
type following struct {
	epoch  uint64    // the highest that was heard of
	leader string    // whom it is of
	heard  time.Time // when the leader was heard last
	ran    time.Time // when this node ran last
	woken  time.Time // when it ran again after it had not for a while
	why    string    // why the leader has no picture; "": it has one
	// current is when the picture was known last to be that of the leader.
	current time.Time
	beyond  uint64 // the epoch of a leader whose pictures this version cannot read
	// toldRev is the revision of the lease that the leader has told of, toldAt when it did so
	// first.
	toldRev uint64
	toldAt  time.Time
	hearer  *hearer
	clock   skew      // of the leader
	asked   time.Time // when all there is was asked for last, or told because of that
}

// New prepares the only node of a machine, whose cluster shows one platform.
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

// Join prepares a node. Nothing is said to anybody before [Node.Run], which has to be
// called.
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

// Latest returns the newest picture, which is one of a cluster that is joined before
// the first of a platform.
func (n *Node) Latest() *model.Snapshot { return n.screen.Latest() }

// Wait returns the newest picture as soon as there is one with a number greater than
// after, or the context's error.
func (n *Node) Wait(ctx context.Context, after uint64) (*model.Snapshot, error) {
	return n.screen.Wait(ctx, after) //nolint:wrapcheck // the documented error
}

// Run takes part in the cluster until the context ends, gives the lease back, and
// returns the context's error, or that of a connection that broke for good.
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
	return context.Cause(ctx) //nolint:wrapcheck // the documented error
}

// every calls a function again and again until the context ends.
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

// resign gives the lease back, so that another one need not wait for its end.
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
		n.o.Logger.Info("the lease could not be given back; it ends by itself", "error", err)
	}
}

// become changes the role. The caller holds mu.
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

// Fail ends the node: its connection to the platform broke for good.
func (n *Node) fail(err error) {
	if !errors.Is(err, context.Canceled) {
		n.failed(err)
	}
}

// apart reports whether this node is by itself, and whether it hears no majority besides.
func (n *Node) apart() (alone, cutOff bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.role == Alone, n.role == Alone && !n.majority(n.o.Now())
}
