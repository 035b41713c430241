package cluster

import (
	"context"
	"encoding/json"
	"time"

	"github.com/nats-io/nats.go"

	"wallboard/model"
)

// handlePresence handles the presence message of another node. If both nodes lead and the
// other one has the higher epoch, this node becomes a follower.
func (n *Node) handlePresence(msg *nats.Msg) {
	var p Presence
	if len(msg.Data) > maxPresenceBytes || json.Unmarshal(msg.Data, &p) != nil || !NamePattern.MatchString(p.Node) {
		return
	}
	p.RunID, p.Version, p.Role = cleanName(p.RunID), cleanName(p.Version), Role(cleanName(string(p.Role)))
	p.HostKey, p.SSHPort = model.CleanText(p.HostKey, maxHostKeyBytes), cleanName(p.SSHPort)
	n.mu.Lock()
	defer n.mu.Unlock()
	now := n.options.Now()
	if p.Platform != platformHash(n.identity) {
		n.stats.ForeignMessages++
		n.reportProblem("node " + p.Node + " belongs to a cluster of the same name that shows a different platform: give one of the clusters another [cluster] name")
		return
	}
	if n.peers.update(&p, now) {
		n.publishPresence(now)
	}
	if n.role == RoleLeading && p.Role == RoleLeading && p.Epoch > n.leader.epoch {
		n.leader.epoch, n.leader.node = p.Epoch, p.Node
		n.setRole(RoleFollowing, "node "+p.Node+" leads with a higher epoch")
	}
}

// hasMajority reports whether this node and the nodes that it has heard recently are a
// majority of the cluster. If the cluster uses external servers, it reports whether this node
// is connected to one of them. The caller must hold mu.
func (n *Node) hasMajority(now time.Time) bool {
	if n.machine.server == nil {
		return n.natsConn.IsConnected()
	}
	return 1+n.peers.countReachable(now) > len(n.options.Peers)/2
}

// heartbeat does the periodic work of a node. It publishes the presence, triggers work on the
// lease, and changes the role if the leader is silent.
func (n *Node) heartbeat() {
	n.mu.Lock()
	defer n.mu.Unlock()
	now := n.options.Now()
	if now.Sub(n.peers.presenceSent) > presenceInterval(n, now) {
		n.publishPresence(now)
	}
	n.leader.recordActivity(now, n.options.Lease)
	if mustCompete(n, now) {
		n.signals.leaseWorkDue.notify()
	}
	switch n.role {
	case RoleLeading:
		if !mustCompete(n, now) || now.Sub(n.lease.renewedAt) > n.options.Lease*5/8 { // otherwise, renewOrTakeLease calls publishAlive
			n.publishAlive()
		}
		n.abandonUncertainLease(now)
	case RoleFollowing:
		switch silence := now.Sub(n.leader.lastHeard); {
		case now.Sub(n.leader.resumedAt) < n.leaderTimeout():
		case silence > n.leaderTimeout() && (!n.isStoreAnswering(now) || !n.hasMajority(now)):
			n.setRole(RoleAlone, n.subjects.noMajorityReason())
		case silence > n.leaderTimeout()+n.options.Lease: // this node cannot hear the leader, or no node is allowed to lead
			n.setRole(RoleAlone, "no data from node "+cleanName(n.leader.node)+", which leads the cluster "+n.options.Name)
		}
		if n.leader.receiver.lastPiece == 0 && n.leader.noSnapshotReason == "" && now.Sub(n.leader.lastHeard) < n.options.Lease {
			n.requestFullState(now)
		}
	case RoleJoining:
		if n.lease.belongsElsewhere {
			n.setRole(RoleAlone, "the cluster "+n.options.Name+" shows a different platform")
		}
		if now.Sub(n.startedAt) > joinTimeout && !n.isStoreAnswering(now) {
			n.setRole(RoleAlone, n.subjects.noMajorityReason())
		}
	case RoleAlone:
	}
	n.updateNotice()
}

// presenceInterval returns the time that heartbeat waits before it publishes the presence
// again. A leader waits longest, because the other nodes also hear its frames. A follower also
// publishes its presence when it receives a message from the leader. Nodes without a live
// leader publish it in each heartbeat. The caller must hold mu.
func presenceInterval(n *Node, now time.Time) time.Duration {
	switch {
	case n.role == RoleLeading:
		return 4 * n.options.Lease
	case n.role == RoleFollowing && now.Sub(n.leader.lastHeard) < n.options.Lease/2:
		return n.options.Lease * 5 / 8
	}
	return 0
}

// recordActivity records that this node is running. After a pause, for example on a busy machine,
// it sets resumedAt, because the node must first process the messages that arrived during the
// pause: its information about other nodes is out of date.
func (f *leaderState) recordActivity(now time.Time, lease time.Duration) {
	if now.Sub(f.lastActiveAt) > lease/2 && !f.lastActiveAt.IsZero() {
		f.resumedAt = now
	}
	f.lastActiveAt = now
}

// noMajorityReason returns the reason for the role of a node that hears no majority.
func (s subjects) noMajorityReason() string {
	return "no majority of the cluster " + s.name + " can be reached"
}

// joinTimeout is how long a node waits for the other nodes after its start.
const joinTimeout = 12 * time.Second

// leaderTimeout returns how long a follower waits for a leader before it may become Alone. Another
// node takes over within one lease time, and needs some time for its first snapshot.
func (n *Node) leaderTimeout() time.Duration { return 2 * n.options.Lease }

// isStoreAnswering reports whether the bucket of the lease has answered recently. The caller
// must hold mu.
func (n *Node) isStoreAnswering(now time.Time) bool {
	return !n.lease.lastAnswerAt.IsZero() && now.Sub(n.lease.lastAnswerAt) < n.leaderTimeout()
}

// publishPresence publishes the presence of this node. The caller must hold mu.
func (n *Node) publishPresence(now time.Time) {
	n.peers.presenceSent = now
	p := Presence{
		Node: n.options.Node, RunID: n.runID, Version: n.options.Version, Role: n.role, Epoch: n.leader.epoch, Platform: platformHash(n.identity), Sent: now.Round(0),
		HostKey: n.options.HostKey, SSHPort: n.options.SSHPort,
	}
	if n.options.Viewers != nil {
		p.Viewers = n.options.Viewers()
	}
	text, err := json.Marshal(p)
	if err == nil {
		err = n.natsConn.Publish(n.subjects.presenceSubject(n.options.Node), text)
	}
	if err != nil {
		n.options.Logger.Debug("presence not published", "error", err)
	}
}

// publishAlive publishes that this node leads, with the number of its last piece and the
// revision of the lease. If there is no snapshot yet, the message contains the reason. The
// caller must hold mu.
func (n *Node) publishAlive() {
	m := n.messageHeader()
	m.kind, m.seq, m.piece = kindAlive, n.sender.lastPiece, n.lease.revision
	if n.upstream == nil || !n.upstream.isSettled || n.upstream.latest == nil {
		m.body = []byte("node " + n.options.Node + " takes over the connection to the platform")
	}
	if err := n.natsConn.Publish(n.subjects.dataSubject(), m.append(nil)); err != nil {
		n.options.Logger.Debug("leader message not published", "error", err)
	}
}

// abandonUncertainLease makes a leader Alone if it could not renew its lease and hears no
// majority, because another node may take the lease soon. A leader that hears a majority would
// also hear another leader, so it continues to lead; in that case the servers of the lease are
// electing a leader of their own and do not answer for some seconds. The caller must hold mu.
func (n *Node) abandonUncertainLease(now time.Time) {
	if now.Sub(n.leader.resumedAt) < n.options.Lease/2 { // messages from before the pause must be processed first
		return
	}
	if now.Sub(n.lease.renewedAt) > n.options.Lease*3/4 && !n.hasMajority(now) {
		n.setRole(RoleAlone, n.subjects.noMajorityReason())
	}
}

// competeForLease calls renewOrTakeLease whenever heartbeat requests it, and more often while the
// leader is silent. It returns when ctx ends.
func competeForLease(ctx context.Context, n *Node) {
	for {
		n.renewOrTakeLease(ctx)
		var checkDue <-chan time.Time
		if wait := nextLeaseCheck(n); wait > 0 {
			checkDue = time.After(wait)
		}
		select {
		case <-ctx.Done():
			return
		case <-n.signals.leaseWorkDue:
		case <-checkDue:
		}
	}
}

// mustCompete reports whether renewOrTakeLease has work to do. A leader renews its lease at
// least twice per lease time. A follower reads the lease if the leader is silent, or if the
// last read was some time ago. Nodes in other roles always have work. The caller must hold mu.
func mustCompete(n *Node, now time.Time) bool {
	switch {
	case n.role == RoleLeading:
		return n.stepDownRequested || now.Sub(n.lease.renewedAt) > n.options.Lease*3/8
	case n.role != RoleFollowing:
		return true
	case now.Sub(n.leader.resumedAt) < n.options.Lease/2: // messages from before the pause must be processed first
		return false
	}
	return now.Sub(n.leader.lastHeard) > n.options.Lease*3/8 || now.Sub(n.lease.lastAnswerAt) > n.options.Lease*11/8
}

// nextLeaseCheck returns the time that a follower of a silent leader waits before it reads the
// lease again. It returns 0 if the leader is not silent, or if this node is not a follower.
func nextLeaseCheck(n *Node) time.Duration {
	n.mu.Lock()
	defer n.mu.Unlock()
	silence, interval := n.options.Now().Sub(n.leader.lastHeard), n.options.Lease/8
	if n.role != RoleFollowing || silence < n.options.Lease*3/8 {
		return 0
	}
	if remaining := n.options.Lease - silence; remaining >= 0 {
		return min(remaining+time.Millisecond, interval)
	}
	return interval
}

// renewOrTakeLease renews the lease of this node, or takes the lease if it is free. If this
// node leads afterwards, it announces this to the other nodes. It does nothing if mustCompete
// returns false.
func (n *Node) renewOrTakeLease(ctx context.Context) {
	n.mu.Lock()
	now := n.options.Now()
	n.leader.recordActivity(now, n.options.Lease)
	l, needed := n.lease, mustCompete(n, now)
	n.mu.Unlock()
	if !needed {
		return
	}
	if l.bucket == nil {
		var err error
		if l.bucket, err = n.leases.open(ctx); err != nil {
			n.options.Logger.Debug("lease not opened", "error", err)
			return
		}
	}
	started := n.options.Now()
	ctx, cancel := context.WithTimeout(ctx, n.options.Lease)
	defer cancel()
	err := n.takeOrRenewLease(ctx, &l, started)
	n.mu.Lock()
	defer n.mu.Unlock()
	switch {
	case err == nil:
		l.lastAnswerAt = n.options.Now()
	case isBucketMissing(err):
		n.options.Logger.Debug("lease lost, reopening it", "error", err)
		l = lease{renewedAt: l.renewedAt, lastAnswerAt: l.lastAnswerAt}
	default:
		n.stats.UnansweredRequests++
		n.options.Logger.Debug("lease request failed", "error", err)
	}
	if n.role != RoleLeading {
		l.renewedAt = time.Time{}
	}
	n.lease = l
	if n.role == RoleLeading && l.renewedAt.Equal(started) {
		n.publishAlive()
	}
}

// takeOrRenewLease renews the lease if this node leads. Otherwise it reads the lease, and takes
// it if it is free. started is the time at which the request began.
func (n *Node) takeOrRenewLease(ctx context.Context, l *lease, started time.Time) error {
	if n.isLeading() {
		return n.renewLease(ctx, l, started)
	}
	refresh := func() error { return l.refresh(ctx, n.leases.jetStream, started) }
	if n.followsLiveLeader(started) {
		refresh = func() error { return l.refreshFromAny(ctx, started, n.options.Lease) }
	}
	if err := refresh(); err != nil {
		return err
	}
	n.mu.Lock()
	if lead := l.revisionSeenAt.Sub(n.leader.announcedAt); l.revision == n.leader.announcedRevision && lead > 0 && lead < n.options.Lease { // the leader announced this revision before this node read it
		l.revisionSeenAt = n.leader.announcedAt
	}
	isFree := n.options.MayLead && l.canTake(n.options.Node, started, started.Sub(n.leader.lastHeard), n.options.Lease) &&
		(n.role != RoleFollowing || started.Sub(n.leader.lastHeard) > n.options.Lease*2/3 || l.isGivenBack()) // a leader that is heard writes a lost lease again
	l.belongsElsewhere = l.revision != 0 && l.content.Platform != platformHash(n.identity)
	epoch := max(n.leader.epoch, l.content.Epoch)
	if l.belongsElsewhere {
		n.reportProblem("the cluster " + n.options.Name + " shows a different platform than this node: give one of them another [cluster] name")
	}
	n.mu.Unlock()
	if l.belongsElsewhere || !isFree {
		return nil
	}
	content := leaseContent{Node: n.options.Node, RunID: n.runID, Epoch: epoch + 1, Platform: platformHash(n.identity)}
	content.Epoch = max(content.Epoch, l.revision+1)
	if err := l.write(ctx, content, started); err != nil {
		if isRevisionConflict(err) {
			return nil // another node has taken the lease first
		}
		return err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	l.renewedAt = started
	n.lease = *l
	n.leader.epoch, n.leader.node = max(content.Epoch, n.leader.epoch), n.options.Node
	n.setRole(RoleLeading, "it took the lease")
	n.lease.renewedAt = started
	if n.upstream != nil && n.upstream.isSettled && n.upstream.latest != nil {
		n.publishSnapshot(n.upstream.latest)
	}
	return nil
}

// followsLiveLeader reports whether this node follows a leader that is not silent. In that
// case it may take the lease only if the leader has given it back.
func (n *Node) followsLiveLeader(now time.Time) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.role == RoleFollowing && now.Sub(n.leader.lastHeard) <= n.options.Lease*3/8
}

func (n *Node) isLeading() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.role == RoleLeading
}

// renewLease renews the lease of this node, or gives it back if a step-down was requested. If
// another node has the lease, this node becomes its follower.
func (n *Node) renewLease(ctx context.Context, l *lease, started time.Time) error {
	n.mu.Lock()
	content := leaseContent{Node: n.options.Node, RunID: n.runID, Epoch: n.leader.epoch, Platform: platformHash(n.identity)}
	stepDown := n.stepDownRequested
	n.stepDownRequested = false
	n.mu.Unlock()
	if stepDown {
		content.Node, content.GivenBackBy = "", n.options.Node
	}
	err := l.write(ctx, content, started)
	if isRevisionConflict(err) { // another node wrote the lease, or the answer to a write was lost
		if err = l.refresh(ctx, n.leases.jetStream, started); err != nil {
			return err
		}
		if l.content.RunID == n.runID {
			err = l.write(ctx, content, started)
		} else if l.revision != 0 {
			n.followLeaseHolder(l)
			return nil
		}
	}
	if err != nil {
		return err
	}
	l.renewedAt = started
	if stepDown {
		n.mu.Lock()
		n.leader.lastHeard = started
		n.setRole(RoleFollowing, "it was asked to step down")
		n.mu.Unlock()
	}
	return nil
}

// followLeaseHolder makes this node a follower of the holder of the lease.
func (n *Node) followLeaseHolder(l *lease) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.leader.lastHeard = n.options.Now()
	n.leader.node = l.content.Node
	n.leader.epoch = max(n.leader.epoch, l.content.Epoch)
	n.setRole(RoleFollowing, "node "+cleanName(l.content.Node)+" has the lease")
}
