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
	noteLife = 13 * time.Hour // the longest of what is noted lasts for 12
	mostNote = 8 << 10
	noteWait = 5 * time.Second
)

// Note tells all nodes something by a name, in place of what was told by it before.
// They get it as soon as a majority has it, and nodes that come later as well, for half
// a day. The error is ErrUnanswered while there is no majority.
func (c *Common) Note(ctx context.Context, name string, value []byte) error {
	kept := c.together()
	if kept == nil {
		return ErrUnanswered
	}
	ctx, cancel := context.WithTimeout(ctx, noteWait)
	defer cancel()
	if _, err := kept.notes.Put(ctx, noteKey(name), value); err != nil {
		c.log.Info("a note could not be told to the other nodes", "error", err)
		return ErrUnanswered
	}
	return nil
}

func noteKey(name string) string {
	sum := sha256.Sum256([]byte(name))
	return hex.EncodeToString(sum[:16])
}

// Notes hands everything that was told with [Common.Note], here or elsewhere, to take,
// until the context ends: what there is first, then what comes. Some may come twice.
func (c *Common) Notes(ctx context.Context, take func(value []byte)) {
	every(ctx, time.Second, func() {
		kept := c.together()
		if kept == nil {
			return
		}
		if err := c.follow(ctx, kept, take); err != nil && !errors.Is(err, context.Canceled) {
			c.log.Info("the notes of the nodes are not followed", "error", err)
		}
	})
}

// follow follows the notes while what keeps them is the same.
func (c *Common) follow(ctx context.Context, kept *shared, take func([]byte)) error {
	w, err := kept.notes.WatchAll(ctx, jetstream.IgnoreDeletes())
	if err != nil {
		return err //nolint:wrapcheck // it is logged
	}
	defer w.Stop() //nolint:errcheck // it is over
	look := time.NewTicker(time.Second)
	defer look.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err() //nolint:wrapcheck // the caller's own
		case e, open := <-w.Updates():
			switch {
			case !open:
				return errors.New("it ended")
			case e != nil: // nil: that was all there is
				take(e.Value())
			}
		case <-look.C:
			if c.together() != kept {
				return nil
			}
		}
	}
}
