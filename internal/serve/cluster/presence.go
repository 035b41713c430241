package cluster

import (
	"context"
	"encoding/json"
	"time"

	"github.com/nats-io/nats.go"

	"wallboard/model"
)

// handlePresence handles the presence message of another node.
func (n *Node) handlePresence(msg *nats.Msg) {
	var p Presence
	if len(msg.Data) > maxPresenceBytes || json.Unmarshal(msg.Data, &p) != nil || !NamePattern.MatchString(p.Node) {
		return
	}
	p.RunID, p.Version, p.Role = cleanName(p.RunID), cleanName(p.Version), Role(cleanName(string(p.Role)))
	p.HostKey, p.SSHPort = model.CleanText(p.HostKey, maxHostKeyBytes), cleanName(p.SSHPort)
	n.mu.Lock()
	defer n.mu.Unlock()
	now := n.o.Now()
	if p.Platform != platformOf(n.identity) {
		n.stats.ForeignMessages++
		n.reportProblem("node " + p.Node + " belongs to a cluster of the same name that shows a different platform: give one of the clusters another [cluster] name")
		return
	}
	if n.peers.update(&p, now) {
		n.publishPresence(now)
	}
	if n.role == Leading && p.Role == Leading && p.Epoch > n.epoch {
		n.epoch, n.leader = p.Epoch, p.Node
		n.setRole(Following, "node "+p.Node+" leads with a higher epoch")
	}
}

// hasMajority reports whether this node and the nodes that it hears are a majority of the
// cluster. With external servers it reports whether this node is connected to one. The
// caller holds mu.
func (n *Node) hasMajority(now time.Time) bool {
	if n.machine.server == nil {
		return n.nc.IsConnected()
	}
	return 1+n.peers.countHeard(now) > len(n.o.Peers)/2
}

// heartbeat does the periodic work of the node: it publishes the presence, triggers the
// competition for the lease and changes the role if the leader is silent.
func (n *Node) heartbeat() {
	n.mu.Lock()
	defer n.mu.Unlock()
	now := n.o.Now()
	if now.Sub(n.peers.presenceSent) > presenceInterval(n, now) {
		n.publishPresence(now)
	}
	n.noteRunning(now, n.o.Lease)
	if mustCompete(n, now) {
		n.leaseWorkDue.notify()
	}
	switch n.role {
	case Leading:
		if !mustCompete(n, now) || now.Sub(n.lease.renewedAt) > n.o.Lease*5/8 { // otherwise compete calls alive
			n.publishAlive()
		}
		n.leaveDoubtfulLease(now)
	case Following:
		switch silence := now.Sub(n.lastHeard); {
		case now.Sub(n.resumedAt) < n.leaderTimeout():
		case silence > n.leaderTimeout() && (!n.isStoreAnswering(now) || !n.hasMajority(now)):
			n.setRole(Alone, n.subjects.noMajorityReason())
		case silence > n.leaderTimeout()+n.o.Lease: // the leader cannot be heard from here, or no node may lead
			n.setRole(Alone, "no data from node "+cleanName(n.leader)+", which leads the cluster "+n.o.Name)
		}
		if n.receiver.lastPiece == 0 && n.noSnapshotReason == "" && now.Sub(n.lastHeard) < n.o.Lease {
			n.requestFullState(now)
		}
	case Joining:
		if n.lease.isForeign {
			n.setRole(Alone, "the cluster "+n.o.Name+" shows a different platform")
		}
		if now.Sub(n.startedAt) > joinTimeout && !n.isStoreAnswering(now) {
			n.setRole(Alone, n.subjects.noMajorityReason())
		}
	case Alone:
	}
	n.updateNotice()
}

// presenceInterval returns how long the beat of a node publishes no presence. A leader is heard by
// its frames. A follower also publishes its presence when it receives a message of the
// leader. The caller holds mu.
func presenceInterval(n *Node, now time.Time) time.Duration {
	switch {
	case n.role == Leading:
		return 4 * n.o.Lease
	case n.role == Following && now.Sub(n.lastHeard) < n.o.Lease/2:
		return n.o.Lease * 5 / 8
	}
	return 0
}

// noteRunning notes that this node runs, and sets resumedAt if it has not run for a while, as on a
// busy machine. It has then yet to process the messages of that time, and what it knows
// of the other nodes is out of date.
func (f *leaderState) noteRunning(now time.Time, lease time.Duration) {
	if now.Sub(f.lastRun) > lease/2 && !f.lastRun.IsZero() {
		f.resumedAt = now
	}
	f.lastRun = now
}

// noMajorityReason returns the reason of a node that hears no majority.
func (s subjects) noMajorityReason() string {
	return "no majority of the cluster " + s.name + " can be reached"
}

// joinTimeout is how long a starting node waits for the others.
const joinTimeout = 12 * time.Second

// leaderTimeout returns how long a follower waits for any leader before it may become Alone:
// another node takes over within one lease and needs some time for its first snapshot.
func (n *Node) leaderTimeout() time.Duration { return 2 * n.o.Lease }

// isStoreAnswering reports whether the lease bucket has answered recently. The caller holds mu.
func (n *Node) isStoreAnswering(now time.Time) bool {
	return !n.lease.lastAnswer.IsZero() && now.Sub(n.lease.lastAnswer) < n.leaderTimeout()
}

// publishPresence publishes the presence of this node. The caller holds mu.
func (n *Node) publishPresence(now time.Time) {
	n.peers.presenceSent = now
	p := Presence{
		Node: n.o.Node, RunID: n.runID, Version: n.o.Version, Role: n.role, Epoch: n.epoch, Platform: platformOf(n.identity), Sent: now.Round(0),
		HostKey: n.o.HostKey, SSHPort: n.o.SSHPort,
	}
	if n.o.Viewers != nil {
		p.Viewers = n.o.Viewers()
	}
	text, err := json.Marshal(p)
	if err == nil {
		err = n.nc.Publish(n.subjects.node(n.o.Node), text)
	}
	if err != nil {
		n.o.Logger.Debug("presence not published", "error", err)
	}
}

// publishAlive publishes that this node leads, and the number of its last piece. The caller
// holds mu.
func (n *Node) publishAlive() {
	m := n.messageHeader()
	m.kind, m.seq, m.piece = kindAlive, n.sender.lastPiece, n.lease.revision
	if n.feed == nil || !n.feed.isSettled || n.feed.latest == nil {
		m.body = []byte("node " + n.o.Node + " takes over the connection to the platform")
	}
	if err := n.nc.Publish(n.subjects.data(), m.append(nil)); err != nil {
		n.o.Logger.Debug("leader message not published", "error", err)
	}
}

// leaveDoubtfulLease makes this node Alone if it could not renew its lease and hears no majority,
// because another node may take the lease soon. While this node hears a majority, it
// would hear another leader, so it continues: servers that elect a new leader of their
// own do not answer for seconds. The caller holds mu.
func (n *Node) leaveDoubtfulLease(now time.Time) {
	if now.Sub(n.resumedAt) < n.o.Lease/2 { // messages of the pause are still to be processed
		return
	}
	if now.Sub(n.lease.renewedAt) > n.o.Lease*3/4 && !n.hasMajority(now) {
		n.setRole(Alone, n.subjects.noMajorityReason())
	}
}

// competeForLease competes for the lease until the context ends: when a beat requests it, and more
// often while the leader is silent.
func competeForLease(ctx context.Context, n *Node) {
	for {
		n.compete(ctx)
		var checkDue <-chan time.Time
		if wait := nextLeaseCheck(n); wait > 0 {
			checkDue = time.After(wait)
		}
		select {
		case <-ctx.Done():
			return
		case <-n.leaseWorkDue:
		case <-checkDue:
		}
	}
}

// mustCompete reports whether compete has work to do. A leader renews its lease at least
// twice per term. A follower checks the lease if the leader is silent, or if it has not
// checked for a while. Other nodes always compete. The caller holds mu.
func mustCompete(n *Node, now time.Time) bool {
	switch {
	case n.role == Leading:
		return n.stepDownRequested || now.Sub(n.lease.renewedAt) > n.o.Lease*3/8
	case n.role != Following:
		return true
	case now.Sub(n.resumedAt) < n.o.Lease/2: // messages of the pause are still to be processed
		return false
	}
	return now.Sub(n.lastHeard) > n.o.Lease*3/8 || now.Sub(n.lease.lastAnswer) > n.o.Lease*11/8
}

// nextLeaseCheck returns the time until a follower of a silent leader checks the lease again,
// which is at most the time until it may take the lease. It returns 0 if the leader is
// not silent.
func nextLeaseCheck(n *Node) time.Duration {
	n.mu.Lock()
	defer n.mu.Unlock()
	silence, interval := n.o.Now().Sub(n.lastHeard), n.o.Lease/8
	if n.role != Following || silence < n.o.Lease*3/8 {
		return 0
	}
	if remaining := n.o.Lease - silence; remaining >= 0 {
		return min(remaining+time.Millisecond, interval)
	}
	return interval
}

// compete renews the lease, or takes it if it is free, and announces that.
func (n *Node) compete(ctx context.Context) {
	n.mu.Lock()
	now := n.o.Now()
	n.noteRunning(now, n.o.Lease)
	l, needed := n.lease, mustCompete(n, now)
	n.mu.Unlock()
	if !needed {
		return
	}
	if l.bucket == nil {
		var err error
		if l.bucket, err = n.openLease(ctx); err != nil {
			n.o.Logger.Debug("lease not opened", "error", err)
			return
		}
	}
	started := n.o.Now()
	ctx, cancel := context.WithTimeout(ctx, n.o.Lease)
	defer cancel()
	err := n.takeOrRenew(ctx, &l, started)
	n.mu.Lock()
	defer n.mu.Unlock()
	switch {
	case err == nil:
		l.lastAnswer = n.o.Now()
	case isBucketMissing(err):
		n.o.Logger.Debug("lease lost, reopening it", "error", err)
		l = lease{renewedAt: l.renewedAt, lastAnswer: l.lastAnswer}
	default:
		n.stats.UnansweredRequests++
		n.o.Logger.Debug("lease request failed", "error", err)
	}
	if n.role != Leading {
		l.renewedAt = time.Time{}
	}
	n.lease = l
	if n.role == Leading && l.renewedAt.Equal(started) {
		n.publishAlive()
	}
}

// takeOrRenew renews the lease if this node leads. Otherwise it reads the lease, and takes it
// if it is free. started is when the request starts.
func (n *Node) takeOrRenew(ctx context.Context, l *lease, started time.Time) error {
	if n.isLeading() {
		return n.renew(ctx, l, started)
	}
	refresh := func() error { return l.refresh(ctx, n.js, started) }
	if n.followsLiveLeader(started) {
		refresh = func() error { return l.refreshFromAny(ctx, started, n.o.Lease) }
	}
	if err := refresh(); err != nil {
		return err
	}
	n.mu.Lock()
	if lead := l.revisionSeen.Sub(n.announcedAt); l.revision == n.announcedRevision && lead > 0 && lead < n.o.Lease { // the leader announced this revision earlier
		l.revisionSeen = n.announcedAt
	}
	isFree := n.o.MayLead && l.canTake(n.o.Node, started, started.Sub(n.lastHeard), n.o.Lease) &&
		(n.role != Following || started.Sub(n.lastHeard) > n.o.Lease*2/3 || l.isGivenBack()) // a leader that is heard recreates a lost lease
	l.isForeign = l.revision != 0 && l.content.Platform != platformOf(n.identity)
	epoch := max(n.epoch, l.content.Epoch)
	if l.isForeign {
		n.reportProblem("the cluster " + n.o.Name + " shows a different platform than this node: give one of them another [cluster] name")
	}
	n.mu.Unlock()
	if l.isForeign || !isFree {
		return nil
	}
	content := leaseContent{Node: n.o.Node, RunID: n.runID, Epoch: epoch + 1, Platform: platformOf(n.identity)}
	content.Epoch = max(content.Epoch, l.revision+1)
	if err := l.write(ctx, content, started); err != nil {
		if isRevisionConflict(err) {
			return nil // another node was faster
		}
		return err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	l.renewedAt = started
	n.lease = *l
	n.epoch, n.leader = max(content.Epoch, n.epoch), n.o.Node
	n.setRole(Leading, "it took the lease")
	n.lease.renewedAt = started
	if n.feed != nil && n.feed.isSettled && n.feed.latest != nil {
		n.publishSnapshot(n.feed.latest)
	}
	return nil
}

// followsLiveLeader reports whether this node follows a leader that is not silent. It may then take
// the lease only if that was given back.
func (n *Node) followsLiveLeader(now time.Time) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.role == Following && now.Sub(n.lastHeard) <= n.o.Lease*3/8
}

func (n *Node) isLeading() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.role == Leading
}

// renew renews the lease, or gives it back if a step-down was requested.
func (n *Node) renew(ctx context.Context, l *lease, started time.Time) error {
	n.mu.Lock()
	content := leaseContent{Node: n.o.Node, RunID: n.runID, Epoch: n.epoch, Platform: platformOf(n.identity)}
	stepDown := n.stepDownRequested
	n.stepDownRequested = false
	n.mu.Unlock()
	if stepDown {
		content.Node, content.GivenBackBy = "", n.o.Node
	}
	err := l.write(ctx, content, started)
	if isRevisionConflict(err) { // another node wrote, or the answer to a write was lost
		if err = l.refresh(ctx, n.js, started); err != nil {
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
		n.lastHeard = started
		n.setRole(Following, "it was asked to step down")
		n.mu.Unlock()
	}
	return nil
}

// followLeaseHolder makes this node a follower of the node that has the lease.
func (n *Node) followLeaseHolder(l *lease) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.lastHeard = n.o.Now()
	n.leader = l.content.Node
	n.epoch = max(n.epoch, l.content.Epoch)
	n.setRole(Following, "node "+cleanName(l.content.Node)+" has the lease")
}
