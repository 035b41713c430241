package cluster

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// leaseKey is the only key of the bucket that holds the lease.
const leaseKey = "leader"

// leaseContent is the content of the lease.
type leaseContent struct {
	Node        string `json:"node"` // node that holds the lease; "": the lease was given back
	RunID       string `json:"run"`  // Presence.RunID of this node
	Epoch       uint64 `json:"epoch"`
	Platform    string `json:"platform"`
	GivenBackBy string `json:"by,omitempty"` // node that gave the lease back; all other nodes may take it first
}

// lease is the state of the lease as a node knows it. All times are on the node's own clock,
// so the clocks of other nodes do not matter.
type lease struct {
	bucket           *kvBucket // nil: not open
	lastAnswerAt     time.Time // time of the last answer from the bucket
	belongsElsewhere bool      // the lease belongs to a different platform

	content        leaseContent
	revision       uint64    // revision of content; 0: never written
	revisionSeenAt time.Time // time at which this node first saw the revision
	// renewedAt is the time at which this node sent the request that last took or renewed the
	// lease. It is zero unless this node has the lease.
	renewedAt time.Time
}

// leaseStream is the stream behind the bucket of the lease.
type leaseStream struct {
	conn         *nats.Conn
	jetStream    jetstream.JetStream
	bucket       string
	node         string // name of this node
	mayCreate    bool   // this node may create a missing bucket, because it may lead
	hasOwnServer bool   // this node runs a server of the cluster
	log          *slog.Logger
}

// open opens the bucket of the lease. If the bucket is missing and the node may lead, it creates the
// bucket.
func (s *leaseStream) open(ctx context.Context) (*kvBucket, error) {
	return openBucket(ctx, s.jetStream, s.mayCreate, jetstream.KeyValueConfig{Bucket: s.bucket, MaxBytes: 1 << 20, Storage: jetstream.MemoryStorage})
}

// name returns the name of the stream.
func (s *leaseStream) name() string { return "KV_" + s.bucket }

// delete deletes the stream with the lease.
func (s *leaseStream) delete(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	if err := s.jetStream.DeleteStream(ctx, s.name()); err != nil {
		s.log.Debug("lease not deleted", "error", err)
	}
}

// moveLeader makes another server the leader of the stream, if the embedded server of this node
// leads it. Otherwise a failure of this machine would stop both the leading node and the stream, and
// the other nodes could not take the lease for some seconds.
func (s *leaseStream) moveLeader(ctx context.Context) {
	if !s.hasOwnServer {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	stream, err := s.jetStream.Stream(ctx, s.name())
	if err != nil || stream.CachedInfo().Cluster == nil || stream.CachedInfo().Cluster.Leader != s.node {
		return
	}
	reply, err := s.conn.RequestWithContext(ctx, "$JS.API.STREAM.LEADER.STEPDOWN."+s.name(), nil)
	var response struct {
		Success bool `json:"success"`
	}
	if err != nil || json.Unmarshal(reply.Data, &response) != nil || !response.Success {
		s.log.Debug("leader of the lease stream not moved to another server", "error", err)
	}
}

// leaseStuckAfter is how long the lease's bucket may be silent before it is recreated. While the
// servers of the bucket elect a new leader, they are silent for up to half of this time.
const leaseStuckAfter = 20 * time.Second

// recreateStuckLease deletes the bucket of the lease if its servers can no longer agree. A
// node then creates the bucket again. The servers keep the bucket in memory: if a second
// server fails before the first has caught up after a restart, each of them waits for a copy
// from another server.
//
// Only one node deletes the bucket: the first by name among the nodes that were heard
// recently. Nothing is lost, because epochs continue from the highest known one.
func (n *Node) recreateStuckLease(ctx context.Context) {
	n.mu.Lock()
	now := n.options.Now()
	isStuck := now.Sub(n.lease.lastAnswerAt) > leaseStuckAfter && now.Sub(n.startedAt) > leaseStuckAfter && n.role == RoleAlone && n.hasMajority(now) && n.peers.isFirst(n.options.Node, now)
	if isStuck {
		n.lease.lastAnswerAt = now.Add(-leaseStuckAfter / 2) // the next attempt follows after leaseStuckAfter/2
	}
	n.mu.Unlock()
	if !isStuck {
		return
	}
	n.options.Logger.Warn("cluster", "node", n.options.Node, "trouble", "the lease is recreated because its servers do not answer")
	n.leases.delete(ctx)
}

// isBucketMissing reports whether a request failed because the bucket does not exist.
func isBucketMissing(err error) bool {
	return errors.Is(err, jetstream.ErrStreamNotFound) || errors.Is(err, jetstream.ErrBucketNotFound) || errors.Is(err, jetstream.ErrNoStreamResponse)
}

// refresh reads the lease from the leader of the bucket.
func (l *lease) refresh(ctx context.Context, js jetstream.JetStream, now time.Time) error {
	text, rev, err := l.bucket.readFromLeader(ctx, js, leaseKey)
	if err != nil {
		return err
	}
	return l.store(text, rev, now)
}

// refreshFromAny reads the lease from any server. A node uses it while it follows a live
// leader. Its timeout equals the silence of a leader after which nodes use refresh instead.
func (l *lease) refreshFromAny(ctx context.Context, now time.Time, ttl time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, ttl*3/8)
	defer cancel()
	text, rev, err := l.bucket.readAny(ctx, leaseKey)
	if err != nil {
		return err
	}
	return l.store(text, rev, now)
}

// store stores the content and the revision rev of the lease, as read at the time now. It
// ignores a revision that is already known, so revisionSeenAt remains the time at which the
// revision was first seen.
func (l *lease) store(text []byte, rev uint64, now time.Time) error {
	if rev != 0 && rev == l.revision {
		return nil
	}
	l.revision, l.revisionSeenAt, l.content = rev, now, leaseContent{}
	if len(text) == 0 { // no node has the lease
		return nil
	}
	if err := json.Unmarshal(text, &l.content); err != nil {
		return fmt.Errorf("the lease is invalid: %w", err)
	}
	return nil
}

// write writes the lease if it has not changed since this node last read it.
func (l *lease) write(ctx context.Context, content leaseContent, now time.Time) error {
	text, err := json.Marshal(content)
	if err != nil {
		return err
	}
	rev, err := l.bucket.Update(ctx, leaseKey, text, l.revision)
	if err != nil {
		return err
	}
	l.content, l.revision, l.revisionSeenAt = content, rev, now
	return nil
}

// isGivenBack reports whether the last holder gave the lease back.
func (l *lease) isGivenBack() bool { return l.revision != 0 && l.content.Node == "" }

// canTake reports whether a node may take the lease. It may if no node has the lease, if the
// holder has not renewed it for ttl, or if the renewal is overdue and the leader was not heard
// for ttl. A node that gave the lease back must leave it to other nodes for twice ttl. silence
// is the time since the leader was heard.
func (l *lease) canTake(node string, now time.Time, silence, ttl time.Duration) bool {
	idle := now.Sub(l.revisionSeenAt)
	switch {
	case l.revision == 0:
		return true
	case l.content.Node == "" && l.content.GivenBackBy != node:
		return true
	case l.content.Node == "":
		return idle > 2*ttl
	}
	return idle > ttl || silence > ttl && idle > ttl*3/4
}

// isRevisionConflict reports whether a write was refused because another write has happened
// since the last read.
func isRevisionConflict(err error) bool {
	const wrongLastSequence, anotherInFlight = 10071, 10164
	var apiErr *jetstream.APIError
	return errors.As(err, &apiErr) && (int(apiErr.ErrorCode) == wrongLastSequence || int(apiErr.ErrorCode) == anotherInFlight)
}

func platformHash(id [identitySize]byte) string { return hex.EncodeToString(id[:]) }
