package cluster

import (
	"context"
	"encoding/json"
	"time"

	"github.com/nats-io/nats.go"

	"wallboard/model"
)

// meet takes over what another node says of itself.
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
		n.trouble("node " + p.Node + " of a cluster of the same name shows another platform: give one of the clusters another [cluster] name")
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

// majority reports whether this node hears so many others that no other part of the
// cluster can have a majority. The caller holds mu.
func (n *Node) majority(now time.Time) bool {
	if n.at.own == nil {
		return n.nc.IsConnected()
	}
	return 1+n.crowd.heard(now) > len(n.o.Peers)/2
}

// beat says what this node is, and looks whether the leader is silent.
func (n *Node) beat() {
	n.mu.Lock()
	defer n.mu.Unlock()
	now := n.o.Now()
	if now.Sub(n.crowd.told) > quiet(n, now) {
		n.present(now)
	}
	n.ranAt(now, n.o.Lease)
	if competes(n, now) {
		n.due.give()
	}
	switch n.role {
	case Leading:
		if !competes(n, now) || now.Sub(n.lease.renewed) > n.o.Lease*5/8 { // else when the lease is renewed
			n.alive()
		}
		n.doubtLease(now)
	case Following:
		switch silent := now.Sub(n.heard); {
		case now.Sub(n.woken) < n.deserted():
		case silent > n.deserted() && (!n.stored(now) || !n.majority(now)):
			n.become(Alone, n.sub.noMajority())
		case silent > n.deserted()+n.o.Lease: // it leads, but not here; or nobody may
			n.become(Alone, "nothing comes from node "+clean(n.leader)+" of the cluster "+n.o.Name+", which leads")
		}
		if n.hearer.seq == 0 && n.why == "" && now.Sub(n.heard) < n.o.Lease {
			n.askAll(now)
		}
	case Joining:
		if n.lease.foreign {
			n.become(Alone, "the cluster "+n.o.Name+" shows another platform")
		}
		if now.Sub(n.begun) > joinsWithin && !n.stored(now) {
			n.become(Alone, n.sub.noMajority())
		}
	case Alone:
	}
	n.remark()
}

// quiet is how long a node says nothing of itself by its own clock: who leads is heard by
// its pictures, and who follows answers them, unless the leader is silent. The caller holds
// mu.
func quiet(n *Node, now time.Time) time.Duration {
	switch {
	case n.role == Leading:
		return 4 * n.o.Lease
	case n.role == Following && now.Sub(n.heard) < n.o.Lease/2:
		return n.o.Lease * 5 / 8
	}
	return 0
}

// ranAt notices when this node has not run for a while, as on a machine that is too busy:
// what it knows of the others is as old, and what they told meanwhile is still to be heard.
func (f *following) ranAt(now time.Time, lease time.Duration) {
	if now.Sub(f.ran) > lease/2 && !f.ran.IsZero() {
		f.woken = now
	}
	f.ran = now
}

// noMajority says why a node is alone.
func (s subjects) noMajority() string {
	return "no majority of the cluster " + s.name + " can be reached"
}

// joinsWithin is how long a node that starts looks for the others.
const joinsWithin = 12 * time.Second

// deserted is how long a follower waits for any leader before it thinks of itself as
// alone: another one takes over within a lease, and needs a moment for its picture.
func (n *Node) deserted() time.Duration { return 2 * n.o.Lease }

// stored reports whether what the nodes keep together answered lately. The caller holds
// mu.
func (n *Node) stored(now time.Time) bool {
	return !n.lease.answered.IsZero() && now.Sub(n.lease.answered) < n.deserted()
}

// present says to the others what this node is. The caller holds mu.
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
		n.o.Logger.Debug("nobody hears of this node", "error", err)
	}
}

// alive says that this leader is there, and how far its frames have come. The caller
// holds mu.
func (n *Node) alive() {
	m := n.head()
	m.kind, m.seq, m.piece = kindAlive, n.teller.seq, n.lease.rev
	if n.feed == nil || !n.feed.settled || n.feed.seen == nil {
		m.body = []byte("node " + n.o.Node + " takes over the connection to the platform")
	}
	if err := n.nc.Publish(n.sub.data(), m.append(nil)); err != nil {
		n.o.Logger.Debug("nobody hears of this leader", "error", err)
	}
}

// doubtLease gives the lead up where another node may have it soon: this one could not
// renew its lease and hears no majority. While it does hear one, nobody else can take
// the lease without it being told, and pictures go on: servers that look for a new
// leader of their own are silent for seconds. The caller holds mu.
func (n *Node) doubtLease(now time.Time) {
	if now.Sub(n.woken) < n.o.Lease/2 { // what it missed is still to be heard
		return
	}
	if now.Sub(n.lease.renewed) > n.o.Lease*3/4 && !n.majority(now) {
		n.become(Alone, n.sub.noMajority())
	}
}

// contest competes for the lease whenever a beat says so, until the context ends, and more
// often while who leads is silent.
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

// competes reports whether there is something to do about the lease: it is to be renewed,
// which is done twice within one, or who has it may be gone, or it was not looked at for
// long. The caller holds mu.
func competes(n *Node, now time.Time) bool {
	switch {
	case n.role == Leading:
		return n.yield || now.Sub(n.lease.renewed) > n.o.Lease*3/8
	case n.role != Following:
		return true
	case now.Sub(n.woken) < n.o.Lease/2: // what it missed is still to be heard
		return false
	}
	return now.Sub(n.heard) > n.o.Lease*3/8 || now.Sub(n.lease.answered) > n.o.Lease*11/8
}

// nextLook is how long who leads and is silent is waited for until the lease is looked at
// again, and no longer than until it may be taken; 0: it is not silent.
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

// compete renews the lease or takes it, when it is free, and tells of it.
func (n *Node) compete(ctx context.Context) {
	n.mu.Lock()
	now := n.o.Now()
	n.ranAt(now, n.o.Lease)
	l, needed := n.lease, competes(n, now)
	n.mu.Unlock()
	if !needed {
		return
	}
	if l.kv == nil {
		var err error
		if l.kv, err = n.openLease(ctx); err != nil {
			n.o.Logger.Debug("the lease cannot be opened", "error", err)
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
		n.o.Logger.Debug("the lease is opened anew", "error", err)
		l = lease{renewed: l.renewed, answered: l.answered}
	default:
		n.stats.Unanswered++
		n.o.Logger.Debug("the lease", "error", err)
	}
	if n.role != Leading {
		l.renewed = time.Time{}
	}
	n.lease = l
	if n.role == Leading && l.renewed.Equal(began) {
		n.alive()
	}
}

// contend is one look at the lease and what follows from it.
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
	if d := l.since.Sub(n.toldAt); l.rev == n.toldRev && d > 0 && d < n.o.Lease { // it is as old at least
		l.since = n.toldAt
	}
	free := n.o.Lead && l.free(n.o.Node, began, began.Sub(n.heard), n.o.Lease) &&
		(n.role != Following || began.Sub(n.heard) > n.o.Lease*2/3 || l.givenBack()) // one that was lost is left to who leads
	l.foreign = l.rev != 0 && l.value.Platform != platformOf(n.id)
	epoch := max(n.epoch, l.value.Epoch)
	if l.foreign {
		n.trouble("the cluster " + n.o.Name + " shows another platform than this node: give one of them another [cluster] name")
	}
	n.mu.Unlock()
	if l.foreign || !free {
		return nil
	}
	mine := held{Node: n.o.Node, Run: n.run, Epoch: epoch + 1, Platform: platformOf(n.id)}
	mine.Epoch = max(mine.Epoch, l.rev+1)
	if err := l.put(ctx, mine, began); err != nil {
		if wrongRevision(err) {
			return nil // another one was faster
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

// hears reports whether who leads is heard, so that the lease is not to be taken, but for
// one that was given back.
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

// renew keeps the lease.
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
	if wrongRevision(err) { // or an answer was lost
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

// overtaken steps down: another node has the lease.
func (n *Node) overtaken(l *lease) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.heard = n.o.Now()
	n.leader = l.value.Node
	n.epoch = max(n.epoch, l.value.Epoch)
	n.become(Following, "node "+clean(l.value.Node)+" has the lease")
}
