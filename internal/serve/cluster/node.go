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

// Node takes part in a cluster for one platform. Create it with [Machine.Join] and
// run it with [Node.Run]; the other methods may be called from any goroutine.
type Node struct {
	// Shared gives access to the data that the nodes share.
	Shared *SharedData

	options   Options
	identity  [identitySize]byte
	runID     string // Presence.RunID
	subjects  subjects
	machine   *Machine
	natsConn  *nats.Conn
	jetStream jetstream.JetStream
	log       *serverLog // problems of this platform and, if there are none, of the machine
	wakeups

	mu                sync.Mutex // guards everything below
	role              Role
	roleSince         time.Time // start of the role
	roleReason        string    // reason for the role, as the end of a sentence
	startedAt         time.Time
	shownState        string // feed state and notice of the shown snapshot; "": none
	publisher         *snapshotPublisher
	sender            *frameSender
	upstream          *upstream
	peers             peerSet
	lease             lease
	stepDownRequested bool // a step-down was requested
	stats             Stats
	onFailure         func(error)

	leaderState
}

// wakeups are the signals between goroutines of a node.
type wakeups struct {
	startedLeading signal // this node has begun to lead
	leaseWorkDue   signal // renewOrTakeLease has work to do
}

// signal wakes the goroutine that waits for it, now or later.
type signal chan struct{}

// notify sends the signal and does not block.
func (s signal) notify() {
	select {
	case s <- struct{}{}:
	default:
	}
}

// leaderState holds a node's knowledge of the leader.
type leaderState struct {
	epoch            uint64    // the highest known one
	leader           string    // the node with that epoch
	lastHeard        time.Time // time of the leader's last message
	lastRunAt        time.Time // time of the last call of recordRun
	resumedAt        time.Time // end of the last pause in which it did not run
	noSnapshotReason string    // reason for which the leader has no snapshot; "": it has one
	// currentAt is the last time at which the shown snapshot was known to be the leader's newest.
	currentAt       time.Time
	unreadableEpoch uint64 // the epoch of a leader whose frames this version cannot read
	// announcedRevision is the revision of the lease that the leader announced last,
	// announcedAt when it was first announced.
	announcedRevision uint64
	announcedAt       time.Time
	receiver          *frameReceiver
	leaderClock       clockSkew // clock of the leader
	fullStateAskedAt  time.Time // time of the last request for the full state, or of the last answer to one
}

// Join returns a node for one platform of the machine. The node publishes nothing before
// [Node.Run], which the caller has to call.
func (m *Machine) Join(o Options) (*Node, error) {
	o = o.withDefaults()
	if err := o.check(); err != nil {
		return nil, err
	}
	n := &Node{
		options: o, identity: o.identity(), runID: rand.Text(), subjects: subjects{o.Name, scopeToken(o.Scope)}, machine: m, log: &serverLog{log: o.Logger, now: o.Now, fallback: m.problem},
		role: Joining, publisher: newSnapshotPublisher(), peers: peerSet{byName: make(map[string]*peer), leaseTime: o.Lease},
		startedAt: o.Now(), roleSince: o.Now(), wakeups: wakeups{make(signal, 1), make(signal, 1)},
	}
	var err error
	if n.sender, err = newFrameSender(); err != nil {
		return nil, err
	}
	if n.receiver, err = newFrameReceiver(); err != nil {
		return nil, err
	}
	if err := n.connect(); err != nil {
		if n.natsConn != nil {
			n.natsConn.Close()
		}
		return nil, err
	}
	m.nodes.Add(1)
	n.publisher.showHealth(n.startedAt, n.waitingHealth(model.LinkConnecting, "joining the cluster "+o.Name))
	return n, nil
}

// connect connects to NATS and subscribes to the subjects of the node.
func (n *Node) connect() (err error) {
	if n.natsConn, err = connectNATS(&n.options, n.machine.server, n.options.Logger); err != nil {
		return err
	}
	if n.jetStream, err = jetstream.New(n.natsConn); err != nil {
		return fmt.Errorf("cluster: %w", err)
	}
	n.Shared = &SharedData{
		name: n.options.Node, runID: n.runID, subjects: n.subjects, jetStream: n.jetStream, log: n.options.Logger, now: n.options.Now,
		lockTerm: n.options.lockTerm, isolation: n.isolation, actAlone: n.options.ActAlone, ownLocks: make(map[string]bool),
	}
	for subject, take := range map[string]nats.MsgHandler{
		n.subjects.dataSubject(): n.handleLeaderMessage, n.subjects.fullStateSubject(): n.handleFullStateRequest, n.subjects.presenceSubject("*"): n.handlePresence, n.subjects.requestSubject(n.options.Node): n.handleRequest,
	} {
		if _, err := n.natsConn.Subscribe(subject, take); err != nil {
			return fmt.Errorf("cluster: %w", err)
		}
	}
	return nil
}

func (n *Node) close() {
	n.natsConn.Close()
	n.machine.nodeEnded()
}

// Latest returns the newest snapshot. Before the first data of the platform it is an empty
// snapshot with the state of the node.
func (n *Node) Latest() *model.Snapshot { return n.publisher.Latest() }

// Wait waits for a snapshot with a sequence number greater than after and returns the
// newest one, or the error of the context.
func (n *Node) Wait(ctx context.Context, after uint64) (*model.Snapshot, error) {
	return n.publisher.Wait(ctx, after)
}

// Run takes part in the cluster until the context ends or the connection to the platform
// fails permanently. It then gives the lease back and returns the error of the context or
// of the connection.
func (n *Node) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	n.mu.Lock()
	n.onFailure = func(err error) { cancel(err) }
	n.startedAt = n.options.Now()
	n.mu.Unlock()
	var wg sync.WaitGroup
	wg.Go(func() { callPeriodically(ctx, n.options.Lease/4, n.heartbeat) })
	wg.Go(func() { competeForLease(ctx, n) })
	wg.Go(func() { callPeriodically(ctx, leaseStuckAfter/4, func() { n.recreateStuckLease(ctx) }) })
	wg.Go(func() { n.keepLeaseStreamElsewhere(ctx) })
	wg.Go(func() { callPeriodically(ctx, time.Second, func() { n.Shared.openBuckets(ctx) }) })
	if n.options.AuditFile != "" {
		wg.Go(func() { n.Shared.copyAudit(ctx, n.options.AuditFile) })
	}
	<-ctx.Done()
	wg.Wait()
	n.resign()
	n.mu.Lock()
	feed := n.upstream
	n.upstream = nil
	n.mu.Unlock()
	feed.stop()
	n.close()
	return context.Cause(ctx)
}

// callPeriodically calls a function at once and then periodically until the context ends.
func callPeriodically(ctx context.Context, interval time.Duration, task func()) {
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		task()
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// resign gives the lease back so that another node need not wait until it expires.
func (n *Node) resign() {
	n.mu.Lock()
	l, leads := n.lease, n.role == Leading
	n.mu.Unlock()
	if !leads || l.bucket == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 3*n.options.Lease)
	defer cancel()
	n.moveLeaseStreamLeader(ctx)
	content := l.content
	content.Node, content.GivenBackBy = "", n.options.Node
	if err := l.write(ctx, content, n.options.Now()); err != nil {
		n.options.Logger.Info("lease not given back; it expires by itself", "error", err)
	}
}

// setRole changes the role and opens or closes the connection to the platform accordingly.
// The caller holds mu.
func (n *Node) setRole(r Role, reason string) {
	if n.role == r {
		return
	}
	n.options.Logger.Info("cluster", "node", n.options.Node, "role", string(r), "was", string(n.role), "epoch", n.epoch, "why", reason)
	n.role, n.roleSince, n.roleReason = r, n.options.Now(), reason
	n.stats.RoleChanges++
	n.sender.lastFull, n.peers.presenceSent = time.Time{}, time.Time{}
	if r != Leading {
		n.lease.renewedAt = time.Time{}
	}
	switch {
	case r == Leading, r == Alone && n.options.Fallback == FallbackOwn:
		n.openUpstream()
	case n.upstream != nil:
		go n.upstream.stop()
		n.upstream = nil
	}
	switch r {
	case Following:
		n.receiver.reset()
		n.currentAt = n.options.Now()
	case Leading:
		n.startedLeading.notify()
	case Joining, Alone:
	}
	n.updateNotice()
}

// endWithError ends the node, because its connection to the platform failed permanently.
func (n *Node) endWithError(err error) {
	if !errors.Is(err, context.Canceled) {
		n.onFailure(err)
	}
}

// isolation reports whether this node is Alone, and whether it is Alone and hears no majority.
func (n *Node) isolation() (alone, cutOff bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.role == Alone, n.role == Alone && !n.hasMajority(n.options.Now())
}
