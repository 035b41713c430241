package cluster

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// The buckets of a platform in a cluster.
const (
	bucketLease = "lease"
	bucketNotes = "notes"
	bucketLocks = "locks"
)

// Common gives access to the data that the nodes share besides the lease: locks, notes and
// copies of the audit files. Snapshots do not depend on it. It is safe for concurrent use.
type Common struct {
	name, run string // of this node
	sub       subjects
	js        jetstream.JetStream
	log       *slog.Logger
	now       func() time.Time
	term      time.Duration               // of a lock
	apart     func() (alone, cutOff bool) // see Node.apart
	actAlone  bool                        // Options.ActAlone

	mu   sync.Mutex
	kept *shared         // nil: not open
	own  map[string]bool // keys of the locks that this node has or requests
	made time.Time       // when the last opened lock bucket was created; zero: none was opened
}

// replicas is the number of servers that store each bucket and stream.
const replicas = 3

// audited is how long the copies of the audit files are kept.
const audited = 400 * 24 * time.Hour

// together returns the open buckets, nil if they are not open.
func (c *Common) together() *shared {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.kept
}

// forget drops the bucket handles so that the next call of open reopens them. It is for
// buckets that no longer exist. Handles stay valid while servers elect a new leader.
func (c *Common) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kept = nil
}

// open opens the buckets if they are not open, and observes the age of the locks.
func (c *Common) open(ctx context.Context) {
	s := c.together()
	if s == nil {
		var err error
		if s, err = c.opened(ctx); err != nil {
			c.log.Debug("shared buckets not opened", "error", err)
			return
		}
		c.mu.Lock()
		if !c.made.IsZero() && !s.made.Equal(c.made) { // holders of lost locks may still act
			s.notBefore = c.now().Add(c.term + c.term/10)
		}
		c.kept, c.made = s, s.made
		c.mu.Unlock()
	}
	if err := s.observe(ctx, c.now, c.term); err != nil {
		c.log.Debug("age of the locks not observed", "error", err)
		if errors.Is(err, jetstream.ErrStreamNotFound) {
			c.forget()
		}
	}
}

// opened opens the buckets and the stream, and creates those that are missing.
func (c *Common) opened(ctx context.Context) (*shared, error) {
	notes, err := bucket(ctx, c.js, true, jetstream.KeyValueConfig{Bucket: c.sub.bucket(bucketNotes), TTL: noteLife, MaxBytes: 16 << 20, MaxValueSize: mostNote})
	if err != nil {
		return nil, err
	}
	locks, err := bucket(ctx, c.js, true, jetstream.KeyValueConfig{Bucket: c.sub.bucket(bucketLocks), TTL: lockKept, MaxBytes: 4 << 20})
	if err != nil {
		return nil, err
	}
	cfg := jetstream.StreamConfig{
		Name: c.sub.copies(), Subjects: []string{c.sub.audit("*")}, Storage: jetstream.FileStorage, Replicas: replicas,
		MaxAge: audited, MaxBytes: mostStore / 2, Duplicates: time.Hour,
	}
	audit, err := soon(ctx, func(ctx context.Context) (jetstream.Stream, error) { return c.js.Stream(ctx, cfg.Name) })
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		audit, err = made(ctx, &cfg.Replicas, func(ctx context.Context) (jetstream.Stream, error) { return c.js.CreateStream(ctx, cfg) })
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", cfg.Name, err)
	}
	held, err := soon(ctx, func(ctx context.Context) (jetstream.Stream, error) {
		return c.js.Stream(ctx, "KV_"+c.sub.bucket(bucketLocks))
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", bucketLocks, err)
	}
	return &shared{notes: notes, locks: locks, audit: audit, held: held, made: held.CachedInfo().Created}, nil
}

// bucket opens a bucket. If it is missing and create is set, bucket creates it.
func bucket(ctx context.Context, js jetstream.JetStream, create bool, cfg jetstream.KeyValueConfig) (*entries, error) {
	cfg.Replicas = replicas
	kv, err := soon(ctx, func(ctx context.Context) (jetstream.KeyValue, error) { return js.KeyValue(ctx, cfg.Bucket) })
	if errors.Is(err, jetstream.ErrBucketNotFound) && create {
		kv, err = made(ctx, &cfg.Replicas, func(ctx context.Context) (jetstream.KeyValue, error) { return js.CreateKeyValue(ctx, cfg) })
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", cfg.Bucket, err)
	}
	return &entries{kv}, nil
}

// soon calls ask with a short timeout. Servers do not answer without a leader, or while
// they are already creating what ask requests. The caller tries again later.
func soon[T any](ctx context.Context, ask func(context.Context) (T, error)) (T, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	return ask(ctx)
}

// made calls ask to create a bucket or stream. If the server is not clustered, it sets
// copies to 1 and calls ask again.
func made[T any](ctx context.Context, copies *int, ask func(context.Context) (T, error)) (T, error) {
	x, err := soon(ctx, ask)
	if isSingle(err) {
		*copies = 1
		return soon(ctx, ask)
	}
	return x, err
}

// isSingle reports whether a request failed because the server is not clustered and can
// keep one copy only.
func isSingle(err error) bool {
	const notClustered = 10074
	var api *jetstream.APIError
	return errors.As(err, &api) && int(api.ErrorCode) == notClustered
}
