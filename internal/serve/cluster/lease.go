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

const leaseKey = "leader"

// held is what the lease says.
type held struct {
	Node     string `json:"node"` // "": it was given back
	Run      string `json:"run"`  // which life of that node
	Epoch    uint64 `json:"epoch"`
	Platform string `json:"platform"`
	By       string `json:"by,omitempty"` // who gave it back; others take it first
}

// lease is what a node knows of it, on its own clock alone: how the clocks of others
// are set does not matter.
type lease struct {
	kv       *entries  // nil: it is not open
	answered time.Time // when it was heard of last
	foreign  bool      // it is of another platform

	value held
	rev   uint64    // 0: nobody has written it
	since time.Time // when that revision was seen first
	// renewed is when this node asked for what made the lease its own for the last
	// time; zero while it is not.
	renewed time.Time
}

// openLease opens the bucket of the lease, and makes it where it is missing.
func (n *Node) openLease(ctx context.Context) (*entries, error) {
	return bucket(ctx, n.js, n.o.Lead, jetstream.KeyValueConfig{Bucket: n.sub.bucket(bucketLease), MaxBytes: 1 << 20, Storage: jetstream.MemoryStorage})
}

// leaseStuck is after which time without an answer the lease is made anew, while a majority
// is heard: servers that look for a new leader are silent for half of it.
const leaseStuck = 20 * time.Second

// unstick deletes the lease where its servers agree on nothing any more, so that it is made
// anew. They keep it in memory: where a second one goes before the first has caught up,
// each of the others waits for somebody to learn it from. One node does so, and
// nothing is lost: epochs go on from the highest that was heard of.
func (n *Node) unstick(ctx context.Context) {
	n.mu.Lock()
	now := n.o.Now()
	stuck := now.Sub(n.lease.answered) > leaseStuck && now.Sub(n.begun) > leaseStuck && n.role == Alone && n.majority(now) && n.crowd.first(n.o.Node, now)
	if stuck {
		n.lease.answered = now.Add(-leaseStuck / 2) // until then it has time
	}
	n.mu.Unlock()
	if !stuck {
		return
	}
	n.o.Logger.Warn("cluster", "node", n.o.Node, "trouble", "the lease is made anew: its servers have not answered for long")
	ctx, cancel := context.WithTimeout(ctx, callWait)
	defer cancel()
	if err := n.js.DeleteStream(ctx, "KV_"+n.sub.bucket(bucketLease)); err != nil {
		n.o.Logger.Debug("the lease could not be deleted", "error", err)
	}
}

// lost reports whether what was kept together is not there any more.
func lost(err error) bool {
	return errors.Is(err, jetstream.ErrStreamNotFound) || errors.Is(err, jetstream.ErrBucketNotFound) || errors.Is(err, jetstream.ErrNoStreamResponse)
}

// look reads the lease.
func (l *lease) look(ctx context.Context, js jetstream.JetStream, now time.Time) error {
	text, rev, err := l.kv.read(ctx, js, leaseKey)
	if err != nil {
		return err
	}
	return l.learn(text, rev, now)
}

// glance looks whether the lease is there, while nobody needs to take it: a question that is
// lost costs no more than who leads may be silent before it is looked at.
func (l *lease) glance(ctx context.Context, now time.Time, ttl time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, ttl*3/8)
	defer cancel()
	text, rev, err := l.kv.glance(ctx, leaseKey)
	if err != nil {
		return err
	}
	return l.learn(text, rev, now)
}

// learn takes over what the lease says.
func (l *lease) learn(text []byte, rev uint64, now time.Time) error {
	if rev != 0 && rev == l.rev {
		return nil
	}
	l.rev, l.since, l.value = rev, now, held{}
	if len(text) == 0 { // nobody has it
		return nil
	}
	if err := json.Unmarshal(text, &l.value); err != nil {
		return fmt.Errorf("the lease makes no sense: %w", err)
	}
	return nil
}

// put writes the lease if nobody else has done so since it was looked at.
func (l *lease) put(ctx context.Context, v held, now time.Time) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err //nolint:wrapcheck // of texts and numbers there is none
	}
	rev, err := l.kv.Update(ctx, leaseKey, text, l.rev)
	if err != nil {
		return err //nolint:wrapcheck // who asks knows of what
	}
	l.value, l.rev, l.since = v, rev, now
	return nil
}

// givenBack reports whether who had the lease has let go of it.
func (l *lease) givenBack() bool { return l.rev != 0 && l.value.Node == "" }

// free reports whether a node may take the lease: nobody has it, or who has it has not
// renewed it for too long, or not when it was due and was not heard for too long.
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

// wrongRevision reports whether a write was refused because another came before it.
func wrongRevision(err error) bool {
	const wrongLastSequence, anotherInFlight = 10071, 10164
	var api *jetstream.APIError
	return errors.As(err, &api) && (int(api.ErrorCode) == wrongLastSequence || int(api.ErrorCode) == anotherInFlight)
}

func platformOf(id [identitySum]byte) string { return hex.EncodeToString(id[:]) }
