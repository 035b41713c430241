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
	noteLife = 13 * time.Hour // longer than the 12 hours of the longest note
	mostNote = 8 << 10
	noteWait = 5 * time.Second
)

// Note sends a value to all nodes under a name, and replaces the previous value of that
// name. The nodes get it as soon as a majority has stored it; nodes that join later get it
// for half a day. The error is ErrUnanswered while there is no majority.
func (c *Common) Note(ctx context.Context, name string, value []byte) error {
	kept := c.together()
	if kept == nil {
		return ErrUnanswered
	}
	ctx, cancel := context.WithTimeout(ctx, noteWait)
	defer cancel()
	if _, err := kept.notes.Put(ctx, noteKey(name), value); err != nil {
		c.log.Info("note not sent to the other nodes", "error", err)
		return ErrUnanswered
	}
	return nil
}

// noteKey returns the key of a name: names may contain characters that keys may not.
func noteKey(name string) string {
	sum := sha256.Sum256([]byte(name))
	return hex.EncodeToString(sum[:16])
}

// Notes calls take with the values that this node and others send with [Common.Note], the
// existing ones first, until the context ends. It may pass a value more than once.
func (c *Common) Notes(ctx context.Context, take func(value []byte)) {
	every(ctx, time.Second, func() {
		kept := c.together()
		if kept == nil {
			return
		}
		if err := c.follow(ctx, kept, take); err != nil && !errors.Is(err, context.Canceled) {
			c.log.Info("notes not followed", "error", err)
		}
	})
}

// follow calls take with each note until the buckets are reopened or the context ends.
func (c *Common) follow(ctx context.Context, kept *shared, take func([]byte)) error {
	w, err := kept.notes.WatchAll(ctx, jetstream.IgnoreDeletes())
	if err != nil {
		return err
	}
	defer w.Stop() //nolint:errcheck // it is over
	look := time.NewTicker(time.Second)
	defer look.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case e, open := <-w.Updates():
			switch {
			case !open:
				return errors.New("the watch ended")
			case e != nil: // nil: end of the existing notes
				take(e.Value())
			}
		case <-look.C:
			if c.together() != kept {
				return nil
			}
		}
	}
}
