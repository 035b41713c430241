package cluster

import (
	"context"
	"encoding/json"
	"time"

	"github.com/nats-io/nats.go"

	"wallboard/model"
)

// meet handles the presence message of another node.
func (n *Node) meet(msg *nats.Msg) {
	var p Presence
	if len(msg.Data) > mostPresence || json.Unmarshal(msg.Data, &p) != nil || !NamePattern.MatchString(p.Node) {
		return
	}
	p.Run, p.Version, p.Role = clean(p.Run), clean(p.Version), Role(clean(string(p.Role)))
	p.HostKey, p.SSHPort = model.CleanText(p.HostKey, mostHostKey), clean(p.SSHPort)
	n.mu.Lock()
	defer n.mu.Unlock()
	now := n.o.Now()
	if p.Platform != platformOf(n.id) {
		n.stats.Foreign++
		n.trouble("node " + p.Node + " belongs to a cluster of the same name that shows a different platform: give one of the clusters another [cluster] name")
		return
	}
	if n.crowd.meet(&p, now) {
		n.present(now)
	}
	if n.role == Leading && p.Role == Leading && p.Epoch > n.epoch {
		n.epoch, n.leader = p.Epoch, p.Node
		n.become(Following, "node "+p.Node+" leads with a higher epoch")
	}
}

// majority reports whether this node and the nodes that it hears are a majority of the
// cluster. With external servers it reports whether this node is connected to one. The
// caller holds mu.
func (n *Node) majority(now time.Time) bool {
	if n.at.own == nil {
		return n.nc.IsConnected()
	}
	return 1+n.crowd.heard(now) > len(n.o.Peers)/2
}

// beat does the periodic work of the node: it publishes the presence, triggers the
// competition for the lease and changes the role if the leader is silent.
func (n *Node) beat() {
	n.mu.Lock()
	defer n.mu.Unlock()
	now := n.o.Now()
	if now.Sub(n.crowd.told) > quiet(n, now) {
		n.present(now)
	}
	n.noteRunning(now, n.o.Lease)
	if competes(n, now) {
		n.due.give()
	}
	switch n.role {
	case Leading:
		if !competes(n, now) || now.Sub(n.lease.renewed) > n.o.Lease*5/8 { // otherwise compete calls alive
			n.alive()
		}
		n.doubtLease(now)
	case Following:
		switch silent := now.Sub(n.heard); {
		case now.Sub(n.woken) < n.deserted():
		case silent > n.deserted() && (!n.stored(now) || !n.majority(now)):
			n.become(Alone, n.sub.noMajority())
		case silent > n.deserted()+n.o.Lease: // the leader cannot be heard from here, or no node may lead
			n.become(Alone, "no data from node "+clean(n.leader)+", which leads the cluster "+n.o.Name)
		}
		if n.hearer.seq == 0 && n.why == "" && now.Sub(n.heard) < n.o.Lease {
			n.askAll(now)
		}
	case Joining:
		if n.lease.foreign {
			n.become(Alone, "the cluster "+n.o.Name+" shows a different platform")
		}
		if now.Sub(n.begun) > joinsWithin && !n.stored(now) {
			n.become(Alone, n.sub.noMajority())
		}
	case Alone:
	}
	n.remark()
}

// quiet returns how long the beat of a node publishes no presence. A leader is heard by
// its frames. A follower also publishes its presence when it receives a message of the
// leader. The caller holds mu.
func quiet(n *Node, now time.Time) time.Duration {
	switch {
	case n.role == Leading:
		return 4 * n.o.Lease
	case n.role == Following && now.Sub(n.heard) < n.o.Lease/2:
		return n.o.Lease * 5 / 8
	}
	return 0
}

// noteRunning notes that this node runs, and sets woken if it has not run for a while, as on a
// busy machine. It has then yet to process the messages of that time, and what it knows
// of the other nodes is out of date.
func (f *following) noteRunning(now time.Time, lease time.Duration) {
	if now.Sub(f.ran) > lease/2 && !f.ran.IsZero() {
		f.woken = now
	}
	f.ran = now
}

// noMajority returns the reason of a node that hears no majority.
func (s subjects) noMajority() string {
	return "no majority of the cluster " + s.name + " can be reached"
}

// joinsWithin is how long a starting node waits for the others.
const joinsWithin = 12 * time.Second

// deserted returns how long a follower waits for any leader before it may become Alone:
// another node takes over within one lease and needs some time for its first snapshot.
func (n *Node) deserted() time.Duration { return 2 * n.o.Lease }

// stored reports whether the lease bucket has answered recently. The caller holds mu.
func (n *Node) stored(now time.Time) bool {
	return !n.lease.answered.IsZero() && now.Sub(n.lease.answered) < n.deserted()
}

// present publishes the presence of this node. The caller holds mu.
func (n *Node) present(now time.Time) {
	n.crowd.told = now
	p := Presence{
		Node: n.o.Node, Run: n.run, Version: n.o.Version, Role: n.role, Epoch: n.epoch, Platform: platformOf(n.id), Sent: now.Round(0),
		HostKey: n.o.HostKey, SSHPort: n.o.SSHPort,
	}
	if n.o.Viewers != nil {
		p.Viewers = n.o.Viewers()
	}
	text, err := json.Marshal(p)
	if err == nil {
		err = n.nc.Publish(n.sub.node(n.o.Node), text)
	}
	if err != nil {
		n.o.Logger.Debug("presence not published", "error", err)
	}
}

// alive publishes that this node leads, and the number of its last piece. The caller
// holds mu.
func (n *Node) alive() {
	m := n.head()
	m.kind, m.seq, m.piece = kindAlive, n.teller.seq, n.lease.rev
	if n.feed == nil || !n.feed.settled || n.feed.seen == nil {
		m.body = []byte("node " + n.o.Node + " takes over the connection to the platform")
	}
	if err := n.nc.Publish(n.sub.data(), m.append(nil)); err != nil {
		n.o.Logger.Debug("leader message not published", "error", err)
	}
}

// doubtLease makes this node Alone if it could not renew its lease and hears no majority,
// because another node may take the lease soon. While this node hears a majority, it
// would hear another leader, so it continues: servers that elect a new leader of their
// own do not answer for seconds. The caller holds mu.
func (n *Node) doubtLease(now time.Time) {
	if now.Sub(n.woken) < n.o.Lease/2 { // messages of the pause are still to be processed
		return
	}
	if now.Sub(n.lease.renewed) > n.o.Lease*3/4 && !n.majority(now) {
		n.become(Alone, n.sub.noMajority())
	}
}

// contest competes for the lease until the context ends: when a beat requests it, and more
// often while the leader is silent.
func contest(ctx context.Context, n *Node) {
	for {
		n.compete(ctx)
		var soon <-chan time.Time
		if wait := nextLook(n); wait > 0 {
			soon = time.After(wait)
		}
		select {
		case <-ctx.Done():
			return
		case <-n.due:
		case <-soon:
		}
	}
}

// competes reports whether compete has work to do. A leader renews its lease at least
// twice per term. A follower checks the lease if the leader is silent, or if it has not
// checked for a while. Other nodes always compete. The caller holds mu.
func competes(n *Node, now time.Time) bool {
	switch {
	case n.role == Leading:
		return n.yield || now.Sub(n.lease.renewed) > n.o.Lease*3/8
	case n.role != Following:
		return true
	case now.Sub(n.woken) < n.o.Lease/2: // messages of the pause are still to be processed
		return false
	}
	return now.Sub(n.heard) > n.o.Lease*3/8 || now.Sub(n.lease.answered) > n.o.Lease*11/8
}

// nextLook returns the time until a follower of a silent leader checks the lease again,
// which is at most the time until it may take the lease. It returns 0 if the leader is
// not silent.
func nextLook(n *Node) time.Duration {
	n.mu.Lock()
	defer n.mu.Unlock()
	silent, again := n.o.Now().Sub(n.heard), n.o.Lease/8
	if n.role != Following || silent < n.o.Lease*3/8 {
		return 0
	}
	if left := n.o.Lease - silent; left >= 0 {
		return min(left+time.Millisecond, again)
	}
	return again
}

// compete renews the lease, or takes it if it is free, and announces that.
func (n *Node) compete(ctx context.Context) {
	n.mu.Lock()
	now := n.o.Now()
	n.noteRunning(now, n.o.Lease)
	l, needed := n.lease, competes(n, now)
	n.mu.Unlock()
	if !needed {
		return
	}
	if l.kv == nil {
		var err error
		if l.kv, err = n.openLease(ctx); err != nil {
			n.o.Logger.Debug("lease not opened", "error", err)
			return
		}
	}
	began := n.o.Now()
	ctx, cancel := context.WithTimeout(ctx, n.o.Lease)
	defer cancel()
	err := n.contend(ctx, &l, began)
	n.mu.Lock()
	defer n.mu.Unlock()
	switch {
	case err == nil:
		l.answered = n.o.Now()
	case lost(err):
		n.o.Logger.Debug("lease lost, reopening it", "error", err)
		l = lease{renewed: l.renewed, answered: l.answered}
	default:
		n.stats.Unanswered++
		n.o.Logger.Debug("lease request failed", "error", err)
	}
	if n.role != Leading {
		l.renewed = time.Time{}
	}
	n.lease = l
	if n.role == Leading && l.renewed.Equal(began) {
		n.alive()
	}
}

// contend renews the lease if this node leads. Otherwise it reads the lease, and takes it
// if it is free. began is when the request starts.
func (n *Node) contend(ctx context.Context, l *lease, began time.Time) error {
	if n.leads() {
		return n.renew(ctx, l, began)
	}
	look := func() error { return l.look(ctx, n.js, began) }
	if n.hears(began) {
		look = func() error { return l.glance(ctx, began, n.o.Lease) }
	}
	if err := look(); err != nil {
		return err
	}
	n.mu.Lock()
	if d := l.since.Sub(n.toldAt); l.rev == n.toldRev && d > 0 && d < n.o.Lease { // the leader announced this revision earlier
		l.since = n.toldAt
	}
	free := n.o.Lead && l.free(n.o.Node, began, began.Sub(n.heard), n.o.Lease) &&
		(n.role != Following || began.Sub(n.heard) > n.o.Lease*2/3 || l.givenBack()) // a leader that is heard recreates a lost lease
	l.foreign = l.rev != 0 && l.value.Platform != platformOf(n.id)
	epoch := max(n.epoch, l.value.Epoch)
	if l.foreign {
		n.trouble("the cluster " + n.o.Name + " shows a different platform than this node: give one of them another [cluster] name")
	}
	n.mu.Unlock()
	if l.foreign || !free {
		return nil
	}
	mine := held{Node: n.o.Node, Run: n.run, Epoch: epoch + 1, Platform: platformOf(n.id)}
	mine.Epoch = max(mine.Epoch, l.rev+1)
	if err := l.put(ctx, mine, began); err != nil {
		if wrongRevision(err) {
			return nil // another node was faster
		}
		return err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	l.renewed = began
	n.lease = *l
	n.epoch, n.leader = max(mine.Epoch, n.epoch), n.o.Node
	n.become(Leading, "it took the lease")
	n.lease.renewed = began
	if n.feed != nil && n.feed.settled && n.feed.seen != nil {
		n.tell(n.feed.seen)
	}
	return nil
}

// hears reports whether this node follows a leader that is not silent. It may then take
// the lease only if that was given back.
func (n *Node) hears(now time.Time) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.role == Following && now.Sub(n.heard) <= n.o.Lease*3/8
}

func (n *Node) leads() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.role == Leading
}

// renew renews the lease, or gives it back if a step-down was requested.
func (n *Node) renew(ctx context.Context, l *lease, began time.Time) error {
	n.mu.Lock()
	v := held{Node: n.o.Node, Run: n.run, Epoch: n.epoch, Platform: platformOf(n.id)}
	yield := n.yield
	n.yield = false
	n.mu.Unlock()
	if yield {
		v.Node, v.By = "", n.o.Node
	}
	err := l.put(ctx, v, began)
	if wrongRevision(err) { // another node wrote, or the answer to a write was lost
		if err = l.look(ctx, n.js, began); err != nil {
			return err
		}
		if l.value.Run == n.run {
			err = l.put(ctx, v, began)
		} else if l.rev != 0 {
			n.overtaken(l)
			return nil
		}
	}
	if err != nil {
		return err
	}
	l.renewed = began
	if yield {
		n.mu.Lock()
		n.heard = began
		n.become(Following, "it was asked to step down")
		n.mu.Unlock()
	}
	return nil
}

// overtaken makes this node a follower of the node that has the lease.
func (n *Node) overtaken(l *lease) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.heard = n.o.Now()
	n.leader = l.value.Node
	n.epoch = max(n.epoch, l.value.Epoch)
	n.become(Following, "node "+clean(l.value.Node)+" has the lease")
}
