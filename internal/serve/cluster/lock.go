package cluster

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

const (
	// lockTerm is how long a lock is valid after it was taken or renewed. In the second half of
	// this time, the holder sends nothing, because the platform needs time to carry out earlier
	// requests. Other nodes wait a tenth longer than lockTerm, because clocks run at slightly
	// different speeds.
	lockTerm = 30 * time.Second
	// unusedLockRetention is how long a server keeps an unused lock. It is long, because the
	// server's clock may be wrong.
	unusedLockRetention = 30 * time.Minute
	lockTimeout         = 2 * time.Second
)

// lockContent is the content of a lock.
type lockContent struct {
	Node  string `json:"node"`
	RunID string `json:"run"`
	// Sent is the time, on the node's clock, at which the node began to send an action under
	// the lock. It is zero if the node has not sent an action.
	Sent time.Time `json:"sent,omitzero"`
	// OutcomeUnknown means that the action has ended with an unknown outcome. The next request of
	// another node for the lock then fails with an UnknownOutcomeError, and the request after it succeeds.
	OutcomeUnknown bool `json:"over,omitempty"`
}

// TargetLockedError means that another node, or another user of this node, is acting on the target.
// Node is "" if the node is unknown.
type TargetLockedError struct{ Node string }

// Error implements [error].
func (e *TargetLockedError) Error() string {
	if e.Node == "" {
		return "a user of another node is doing this at the moment"
	}
	return "a user of node " + e.Node + " is doing this at the moment"
}

// UnknownOutcomeError means that another node may have carried out an action on the target, with an
// unknown outcome. Only the first request for the lock after that action returns this error.
type UnknownOutcomeError struct {
	Node string
	At   time.Time // on the clock of that node
}

// Error implements [error].
func (e *UnknownOutcomeError) Error() string {
	return "a user of node " + e.Node + " began to do this at " + e.At.Local().Format(time.TimeOnly) +
		", and the outcome is unknown: check whether it was done, and repeat it if it was not"
}

// ErrNoAnswer means that the other nodes do not answer and that one of them may be acting on
// the target.
var ErrNoAnswer = errors.New("the other nodes of the cluster do not answer")

// ErrCutOff means that this node does not hear a majority of the nodes and may not act alone.
var ErrCutOff = errors.New("this server is cut off from the majority of the cluster, where another user may do the same: it refuses actions until it reaches a majority again (act_alone = true in [cluster] allows them)")

// unlockedWarning is the warning for an action without a lock.
const unlockedWarning = "No majority of the cluster can be reached: a user of another node may do the same at this moment."

// Lock ensures that only this node acts on a target. It is renewed until it is released. The
// zero Lock locks nothing; a node that acts without a majority uses it.
type Lock struct {
	shared  *SharedData
	buckets *sharedBuckets // nil in the zero value
	key     string
	stop    func() // ends the renewals and waits for the goroutine

	mu         sync.Mutex
	content    lockContent
	revision   uint64
	validUntil time.Time // no action may be sent after this time unless the lock is renewed
}

// Lock takes the lock of a target. The error is a *TargetLockedError, an *UnknownOutcomeError,
// [ErrNoAnswer], or another error if the locks were lost. Without a majority, Lock returns
// [ErrCutOff], or the zero Lock if this node may act alone.
func (c *SharedData) Lock(ctx context.Context, target string) (*Lock, error) {
	if _, cutOff := c.isolation(); !cutOff { // without a majority, no request would be answered
		l, err := c.takeLock(ctx, target)
		if alone, _ := c.isolation(); !alone || !errors.Is(err, ErrNoAnswer) {
			return l, err
		}
	}
	if c.actWithoutMajority {
		return &Lock{}, nil
	}
	return nil, ErrCutOff
}

// takeLock takes the lock of a target in the shared bucket and starts to renew it.
func (c *SharedData) takeLock(ctx context.Context, target string) (*Lock, error) {
	buckets := c.currentBuckets()
	if buckets == nil {
		return nil, ErrNoAnswer
	}
	if wait := buckets.noLocksBefore.Sub(c.now()); wait > 0 {
		return nil, fmt.Errorf("the cluster lost its locks and created new ones: wait %v until earlier actions have ended", wait.Round(time.Second))
	}
	sum := sha256.Sum256([]byte(target))
	l := &Lock{shared: c, buckets: buckets, key: hex.EncodeToString(sum[:16]), content: lockContent{Node: c.name, RunID: c.runID}}
	if !c.markPending(l.key) {
		return nil, &TargetLockedError{c.name}
	}
	ctx, cancel := context.WithTimeout(ctx, lockTimeout)
	defer cancel()
	if err := l.acquire(ctx); err != nil {
		c.unmarkPending(l.key)
		return nil, c.userError(err)
	}
	l.startRenewal()
	return l, nil
}

// userError returns the error to show to the user. It logs an error of the bucket and replaces
// it with [ErrNoAnswer].
func (c *SharedData) userError(err error) error {
	var taken *TargetLockedError
	var unclear *UnknownOutcomeError
	if errors.As(err, &taken) || errors.As(err, &unclear) {
		return err
	}
	c.log.Warn("lock request failed", "error", err)
	return ErrNoAnswer
}

// acquire writes the lock if no node has it. Otherwise it calls takeOver.
func (l *Lock) acquire(ctx context.Context) error {
	err := l.writeIfUnchanged(ctx, l.content)
	if isRevisionConflict(err) {
		err = l.takeOver(ctx)
	}
	if err != nil {
		return err
	}
	return l.buckets.checkUnchanged(ctx)
}

// writeIfUnchanged writes the lock if it has not changed since this node last read or wrote it.
func (l *Lock) writeIfUnchanged(ctx context.Context, content lockContent) error {
	text, err := json.Marshal(content)
	if err != nil {
		return fmt.Errorf("cluster: %w", err)
	}
	started := l.shared.now()
	rev, err := l.buckets.locks.Update(ctx, l.key, text, l.revision)
	if err != nil {
		return err
	}
	l.content, l.revision, l.validUntil = content, rev, started.Add(l.shared.lockTerm/2)
	return nil
}

// read returns the content and the revision of the lock in the bucket. The content is empty if
// no node has the lock.
func (l *Lock) read(ctx context.Context) (v lockContent, rev uint64, err error) {
	text, rev, err := l.buckets.locks.readFromLeader(ctx, l.shared.jetStream, l.key)
	if err != nil || len(text) == 0 {
		return lockContent{}, rev, err
	}
	if err := json.Unmarshal(text, &v); err != nil {
		return lockContent{}, 0, fmt.Errorf("the lock is invalid: %w", err)
	}
	v.Node = cleanName(v.Node)
	return v, rev, nil
}

// takeOver takes over a lock if its holder can no longer act under it. If the holder may have
// sent an action, takeOver instead deletes the lock and returns an UnknownOutcomeError. The next
// request for the lock then succeeds.
func (l *Lock) takeOver(ctx context.Context) error {
	previous, rev, err := l.read(ctx)
	if err != nil {
		return err
	}
	l.revision = rev
	isOwn := previous.RunID == l.shared.runID // either the answer to a write was lost, or an action of this node ended with an unknown outcome, which its user knows
	switch {
	case previous.RunID == "", isOwn: // the lock was given back or belongs to this node
	case !previous.OutcomeUnknown && !l.buckets.isOlderThan(rev, l.shared.now(), l.shared.lockTerm+l.shared.lockTerm/10):
		return &TargetLockedError{previous.Node}
	case !previous.Sent.IsZero():
		err = l.buckets.locks.Delete(ctx, l.key, jetstream.LastRevision(rev))
		if err == nil {
			return &UnknownOutcomeError{previous.Node, previous.Sent}
		}
	}
	if err == nil {
		err = l.writeIfUnchanged(ctx, l.content)
	}
	if isRevisionConflict(err) {
		return &TargetLockedError{previous.Node}
	}
	return err
}

// startRenewal starts a goroutine that renews the lock until it is released or lost.
func (l *Lock) startRenewal() {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	l.stop = func() { cancel(); <-done }
	go func() {
		defer close(done)
		for {
			select {
			case <-ctx.Done():
				return
			case <-time.After(l.shared.lockTerm / 4):
			}
			err := l.update(ctx, func(*lockContent) {})
			if err != nil && ctx.Err() == nil {
				l.shared.log.Info("lock not renewed", "error", err)
			}
			var taken *TargetLockedError
			if errors.As(err, &taken) || errors.Is(err, nats.ErrConnectionClosed) {
				return
			}
		}
	}()
}

// update changes the content of the lock and writes it, which also renews the lock. If the
// answer to an earlier write was lost, update reads the current revision and writes again. If
// another node has the lock, the error is a *TargetLockedError.
func (l *Lock) update(ctx context.Context, change func(*lockContent)) error {
	ctx, cancel := context.WithTimeout(ctx, lockTimeout)
	defer cancel()
	l.mu.Lock()
	defer l.mu.Unlock()
	content := l.content
	change(&content)
	err := l.writeIfUnchanged(ctx, content)
	if !isRevisionConflict(err) {
		return err
	}
	current, rev, err := l.read(ctx)
	if err == nil && current.RunID == l.shared.runID {
		l.revision = rev
		err = l.writeIfUnchanged(ctx, content)
	} else if err == nil {
		err = &TargetLockedError{current.Node}
	}
	return err
}

// Warning returns a sentence that warns that the target is not locked, or "" if it is locked.
func (l *Lock) Warning() string {
	if l.buckets == nil {
		return unlockedWarning
	}
	return ""
}

// Confirm renews the lock and stores the current time in it. It must be called before an
// action is sent. After an error, this node may no longer have the lock.
func (l *Lock) Confirm(ctx context.Context) error {
	if l.buckets == nil {
		return nil
	}
	err := l.update(ctx, func(v *lockContent) { v.Sent = l.shared.now().Round(0) })
	if err == nil {
		err = l.buckets.checkUnchanged(ctx)
	}
	if err != nil {
		return l.shared.userError(err)
	}
	return nil
}

// IsHeld reports whether a request to the platform may be sent now: this node has the lock and keeps
// it for the time that the platform needs. IsHeld checks both the monotonic and the wall clock,
// because one of them may have stopped while the machine slept. It returns true for the zero Lock.
func (l *Lock) IsHeld() bool {
	if l.buckets == nil {
		return true
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.shared.now()
	return now.Before(l.validUntil) && now.Round(0).Before(l.validUntil.Round(0))
}

// Release gives the lock back. If the outcome of the action is unknown, the lock stays, and
// the next node that requests it gets an UnknownOutcomeError.
func (l *Lock) Release(outcomeKnown bool) {
	if l.buckets == nil {
		return
	}
	l.stop()
	defer l.shared.unmarkPending(l.key)
	var err error
	if !outcomeKnown {
		err = l.update(context.Background(), func(v *lockContent) { v.OutcomeUnknown = true })
	} else {
		err = l.delete()
	}
	if err != nil {
		l.shared.log.Info("lock not released; it expires by itself", "error", err)
	}
}

// delete deletes the lock in the bucket if it still belongs to this node.
func (l *Lock) delete() error {
	ctx, cancel := context.WithTimeout(context.Background(), lockTimeout)
	defer cancel()
	l.mu.Lock()
	defer l.mu.Unlock()
	err := l.buckets.locks.Delete(ctx, l.key, jetstream.LastRevision(l.revision))
	if isRevisionConflict(err) {
		current, rev, readErr := l.read(ctx)
		if readErr == nil && current.RunID == l.shared.runID {
			return l.buckets.locks.Delete(ctx, l.key, jetstream.LastRevision(rev))
		}
	}
	return err
}

// markPending records that this node has or requests the lock with the given key. It returns
// false if this was already recorded.
func (c *SharedData) markPending(key string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ownLocks[key] {
		return false
	}
	c.ownLocks[key] = true
	return true
}

// unmarkPending records that this node neither has nor requests the lock with the given key.
func (c *SharedData) unmarkPending(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.ownLocks, key)
}
