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

// handleLeaderMessage handles a message from a leader. It ignores leaders with an older epoch.
func (n *Node) handleLeaderMessage(msg *nats.Msg) {
	m, err := parseMessage(msg.Data)
	n.mu.Lock()
	defer n.mu.Unlock()
	now := n.options.Now()
	switch {
	case errors.Is(err, errProtocolVersion):
		n.stats.ForeignMessages++
		n.reportProblem("the leading node speaks a cluster protocol that this version does not know: give all nodes the same version")
		return
	case err != nil:
		n.stats.ForeignMessages++
		return
	case m.platform != n.identity:
		n.stats.ForeignMessages++
		n.reportProblem(fmt.Sprintf("node %q belongs to a cluster of the same name that shows a different platform: give one of the clusters another [cluster] name", cleanName(m.node)))
		return
	case m.epoch < n.leader.epoch:
		n.stats.StaleMessages++
		return
	}
	if m.epoch > n.leader.epoch || m.node != n.leader.node {
		if m.epoch == n.leader.epoch && n.role == RoleLeading && m.node < n.options.Node {
			return // of two leaders with the same epoch, the one with the greater name wins
		}
		n.leader.epoch, n.leader.node, n.leader.leaderClock = m.epoch, m.node, clockSkew{}
		n.leader.receiver.reset()
	}
	n.leader.lastHeard, n.leader.noSnapshotReason = now, ""
	n.peers.recordMessage(m.node, now)
	n.leader.leaderClock.observe(m.sent, now)
	if m.kind == kindAlive {
		n.leader.noSnapshotReason = cleanName(string(m.body))
		if m.piece != n.leader.announcedRevision {
			n.leader.announcedRevision, n.leader.announcedAt = m.piece, now
		}
	}
	if m.epoch == n.leader.unreadableEpoch { // frames of this leader cannot be read
		return
	}
	if n.leader.noSnapshotReason == "" || n.role != RoleAlone || n.options.Fallback == FallbackNone {
		n.setRole(RoleFollowing, "node "+cleanName(m.node)+" leads")
	}
	if n.role != RoleFollowing {
		return
	}
	if now.Sub(n.peers.presenceSent) > n.options.Lease*3/8 { // publish the presence now, because the node is awake anyway
		n.publishPresence(now)
	}
	if m.kind == kindAlive {
		if n.leader.handleAliveMessage(&m, now) {
			n.requestFullState(now)
		}
		n.updateNotice()
		return
	}
	n.addPiece(&m, now)
}

// handleAliveMessage handles a message without a frame. It reports whether this node has
// missed a frame.
func (f *leaderState) handleAliveMessage(m *message, now time.Time) bool {
	if f.noSnapshotReason == "" && f.receiver.isBehind(m) {
		f.receiver.reset()
		return true
	}
	f.currentAt = now
	return false
}

// addPiece adds a piece of a frame. If the frame is complete, addPiece displays its snapshot.
// The caller must hold mu.
func (n *Node) addPiece(m *message, now time.Time) {
	schema, frame, isFull, err := n.leader.receiver.addPiece(m)
	if err == nil && frame == nil {
		return
	}
	if err == nil {
		ahead := n.leader.leaderClock.offset()
		n.shownState = n.notice()
		err = n.publisher.showFrame(schema, frame, isFull, func(h model.Health) model.Health { return addNotice(shiftTimes(h, ahead), n.shownState) })
	}
	switch {
	case err == nil:
		n.leader.currentAt = now
	case errors.Is(err, record.ErrNewerVersion):
		n.leader.unreadableEpoch = m.epoch
		n.setRole(RoleAlone, "node "+cleanName(m.node)+" leads and shows more than this version knows (give all nodes the same version)")
	default:
		n.stats.Gaps++
		n.leader.receiver.reset()
		n.requestFullState(now)
	}
}

// fullStateInterval is the minimum interval between two requests of a follower for the full state,
// and between two responses of a leader.
const fullStateInterval = 250 * time.Millisecond

// requestFullState requests the full state from the leader, unless the last request was less
// than fullStateInterval ago. The caller must hold mu.
func (n *Node) requestFullState(now time.Time) {
	if now.Sub(n.leader.fullStateAskedAt) < fullStateInterval {
		return
	}
	n.leader.fullStateAskedAt = now
	if err := n.natsConn.Publish(n.subjects.fullStateSubject(), (&message{kind: kindAlive, platform: n.identity, epoch: n.leader.epoch, sent: now, node: n.options.Node}).append(nil)); err != nil {
		n.options.Logger.Debug("full state not requested", "error", err)
	}
}

// handleFullStateRequest handles a follower's request for the full state. If this node leads,
// it publishes the latest snapshot as a full frame.
func (n *Node) handleFullStateRequest(msg *nats.Msg) {
	m, err := parseMessage(msg.Data)
	n.mu.Lock()
	defer n.mu.Unlock()
	if err != nil || m.platform != n.identity || n.role != RoleLeading || n.upstream == nil || !n.upstream.isSettled || n.upstream.latest == nil {
		return
	}
	if m.epoch > n.leader.epoch { // the lease was lost and its revisions began again at 1
		n.leader.epoch = m.epoch + 1
	}
	now := n.options.Now()
	if now.Sub(n.leader.fullStateAskedAt) < fullStateInterval {
		n.sender.lastFull = time.Time{} // send the full state with the next snapshot
		return
	}
	n.leader.fullStateAskedAt, n.sender.lastFull = now, time.Time{}
	n.stats.FullStateRequests++
	n.publishSnapshot(n.upstream.latest)
}

// reportProblem reports a problem that requires an administrator. The problem is displayed for
// problemDuration and logged once. The caller must hold mu.
func (n *Node) reportProblem(text string) {
	if n.log.problem() != text {
		n.options.Logger.Warn("cluster", "node", n.options.Node, "trouble", text)
	}
	n.log.setProblem(text)
}

// notice returns the notice for the snapshots of this node, or "" if there is none. The caller
// must hold mu.
func (n *Node) notice() string {
	problem := noticeSentence(n.log.problem())
	if n.role != RoleAlone {
		return problem
	}
	text := "NO CLUSTER: " + n.roleReason + ", and this node may not connect itself (fallback)."
	if n.options.Fallback == FallbackOwn {
		text = "This board is on its own: " + n.roleReason + ", so it has a connection of its own."
	}
	switch {
	case n.hasMajority(n.options.Now()): // locks can be taken as usual
	case n.options.ActWithoutMajority:
		text += " Actions go on (act_alone)."
	default:
		text += " Actions wait."
	}
	return strings.TrimSpace(text + " " + problem)
}

// noticeSentence returns a problem as a sentence for the notice, or "" if problem is "".
func noticeSentence(problem string) string {
	if problem == "" {
		return ""
	}
	return "Cluster: " + problem + "."
}

func cleanName(s string) string { return model.CleanText(s, model.MaxName) }

// updateNotice publishes the current snapshot with the current feed state and notice, if one
// of them has changed. The caller must hold mu.
func (n *Node) updateNotice() {
	now := n.options.Now()
	notice, health := n.notice(), n.publisher.feedHealth
	reason, since, state := "", n.leader.lastHeard, model.LinkConnecting
	switch {
	case n.role == RoleJoining:
		reason = "joining the cluster " + n.options.Name
	case n.role == RoleAlone && n.options.Fallback == FallbackNone:
		reason, state = n.roleReason, model.LinkStopped
	case n.role != RoleFollowing:
		if n.upstream != nil && n.upstream.isSettled {
			break // the snapshots of the node's own connection contain the feed state
		}
		reason = "this node takes over the connection to the platform"
		if n.upstream != nil && n.upstream.latest != nil && n.upstream.latest.Health.Link.State != model.LinkUp {
			l := n.upstream.latest.Health.Link
			state = l.State
			reason += ": " + l.Reason
		}
	case n.leader.noSnapshotReason != "":
		reason = n.leader.noSnapshotReason
	case now.Sub(n.leader.lastHeard) > n.options.Lease:
		reason = "no data from node " + cleanName(n.leader.node) + ", which has the connection"
	case now.Sub(n.leader.currentAt) > n.options.Lease:
		reason = "the data from node " + cleanName(n.leader.node) + ", which has the connection, is not complete"
	}
	key := string(state) + reason + notice
	if n.shownState == key || reason == "" && n.shownState == notice {
		return
	}
	n.shownState = key
	if reason == "" {
		n.shownState = notice
	} else {
		health = n.waitingHealth(state, reason)
		if !n.publisher.feedHealth.Link.Since.IsZero() {
			health = markOutdated(n.publisher.feedHealth, since, now, state, reason)
		}
	}
	n.publisher.showHealth(now, addNotice(health, notice))
}

// waitingHealth returns the feed state of a node without data.
func (n *Node) waitingHealth(state model.LinkState, reason string) model.Health {
	return model.Health{Link: model.Link{State: state, Since: n.startedAt, Endpoint: n.options.Platform, Reason: reason}}
}
