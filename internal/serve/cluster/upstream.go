package cluster

import (
	"context"
	"fmt"
	"time"

	"wallboard/model"
)

// upstream is the connection of this node to the platform.
type upstream struct {
	cancel context.CancelFunc
	done   chan struct{}
	since  time.Time
	// settled reports whether the snapshots of this connection are shown. Until then the
	// previous snapshot stays, marked as old, because an incomplete one is no better.
	settled bool
	seen    *model.Snapshot // the newest one
}

// settlesWithin is how long a connection waits for a complete snapshot.
const settlesWithin = 10 * time.Second

// open starts a connection to the platform if there is none. The caller holds mu.
func (n *Node) open() {
	if n.feed != nil {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	u := &upstream{cancel: cancel, done: make(chan struct{}), since: n.o.Now(), settled: !n.screen.any}
	n.feed = u
	go n.runUpstream(ctx, u)
}

// stop ends the connection, if there is one, and waits until it has ended.
func (u *upstream) stop() {
	if u != nil {
		u.cancel()
		<-u.done
	}
}

// runUpstream runs a connection and passes on its snapshots until the context ends.
func (n *Node) runUpstream(ctx context.Context, u *upstream) {
	defer close(u.done)
	feed, err := n.o.Connect()
	if err != nil {
		n.fail(fmt.Errorf("cluster: %w", err))
		return
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := feed.Run(ctx); ctx.Err() == nil {
			n.fail(err)
		}
	}()
	for seq := uint64(0); ; {
		s, err := feed.Wait(ctx, seq)
		if err != nil {
			break
		}
		seq = s.Seq
		n.take(u, s)
	}
	<-ended
}

// take handles a snapshot of this node's own connection: it shows and publishes it as soon
// as the connection is settled.
func (n *Node) take(u *upstream, s *model.Snapshot) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.feed != u {
		return
	}
	u.seen = s
	if u.settled = u.settled || whole(s) || n.o.Now().Sub(u.since) >= settlesWithin; !u.settled {
		n.remark()
		return
	}
	n.tell(s)
}

// whole reports whether a feed has received all the data that it requests.
func whole(s *model.Snapshot) bool {
	current := false
	for i := range s.Health.Subscriptions {
		switch st := s.Health.Subscriptions[i].State; st {
		case model.SubConnecting, model.SubSyncing:
			return false
		default:
			current = current || st.Current()
		}
	}
	return current && s.Health.Link.State == model.LinkUp
}

// tell shows a snapshot as a frame, and publishes the frame if this node leads. The caller
// holds mu.
func (n *Node) tell(s *model.Snapshot) {
	began := time.Now()
	frame, all := n.teller.frameOf(s, n.o.Now())
	n.marked = n.mark()
	if err := n.screen.take(n.teller.enc.Schema(), frame, all, n.adjust); err != nil {
		n.o.Logger.Error("snapshot not shown", "error", err)
		n.teller.whole = time.Time{}
	}
	if n.role != Leading {
		return
	}
	err := n.teller.tell(n.head(), frame, all, func(b []byte) error {
		n.stats.Messages++
		n.stats.Bytes += uint64(len(b))
		return n.nc.Publish(n.sub.data(), b)
	})
	if err != nil {
		n.o.Logger.Debug("snapshot not published", "error", err)
		n.teller.whole = time.Time{}
	}
	n.stats.Frames++
	n.stats.Telling += time.Since(began)
}

// adjust adds the notice of this node to the feed state of its own connection.
func (n *Node) adjust(h model.Health) model.Health { return noticed(h, n.marked) }

// head returns the fields that all messages of a leader share.
func (n *Node) head() message {
	return message{platform: n.id, epoch: n.epoch, sent: n.o.Now(), node: n.o.Node}
}
