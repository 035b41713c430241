package cluster

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

const (
	noteRetention = 8 * 24 * time.Hour // longer than the longest note, which lasts a week
	maxNoteBytes  = 8 << 10
	noteTimeout   = 5 * time.Second
)

// SendNote sends a value under a name to all nodes. It replaces the previous value with this
// name. The nodes receive the value as soon as a majority has stored it. Nodes that join
// within a week also receive it. If the value cannot be stored, the error is [ErrNoAnswer].
func (c *SharedData) SendNote(ctx context.Context, name string, value []byte) error {
	buckets := c.currentBuckets()
	if buckets == nil {
		return ErrNoAnswer
	}
	ctx, cancel := context.WithTimeout(ctx, noteTimeout)
	defer cancel()
	if _, err := buckets.notes.Put(ctx, noteKey(name), value); err != nil {
		c.log.Info("note not sent to the other nodes", "error", err)
		return ErrNoAnswer
	}
	return nil
}

// noteKey returns the key for a name, which may contain characters that are not allowed in a key.
func noteKey(name string) string {
	sum := sha256.Sum256([]byte(name))
	return hex.EncodeToString(sum[:16])
}

// FollowNotes calls handle with each value that a node sends with [SharedData.SendNote], until
// the context ends. It begins with the existing values. It may pass a value more than once.
func (c *SharedData) FollowNotes(ctx context.Context, handle func(value []byte)) {
	callPeriodically(ctx, time.Second, func() {
		buckets := c.currentBuckets()
		if buckets == nil {
			return
		}
		if err := c.watchNotes(ctx, buckets, handle); err != nil && !errors.Is(err, context.Canceled) {
			c.log.Info("notes not followed", "error", err)
		}
	})
}

// watchNotes calls handle with each value until the buckets are reopened or the context ends.
func (c *SharedData) watchNotes(ctx context.Context, buckets *sharedBuckets, handle func([]byte)) error {
	watcher, err := buckets.notes.WatchAll(ctx, jetstream.IgnoreDeletes())
	if err != nil {
		return err
	}
	defer watcher.Stop() //nolint:errcheck // the watch is no longer needed
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case entry, open := <-watcher.Updates():
			switch {
			case !open:
				return errors.New("the watch ended")
			case entry != nil: // a nil entry follows the values that existed at the start
				handle(entry.Value())
			}
		case <-ticker.C:
			if c.currentBuckets() != buckets {
				return nil
			}
		}
	}
}
