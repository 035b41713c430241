package cluster

import (
	"context"
	"fmt"
	"time"

	"wallboard/model"
)

// platformConnection is the connection of this node to the platform.
type platformConnection struct {
	cancel    context.CancelFunc
	done      chan struct{}
	startedAt time.Time
	// isSettled means that the snapshots of this connection are displayed. Until its first complete
	// snapshot, the last snapshot of the previous leader stays visible, marked as old.
	isSettled bool
	latest    *model.Snapshot // newest snapshot; nil before the first
}

// settleTimeout is how long a node waits for a complete snapshot from a new connection before it
// displays incomplete ones.
const settleTimeout = 10 * time.Second

// openUpstream opens a connection to the platform if there is none. The caller must hold mu.
func (n *Node) openUpstream() {
	if n.upstream != nil {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	u := &platformConnection{cancel: cancel, done: make(chan struct{}), startedAt: n.options.Now(), isSettled: !n.publisher.hasFrame}
	n.upstream = u
	go n.runUpstream(ctx, u)
}

// stop closes the connection and waits for the end of its goroutine. It does nothing for a nil
// connection.
func (u *platformConnection) stop() {
	if u != nil {
		u.cancel()
		<-u.done
	}
}

// runUpstream runs a connection and handles its snapshots until the context ends.
func (n *Node) runUpstream(ctx context.Context, u *platformConnection) {
	defer close(u.done)
	feed, err := n.options.Connect()
	if err != nil {
		n.endWithError(fmt.Errorf("cluster: %w", err))
		return
	}
	feedDone := make(chan struct{})
	go func() {
		defer close(feedDone)
		if err := feed.Run(ctx); ctx.Err() == nil {
			n.endWithError(err)
		}
	}()
	for seq := uint64(0); ; {
		s, err := feed.Wait(ctx, seq)
		if err != nil {
			break
		}
		seq = s.Seq
		n.handleSnapshot(u, s)
	}
	<-feedDone
}

// handleSnapshot handles a snapshot of this node's own connection. It publishes the snapshot if
// the connection is settled.
func (n *Node) handleSnapshot(u *platformConnection, s *model.Snapshot) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.upstream != u {
		return
	}
	u.latest = s
	if u.isSettled = u.isSettled || isComplete(s) || n.options.Now().Sub(u.startedAt) >= settleTimeout; !u.isSettled {
		n.updateNotice()
		return
	}
	n.publishSnapshot(s)
}

// isComplete reports whether the feed of a snapshot has received all data that it requests.
func isComplete(s *model.Snapshot) bool {
	hasCurrent := false
	for i := range s.Health.Subscriptions {
		switch st := s.Health.Subscriptions[i].State; st {
		case model.SubConnecting, model.SubSyncing:
			return false
		default:
			hasCurrent = hasCurrent || st.IsCurrent()
		}
	}
	return hasCurrent && s.Health.Link.State == model.LinkUp
}

// publishSnapshot displays a snapshot on this node. If this node leads, it also sends the
// snapshot to the other nodes. The caller must hold mu.
func (n *Node) publishSnapshot(s *model.Snapshot) {
	started := time.Now()
	frame, isFull := n.sender.encodeFrame(s, n.options.Now())
	n.shownState = n.notice()
	addOwnNotice := func(h model.Health) model.Health { return addNotice(h, n.shownState) }
	if err := n.publisher.showFrame(n.sender.encoder.Schema(), frame, isFull, addOwnNotice); err != nil {
		n.options.Logger.Error("snapshot not shown", "error", err)
		n.sender.lastFull = time.Time{}
	}
	if n.role != RoleLeading {
		return
	}
	err := n.sender.sendFrame(n.messageHeader(), frame, isFull, func(b []byte) error {
		n.stats.Messages++
		n.stats.Bytes += uint64(len(b))
		return n.natsConn.Publish(n.subjects.dataSubject(), b)
	})
	if err != nil {
		n.options.Logger.Debug("snapshot not published", "error", err)
		n.sender.lastFull = time.Time{}
	}
	n.stats.Frames++
	n.stats.SendTime += time.Since(started)
}

// messageHeader returns the common fields of the messages that this node sends as a leader.
func (n *Node) messageHeader() message {
	return message{platform: n.identity, epoch: n.leader.epoch, sent: n.options.Now(), node: n.options.Node}
}
