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

// The buckets of a cluster.
const (
	bucketLease = "lease"
	bucketNotes = "notes"
	bucketLocks = "locks"
)

// Common is what the nodes keep together besides the lease: locks, notes and copies of
// the audit files. Nothing true depends on it. It is safe for concurrent use.
type Common struct {
	name, run string // of this node
	sub       subjects
	js        jetstream.JetStream
	log       *slog.Logger
	now       func() time.Time
	term      time.Duration               // of a lock
	apart     func() (alone, cutOff bool) // this node is by itself, and hears no majority
	actAlone  bool                        // it acts all the same

	mu   sync.Mutex
	kept *shared         // nil: it is not open
	own  map[string]bool // locks that this node has or wants
	made time.Time       // which locks were open last; zero: none
}

// replicas is how many servers keep it.
const replicas = 3

// audited is for how long the copies of the audit files are kept.
const audited = 400 * 24 * time.Hour

// together returns it, nil where it is not open.
func (c *Common) together() *shared {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.kept
}

// forget has it be opened anew: it is not there any more. Servers that only look for a new
// leader of their own find it again by themselves.
func (c *Common) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kept = nil
}

// open opens it, where it is not, and looks how old its locks are.
func (c *Common) open(ctx context.Context) {
	s := c.together()
	if s == nil {
		var err error
		if s, err = c.opened(ctx); err != nil {
			c.log.Debug("what the nodes keep together cannot be opened", "error", err)
			return
		}
		c.mu.Lock()
		if !c.made.IsZero() && !s.made.Equal(c.made) { // who had a lock of the old ones does not know
			s.notBefore = c.now().Add(c.term + c.term/10)
		}
		c.kept, c.made = s, s.made
		c.mu.Unlock()
	}
	if err := s.observe(ctx, c.now, c.term); err != nil {
		c.log.Debug("how old locks are cannot be seen", "error", err)
		if errors.Is(err, jetstream.ErrStreamNotFound) {
			c.forget()
		}
	}
}

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

// bucket opens a bucket, and makes it where it is missing and may be made.
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

// soon asks servers for something. Those without a leader do not answer, nor do those
// that are asked to make what is being made: they are soon asked again.
func soon[T any](ctx context.Context, ask func(context.Context) (T, error)) (T, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	return ask(ctx)
}

// made has servers make something, with one copy where they are no cluster of NATS.
func made[T any](ctx context.Context, copies *int, ask func(context.Context) (T, error)) (T, error) {
	x, err := soon(ctx, ask)
	if isSingle(err) {
		*copies = 1
		return soon(ctx, ask)
	}
	return x, err
}

// isSingle reports whether a server keeps one copy only: it is no cluster of NATS.
func isSingle(err error) bool {
	const notClustered = 10074
	var api *jetstream.APIError
	return errors.As(err, &api) && int(api.ErrorCode) == notClustered
}
