package cluster

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"wallboard/internal/record"
	"wallboard/model"
)

// hear handles a message of a leader.
func (n *Node) hear(msg *nats.Msg) {
	m, err := parseMessage(msg.Data)
	n.mu.Lock()
	defer n.mu.Unlock()
	now := n.o.Now()
	switch {
	case errors.Is(err, errProtocol):
		n.stats.Foreign++
		n.trouble("the leading node speaks a cluster protocol that this version does not know: give all nodes the same version")
		return
	case err != nil:
		n.stats.Foreign++
		return
	case m.platform != n.id:
		n.stats.Foreign++
		n.trouble(fmt.Sprintf("node %q belongs to a cluster of the same name that shows a different platform: give one of the clusters another [cluster] name", clean(m.node)))
		return
	case m.epoch < n.epoch:
		n.stats.Old++
		return
	}
	if m.epoch > n.epoch || m.node != n.leader {
		if m.epoch == n.epoch && n.role == Leading && m.node < n.o.Node {
			return // of two leaders with the same epoch, the greater name wins
		}
		n.epoch, n.leader, n.clock = m.epoch, m.node, skew{}
		n.hearer.lose()
	}
	n.heard, n.why = now, ""
	n.crowd.hear(m.node, now)
	n.clock.observe(m.sent, now)
	if m.kind == kindAlive {
		n.why = clean(string(m.body))
		if m.piece != n.toldRev {
			n.toldRev, n.toldAt = m.piece, now
		}
	}
	if m.epoch == n.beyond { // ignore it until another node leads
		return
	}
	if n.why == "" || n.role != Alone || n.o.Fallback == FallbackNone {
		n.become(Following, "node "+clean(m.node)+" leads")
	}
	if n.role != Following {
		return
	}
	if now.Sub(n.crowd.told) > n.o.Lease*3/8 { // saves a wakeup for the presence alone
		n.present(now)
	}
	if m.kind == kindAlive {
		if n.missed(&m, now) {
			n.askAll(now)
		}
		n.remark()
		return
	}
	n.assemble(&m, now)
}

// missed handles a message without a frame. It reports whether this node has missed an
// earlier frame.
func (f *following) missed(m *message, now time.Time) bool {
	if f.why == "" && f.hearer.behind(m) {
		f.hearer.lose()
		return true
	}
	f.current = now
	return false
}

// assemble adds a piece of a frame, and shows the frame if it is complete. The caller
// holds mu.
func (n *Node) assemble(m *message, now time.Time) {
	schema, frame, all, err := n.hearer.hear(m)
	if err == nil && frame == nil {
		return
	}
	if err == nil {
		ahead := n.clock.ahead()
		n.marked = n.mark()
		err = n.screen.take(schema, frame, all, func(h model.Health) model.Health { return noticed(shifted(h, ahead), n.marked) })
	}
	switch {
	case err == nil:
		n.current = now
	case errors.Is(err, record.ErrNewerVersion):
		n.beyond = m.epoch
		n.become(Alone, "node "+clean(m.node)+" leads and shows more than this version knows (give all nodes the same version)")
	default:
		n.stats.Gaps++
		n.hearer.lose()
		n.askAll(now)
	}
}

// askEvery is the least interval between two requests for the full state.
const askEvery = 250 * time.Millisecond

// askAll asks the leader for the full state. The caller holds mu.
func (n *Node) askAll(now time.Time) {
	if now.Sub(n.asked) < askEvery {
		return
	}
	n.asked = now
	if err := n.nc.Publish(n.sub.ask(), (&message{kind: kindAlive, platform: n.id, epoch: n.epoch, sent: now, node: n.o.Node}).append(nil)); err != nil {
		n.o.Logger.Debug("full state not requested", "error", err)
	}
}

// answer handles a request for the full state: it publishes a whole frame.
func (n *Node) answer(msg *nats.Msg) {
	m, err := parseMessage(msg.Data)
	n.mu.Lock()
	defer n.mu.Unlock()
	if err != nil || m.platform != n.id || n.role != Leading || n.feed == nil || !n.feed.settled || n.feed.seen == nil {
		return
	}
	if m.epoch > n.epoch { // the lease was lost and its revisions restarted
		n.epoch = m.epoch + 1
	}
	now := n.o.Now()
	if now.Sub(n.asked) < askEvery {
		n.teller.whole = time.Time{} // with the next snapshot
		return
	}
	n.asked, n.teller.whole = now, time.Time{}
	n.stats.Asked++
	n.tell(n.feed.seen)
}

// trouble reports a problem that an administrator has to solve. It is shown for a while.
// The caller holds mu.
func (n *Node) trouble(text string) {
	if n.log.said() != text {
		n.o.Logger.Warn("cluster", "node", n.o.Node, "trouble", text)
	}
	n.log.keep(text)
}

// mark returns the notice for the snapshots of this node, "" for none. The caller holds
// mu.
func (n *Node) mark() string {
	why := sentence(n.log.said())
	if n.role != Alone {
		return why
	}
	text := "NO CLUSTER: " + n.reason + ", and this node may not connect itself (fallback)."
	if n.o.Fallback == FallbackOwn {
		text = "This board is on its own: " + n.reason + ", so it has a connection of its own."
	}
	switch {
	case n.majority(n.o.Now()): // locks are available
	case n.o.ActAlone:
		text += " Actions go on (act_alone)."
	default:
		text += " Actions wait."
	}
	return strings.TrimSpace(text + " " + why)
}

// sentence returns why as a sentence for the notice.
func sentence(why string) string {
	if why == "" {
		return ""
	}
	return "Cluster: " + why + "."
}

func clean(s string) string { return model.CleanText(s, model.MaxName) }

// remark shows the current snapshot with a new feed state and notice, if they have
// changed. The caller holds mu.
func (n *Node) remark() {
	now := n.o.Now()
	mark, h := n.mark(), n.screen.told
	reason, since, state := "", n.heard, model.LinkConnecting
	switch {
	case n.role == Joining:
		reason = "joining the cluster " + n.o.Name
	case n.role == Alone && n.o.Fallback == FallbackNone:
		reason, state = n.reason, model.LinkStopped
	case n.role != Following:
		if n.feed != nil && n.feed.settled {
			break // its own snapshots contain the feed state
		}
		reason = "this node takes over the connection to the platform"
		if n.feed != nil && n.feed.seen != nil && n.feed.seen.Health.Link.State != model.LinkUp {
			l := n.feed.seen.Health.Link
			state = l.State
			reason += ": " + l.Reason
		}
	case n.why != "":
		reason = n.why
	case now.Sub(n.heard) > n.o.Lease:
		reason = "no data from node " + clean(n.leader) + ", which has the connection"
	case now.Sub(n.current) > n.o.Lease:
		reason = "the data from node " + clean(n.leader) + ", which has the connection, is not complete"
	}
	key := string(state) + reason + mark
	if n.marked == key || reason == "" && n.marked == mark {
		return
	}
	n.marked = key
	if reason == "" {
		n.marked = mark
	} else {
		h = n.waitingFor(state, reason)
		if !n.screen.told.Link.Since.IsZero() {
			h = doubted(n.screen.told, since, now, state, reason)
		}
	}
	n.screen.mark(now, noticed(h, mark))
}

// waitingFor returns the state of a feed that has no data yet.
func (n *Node) waitingFor(state model.LinkState, reason string) model.Health {
	return model.Health{Link: model.Link{State: state, Since: n.begun, Endpoint: n.o.Platform, Reason: reason}}
}
