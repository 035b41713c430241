package cluster

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

const (
	// lockLife is how long a lock outlives a node that is silent.
	lockLife = time.Minute
	// lockKept is how long a lock is kept that nobody gives back, by the clock of a
	// server, which may be wrong: it only tidies up.
	lockKept = 30 * time.Minute
	lockWait = 2 * time.Second
)

// locked is what a lock says.
type locked struct {
	Node string `json:"node"`
	Run  string `json:"run"`
}

// TakenError says which node acts on a target at this moment.
type TakenError struct{ Node string }

// Error implements error.
func (e *TakenError) Error() string { return "somebody at node " + e.Node + " does so at this moment" }

// ErrUnanswered says that it could not be found out whether another node acts on a
// target.
var ErrUnanswered = errors.New("the other nodes of the cluster do not answer")

// besideOthers warns of what is done without a lock.
const besideOthers = "No majority of the cluster can be reached: somebody at another node may do the same at this moment."

// Lock makes this node the only one that acts on a target, until release. The errors
// are a *TakenError, and ErrUnanswered where that could not be found out. A node that
// cannot reach a majority is not held up: whoever is there has to be able to act. What it
// is about to do looks again before it acts, as without a cluster, and the warning, a
// sentence, is to be told with what came of it.
func (c *Common) Lock(ctx context.Context, target string) (release func(), warning string, err error) {
	if c.alone() {
		return func() {}, besideOthers, nil
	}
	kept := c.together()
	if kept == nil {
		return nil, "", ErrUnanswered
	}
	ctx, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	sum := sha256.Sum256([]byte(target))
	key := hex.EncodeToString(sum[:16])
	text, err := json.Marshal(locked{c.name, c.run})
	if err != nil {
		return nil, "", fmt.Errorf("cluster: %w", err)
	}
	rev, err := kept.locks.Create(ctx, key, text)
	if errors.Is(err, jetstream.ErrKeyExists) {
		rev, err = c.takeOver(ctx, kept, key, text)
	}
	var taken *TakenError
	switch {
	case errors.As(err, &taken):
		return nil, "", err
	case err != nil:
		c.log.Warn("a lock was not answered", "error", err)
		return nil, "", ErrUnanswered
	}
	return func() {
		ctx, cancel := context.WithTimeout(context.Background(), lockWait)
		defer cancel()
		if err := kept.locks.Delete(ctx, key, jetstream.LastRevision(rev)); err != nil {
			c.log.Info("a lock could not be given back; it ends with this node", "error", err)
		}
	}, "", nil
}

// takeOver takes the lock of a node that is gone.
func (c *Common) takeOver(ctx context.Context, kept *shared, key string, text []byte) (uint64, error) {
	e, err := kept.locks.Get(ctx, key)
	if errors.Is(err, jetstream.ErrKeyNotFound) { // it was given back meanwhile
		return kept.locks.Create(ctx, key, text) //nolint:wrapcheck // who asks knows of what
	}
	if err != nil {
		return 0, err //nolint:wrapcheck // likewise
	}
	var l locked
	if json.Unmarshal(e.Value(), &l) != nil || c.gone(l) {
		rev, err := kept.locks.Update(ctx, key, text, e.Revision())
		if wrongRevision(err) {
			return 0, &TakenError{clean(l.Node)}
		}
		return rev, err //nolint:wrapcheck // likewise
	}
	return 0, &TakenError{clean(l.Node)}
}
