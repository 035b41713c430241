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

// Kinds of buckets of a platform.
const (
	bucketLease = "lease"
	bucketNotes = "notes"
	bucketLocks = "locks"
)

// SharedData gives access to the data that the nodes of a platform share besides the lease:
// locks, notes and copies of the audit files. Snapshots do not depend on it. It is safe for
// concurrent use.
type SharedData struct {
	name, runID        string // name of this node, and ID of its run
	subjects           subjects
	jetStream          jetstream.JetStream
	log                *slog.Logger
	now                func() time.Time
	lockTerm           time.Duration               // how long a lock is valid without renewal
	isolation          func() (alone, cutOff bool) // Node.isolation
	actWithoutMajority bool                        // Options.ActWithoutMajority

	mu           sync.Mutex
	buckets      *sharedBuckets  // nil: the buckets are not open
	ownLocks     map[string]bool // keys of the locks that this node has or requests
	locksCreated time.Time       // creation time of the stream of locks that was last opened; zero: none was
}

// replicaCount is the number of servers that store a bucket or stream.
const replicaCount = 3

// maxStore limits the bytes that an embedded server stores for a cluster with one platform.
const maxStore = 256 << 20

// auditRetention is how long copied audit lines are stored.
const auditRetention = 400 * 24 * time.Hour

// currentBuckets returns the buckets, or nil if they are not open.
func (c *SharedData) currentBuckets() *sharedBuckets {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.buckets
}

// dropBuckets forgets the open buckets. The next call of openBuckets opens them again.
// dropBuckets must be called if a bucket no longer exists, but not while the servers elect a
// new leader, because open buckets then stay valid.
func (c *SharedData) dropBuckets() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.buckets = nil
}

// openBuckets opens the buckets unless they are open, and records the newest revision of the locks.
func (c *SharedData) openBuckets(ctx context.Context) {
	s := c.currentBuckets()
	if s == nil {
		var err error
		if s, err = c.openOrCreateAll(ctx); err != nil {
			c.log.Debug("shared buckets not opened", "error", err)
			return
		}
		c.mu.Lock()
		if !c.locksCreated.IsZero() && !s.lockStreamCreated.Equal(c.locksCreated) { // the holders of the lost locks may still be acting
			s.noLocksBefore = c.now().Add(c.lockTerm + c.lockTerm/10)
		}
		c.buckets, c.locksCreated = s, s.lockStreamCreated
		c.mu.Unlock()
	}
	if err := s.recordRevision(ctx, c.now, c.lockTerm); err != nil {
		c.log.Debug("age of the locks not observed", "error", err)
		if errors.Is(err, jetstream.ErrStreamNotFound) {
			c.dropBuckets()
		}
	}
}

// openOrCreateAll opens the buckets and the audit stream, and creates the missing ones.
func (c *SharedData) openOrCreateAll(ctx context.Context) (*sharedBuckets, error) {
	notes, err := openBucket(ctx, c.jetStream, true, jetstream.KeyValueConfig{Bucket: c.subjects.bucketName(bucketNotes), TTL: noteRetention, MaxBytes: 16 << 20, MaxValueSize: maxNoteBytes})
	if err != nil {
		return nil, err
	}
	locks, err := openBucket(ctx, c.jetStream, true, jetstream.KeyValueConfig{Bucket: c.subjects.bucketName(bucketLocks), TTL: unusedLockRetention, MaxBytes: 4 << 20})
	if err != nil {
		return nil, err
	}
	cfg := jetstream.StreamConfig{
		Name: c.subjects.auditStream(), Subjects: []string{c.subjects.auditSubject("*")}, Storage: jetstream.FileStorage, Replicas: replicaCount,
		MaxAge: auditRetention, MaxBytes: maxStore / 2, Duplicates: time.Hour,
	}
	audit, err := withShortTimeout(ctx, func(ctx context.Context) (jetstream.Stream, error) { return c.jetStream.Stream(ctx, cfg.Name) })
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		audit, err = createReplicated(ctx, &cfg.Replicas, func(ctx context.Context) (jetstream.Stream, error) { return c.jetStream.CreateStream(ctx, cfg) })
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", cfg.Name, err)
	}
	held, err := withShortTimeout(ctx, func(ctx context.Context) (jetstream.Stream, error) {
		return c.jetStream.Stream(ctx, "KV_"+c.subjects.bucketName(bucketLocks))
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", bucketLocks, err)
	}
	return &sharedBuckets{notes: notes, locks: locks, audit: audit, lockStream: held, lockStreamCreated: held.CachedInfo().Created}, nil
}

// openBucket opens a bucket. If it is missing and create is true, openBucket creates it.
func openBucket(ctx context.Context, js jetstream.JetStream, create bool, cfg jetstream.KeyValueConfig) (*kvBucket, error) {
	cfg.Replicas = replicaCount
	kv, err := withShortTimeout(ctx, func(ctx context.Context) (jetstream.KeyValue, error) { return js.KeyValue(ctx, cfg.Bucket) })
	if errors.Is(err, jetstream.ErrBucketNotFound) && create {
		kv, err = createReplicated(ctx, &cfg.Replicas, func(ctx context.Context) (jetstream.KeyValue, error) { return js.CreateKeyValue(ctx, cfg) })
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", cfg.Bucket, err)
	}
	return &kvBucket{kv}, nil
}

// withShortTimeout calls request with a timeout of one second, because servers do not answer
// while they have no leader or are creating the requested object. The caller must retry later.
func withShortTimeout[T any](ctx context.Context, request func(context.Context) (T, error)) (T, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	return request(ctx)
}

// createReplicated calls request, which creates a bucket or stream with replicaCount copies. If the
// server is not clustered, createReplicated sets replicaCount to 1 and calls request again.
func createReplicated[T any](ctx context.Context, replicaCount *int, request func(context.Context) (T, error)) (T, error) {
	x, err := withShortTimeout(ctx, request)
	if isNotClustered(err) {
		*replicaCount = 1
		return withShortTimeout(ctx, request)
	}
	return x, err
}

// isNotClustered reports whether a request failed because the server is not clustered and
// stores only one copy.
func isNotClustered(err error) bool {
	const notClustered = 10074
	var apiErr *jetstream.APIError
	return errors.As(err, &apiErr) && int(apiErr.ErrorCode) == notClustered
}
