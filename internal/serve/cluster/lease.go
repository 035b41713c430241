package cluster

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// leaseKey is the only key of the lease bucket.
const leaseKey = "leader"

// held is the content of the lease.
type held struct {
	Node     string `json:"node"` // "": given back
	Run      string `json:"run"`  // Presence.Run of that node
	Epoch    uint64 `json:"epoch"`
	Platform string `json:"platform"`
	By       string `json:"by,omitempty"` // the node that gave it back; others may take it before this one
}

// lease is the lease as a node knows it. All times are by the node's own clock, so the
// clocks of other nodes do not matter.
type lease struct {
	kv       *entries  // nil: not open
	answered time.Time // when it answered last
	foreign  bool      // it belongs to a different platform

	value held
	rev   uint64    // 0: never written
	since time.Time // when that revision was first seen
	// renewed is when this node sent the request that last took or renewed the lease; zero
	// while it does not have the lease.
	renewed time.Time
}

// openLease opens the bucket of the lease. If it is missing, a node that may lead creates
// it.
func (n *Node) openLease(ctx context.Context) (*entries, error) {
	return bucket(ctx, n.js, n.o.Lead, jetstream.KeyValueConfig{Bucket: n.sub.bucket(bucketLease), MaxBytes: 1 << 20, Storage: jetstream.MemoryStorage})
}

// leaseStuck is the time without an answer after which the lease is recreated. Servers that
// elect a new leader are silent for up to half of it.
const leaseStuck = 20 * time.Second

// unstick deletes the bucket of the lease if its servers can no longer agree, so that it is
// recreated. The servers keep it in memory: if a second server fails before the first has
// caught up after a restart, each waits to copy it from another one. Of the nodes that are
// heard, the one with the first name does this. Nothing is lost, because epochs continue from the highest
// known one.
func (n *Node) unstick(ctx context.Context) {
	n.mu.Lock()
	now := n.o.Now()
	stuck := now.Sub(n.lease.answered) > leaseStuck && now.Sub(n.begun) > leaseStuck && n.role == Alone && n.majority(now) && n.crowd.first(n.o.Node, now)
	if stuck {
		n.lease.answered = now.Add(-leaseStuck / 2) // next attempt after leaseStuck/2
	}
	n.mu.Unlock()
	if !stuck {
		return
	}
	n.o.Logger.Warn("cluster", "node", n.o.Node, "trouble", "the lease is recreated because its servers do not answer")
	ctx, cancel := context.WithTimeout(ctx, callWait)
	defer cancel()
	if err := n.js.DeleteStream(ctx, "KV_"+n.sub.bucket(bucketLease)); err != nil {
		n.o.Logger.Debug("lease not deleted", "error", err)
	}
}

// lost reports whether an error means that a bucket no longer exists.
func lost(err error) bool {
	return errors.Is(err, jetstream.ErrStreamNotFound) || errors.Is(err, jetstream.ErrBucketNotFound) || errors.Is(err, jetstream.ErrNoStreamResponse)
}

// look reads the lease from the leader of its bucket.
func (l *lease) look(ctx context.Context, js jetstream.JetStream, now time.Time) error {
	text, rev, err := l.kv.read(ctx, js, leaseKey)
	if err != nil {
		return err
	}
	return l.learn(text, rev, now)
}

// glance reads the lease from any server while this node need not take it. A lost request
// takes no longer than the silence of a leader after which a node calls look.
func (l *lease) glance(ctx context.Context, now time.Time, ttl time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, ttl*3/8)
	defer cancel()
	text, rev, err := l.kv.glance(ctx, leaseKey)
	if err != nil {
		return err
	}
	return l.learn(text, rev, now)
}

// learn stores a revision of the lease that was read.
func (l *lease) learn(text []byte, rev uint64, now time.Time) error {
	if rev != 0 && rev == l.rev {
		return nil
	}
	l.rev, l.since, l.value = rev, now, held{}
	if len(text) == 0 { // no node has it
		return nil
	}
	if err := json.Unmarshal(text, &l.value); err != nil {
		return fmt.Errorf("the lease is invalid: %w", err)
	}
	return nil
}

// put writes the lease if its revision is still the one that was last read.
func (l *lease) put(ctx context.Context, v held, now time.Time) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	rev, err := l.kv.Update(ctx, leaseKey, text, l.rev)
	if err != nil {
		return err
	}
	l.value, l.rev, l.since = v, rev, now
	return nil
}

// givenBack reports whether the last holder gave the lease back.
func (l *lease) givenBack() bool { return l.rev != 0 && l.value.Node == "" }

// free reports whether a node may take the lease: no node has it, the holder has not
// renewed it for ttl, or the renewal is overdue and the holder has been silent for ttl.
func (l *lease) free(node string, now time.Time, silent, ttl time.Duration) bool {
	idle := now.Sub(l.since)
	switch {
	case l.rev == 0:
		return true
	case l.value.Node == "" && l.value.By != node:
		return true
	case l.value.Node == "":
		return idle > 2*ttl
	}
	return idle > ttl || silent > ttl && idle > ttl*3/4
}

// wrongRevision reports whether a write was refused because of another write before it.
func wrongRevision(err error) bool {
	const wrongLastSequence, anotherInFlight = 10071, 10164
	var api *jetstream.APIError
	return errors.As(err, &api) && (int(api.ErrorCode) == wrongLastSequence || int(api.ErrorCode) == anotherInFlight)
}

func platformOf(id [identitySum]byte) string { return hex.EncodeToString(id[:]) }
