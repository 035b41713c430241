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

// Values of [Role].
const (
	RoleJoining   Role = "joining"   // the node has just started and knows no leader yet
	RoleFollowing Role = "following" // another node is connected to the platform
	RoleLeading   Role = "leading"   // the node is connected to the platform for all nodes
	RoleAlone     Role = "alone"     // the node hears no majority, or no leader that it can follow
)

// Node takes part in a cluster for one platform. [LocalCluster.Join] creates it and [Node.Run] runs
// it. The other methods are safe for concurrent use.
type Node struct {
	// Shared gives access to the data that the nodes share.
	Shared *SharedData

	options  Options
	identity [identitySize]byte
	runID    string // see Presence.RunID
	subjects subjects
	machine  *LocalCluster
	natsConn *nats.Conn
	leases   leaseStream
	log      *serverLog // logs messages; returns the last problem of this platform or, without one, of the machine
	signals  wakeSignals

	mu                sync.Mutex // guards everything below
	role              Role
	roleSince         time.Time // start of the current role
	roleReason        string    // reason for the current role, as the end of a sentence
	startedAt         time.Time
	shownState        string // describes the displayed feed state and notice, to detect changes
	publisher         *snapshotPublisher
	sender            *frameSender
	upstream          *platformConnection
	peers             peerSet
	lease             lease
	stepDownRequested bool // the leader gives the lease back at the next renewal
	stats             Stats
	onFailure         func(error)
	leader            leaderState
}

// wakeSignals holds the signals that wake the goroutines of a node.
type wakeSignals struct {
	startedLeading signal // this node has begun to lead
	leaseWorkDue   signal // renewOrTakeLease may have work to do
}

// signal wakes a goroutine that waits for it. If no goroutine waits, the next one does not
// have to wait.
type signal chan struct{}

// notify sends the signal. It does not block.
func (s signal) notify() {
	select {
	case s <- struct{}{}:
	default:
	}
}

// leaderState is the state of the leader, as a node knows it, and of the messages from it.
type leaderState struct {
	epoch            uint64    // highest known epoch
	node             string    // node with this epoch
	lastHeard        time.Time // time of the last message from the leader
	lastActiveAt     time.Time // time of the last call of recordActivity
	resumedAt        time.Time // end of the last pause in which this node did not run
	noSnapshotReason string    // reason why the leader has no snapshot; "": it has one
	// currentAt is the last time at which the displayed snapshot was known to be the newest
	// one of the leader.
	currentAt       time.Time
	unreadableEpoch uint64 // epoch of a leader whose frames this version cannot read
	// announcedRevision is the last revision of the lease that the leader announced, and
	// announcedAt the time of its first announcement.
	announcedRevision uint64
	announcedAt       time.Time
	receiver          *frameReceiver
	leaderClock       clockSkew // difference between this node's clock and the leader's
	fullStateAskedAt  time.Time // time of the last request for the full state, or of the last response to one
}

// Join returns a node for a platform on this machine. The node publishes nothing before
// [Node.Run]. The caller must call Run, which also releases the resources of the node.
func (m *LocalCluster) Join(o Options) (*Node, error) {
	o = o.withDefaults()
	if err := o.check(); err != nil {
		return nil, err
	}
	n := &Node{
		options: o, identity: o.identity(), runID: rand.Text(), subjects: subjects{o.Name, scopeToken(o.Scope)}, machine: m, log: &serverLog{log: o.Logger, now: o.Now, fallback: m.problem},
		role: RoleJoining, publisher: newSnapshotPublisher(), peers: peerSet{byName: make(map[string]*peerNode), leaseTime: o.Lease},
		startedAt: o.Now(), roleSince: o.Now(), signals: wakeSignals{make(signal, 1), make(signal, 1)},
	}
	var err error
	if n.sender, err = newFrameSender(); err != nil {
		return nil, err
	}
	if n.leader.receiver, err = newFrameReceiver(); err != nil {
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

// connect connects to NATS and subscribes to the messages for this node.
func (n *Node) connect() (err error) {
	if n.natsConn, err = connectNATS(&n.options, n.machine.server, n.options.Logger); err != nil {
		return err
	}
	jetStream, err := jetstream.New(n.natsConn)
	if err != nil {
		return fmt.Errorf("cluster: %w", err)
	}
	n.leases = leaseStream{
		conn: n.natsConn, jetStream: jetStream, bucket: n.subjects.bucketName(bucketLease), node: n.options.Node, mayCreate: n.options.MayLead,
		hasOwnServer: n.machine.server != nil, log: n.options.Logger,
	}
	n.Shared = &SharedData{
		name: n.options.Node, runID: n.runID, subjects: n.subjects, jetStream: jetStream, log: n.options.Logger, now: n.options.Now,
		lockTerm: n.options.lockTerm, isolation: n.isolation, actWithoutMajority: n.options.ActWithoutMajority, ownLocks: make(map[string]bool),
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

// Latest returns the newest snapshot. Before the first data from the platform, it returns a
// snapshot without records that describes the state of the node.
func (n *Node) Latest() *model.Snapshot { return n.publisher.Latest() }

// Wait waits for a snapshot with a Seq greater than after and returns the newest snapshot. If
// the context ends first, it returns the error of the context.
func (n *Node) Wait(ctx context.Context, after uint64) (*model.Snapshot, error) {
	return n.publisher.Wait(ctx, after)
}

// Run takes part in the cluster until the context ends or the connection to the platform fails
// permanently. It then gives the lease back and returns the error of the context or of the
// connection.
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
	n.giveBackLease()
	n.mu.Lock()
	feed := n.upstream
	n.upstream = nil
	n.mu.Unlock()
	feed.stop()
	n.close()
	return context.Cause(ctx)
}

// callPeriodically calls task at once and then periodically until the context ends.
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

// giveBackLease gives the lease back if this node leads. Other nodes then need not wait until it expires.
func (n *Node) giveBackLease() {
	n.mu.Lock()
	l, leads := n.lease, n.role == RoleLeading
	n.mu.Unlock()
	if !leads || l.bucket == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 3*n.options.Lease)
	defer cancel()
	n.leases.moveLeader(ctx)
	content := l.content
	content.Node, content.GivenBackBy = "", n.options.Node
	if err := l.write(ctx, content, n.options.Now()); err != nil {
		n.options.Logger.Info("lease not given back; it expires by itself", "error", err)
	}
}

// setRole changes the role, and opens or closes the connection to the platform as needed. It
// does nothing if the node already has the role. reason is the end of a sentence. The caller
// must hold mu.
func (n *Node) setRole(r Role, reason string) {
	if n.role == r {
		return
	}
	n.options.Logger.Info("cluster", "node", n.options.Node, "role", string(r), "was", string(n.role), "epoch", n.leader.epoch, "why", reason)
	n.role, n.roleSince, n.roleReason = r, n.options.Now(), reason
	n.stats.RoleChanges++
	n.sender.lastFull, n.peers.presenceSent = time.Time{}, time.Time{}
	if r != RoleLeading {
		n.lease.renewedAt = time.Time{}
	}
	switch {
	case r == RoleLeading, r == RoleAlone && n.options.Fallback == FallbackOwn:
		n.openUpstream()
	case n.upstream != nil:
		go n.upstream.stop()
		n.upstream = nil
	}
	switch r {
	case RoleFollowing:
		n.leader.receiver.reset()
		n.leader.currentAt = n.options.Now()
	case RoleLeading:
		n.signals.startedLeading.notify()
	case RoleJoining, RoleAlone:
	}
	n.updateNotice()
}

// endWithError ends Run with an error, because the connection to the platform has failed
// permanently.
func (n *Node) endWithError(err error) {
	if !errors.Is(err, context.Canceled) {
		n.onFailure(err)
	}
}

// isolation returns two facts: alone reports whether this node has the role Alone, and cutOff
// whether it also hears no majority.
func (n *Node) isolation() (alone, cutOff bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.role == RoleAlone, n.role == RoleAlone && !n.hasMajority(n.options.Now())
}
