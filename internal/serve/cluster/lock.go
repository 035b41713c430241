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
	// lockTerm is the time for which a lock is valid after it was taken or renewed. The holder
	// sends nothing in the second half, so that the platform can carry out earlier requests.
	// Other nodes wait a tenth longer, because clocks run at slightly different speeds.
	lockTerm = 30 * time.Second
	// unusedLockRetention is the time after which an unused lock is removed, by the clock of a server,
	// which need not be right.
	unusedLockRetention = 30 * time.Minute
	lockTimeout         = 2 * time.Second
)

// lockContent is the content of a lock.
type lockContent struct {
	Node  string `json:"node"`
	RunID string `json:"run"`
	// Sent is the time at which the node began to send an action under the lock, by its clock.
	Sent time.Time `json:"sent,omitzero"`
	// OutcomeUnknown is set if the action has ended with an unknown outcome. Another node may take the
	// lock at once, after an UnclearError.
	OutcomeUnknown bool `json:"over,omitempty"`
}

// TakenError reports that another node, or another user of this node, acts on a target.
// Node is "" if it is not known.
type TakenError struct{ Node string }

// Error implements error.
func (e *TakenError) Error() string {
	if e.Node == "" {
		return "a user of another node is doing this at the moment"
	}
	return "a user of node " + e.Node + " is doing this at the moment"
}

// UnclearError reports that an earlier action on a target may or may not have been carried
// out. It is returned once.
type UnclearError struct {
	Node string
	At   time.Time // by that node's clock
}

// Error implements error.
func (e *UnclearError) Error() string {
	return "a user of node " + e.Node + " began to do this at " + e.At.Local().Format(time.TimeOnly) +
		", and the outcome is not known: check whether it was done, and repeat it if it was not"
}

// ErrUnanswered is returned if the other nodes do not answer. It is then not known whether
// another node acts on a target.
var ErrUnanswered = errors.New("the other nodes of the cluster do not answer")

// ErrCutOff is returned by a node without a majority that may not act alone.
var ErrCutOff = errors.New("this server is cut off from the majority of the cluster, where another user may do the same: it refuses actions until it reaches a majority again (act_alone = true in [cluster] allows them)")

// unlockedWarning is the warning for actions without a lock.
const unlockedWarning = "No majority of the cluster can be reached: a user of another node may do the same at this moment."

// Lock makes this node the only one that acts on a target. It is renewed until it is
// released. The zero value is for a node that acts without a majority, and locks nothing.
type Lock struct {
	shared  *SharedData
	buckets *sharedBuckets // nil in the zero value
	key     string
	stop    func() // ends the renewals

	mu         sync.Mutex
	content    lockContent
	revision   uint64
	validUntil time.Time // nothing is sent after this time unless the lock is renewed
}

// Lock takes the lock of a target. The error is a *TakenError, an *UnclearError, ErrCutOff
// on a node without a majority that may not act alone, or another one if the other nodes
// could not be asked.
func (c *SharedData) Lock(ctx context.Context, target string) (*Lock, error) {
	if _, cutOff := c.isolation(); !cutOff { // otherwise no node would answer
		l, err := c.takeLock(ctx, target)
		if alone, _ := c.isolation(); !alone || !errors.Is(err, ErrUnanswered) {
			return l, err
		}
	}
	if c.actAlone {
		return &Lock{}, nil
	}
	return nil, ErrCutOff
}

// takeLock takes the lock of a target from the shared bucket and starts to renew it.
func (c *SharedData) takeLock(ctx context.Context, target string) (*Lock, error) {
	buckets := c.openedBuckets()
	if buckets == nil {
		return nil, ErrUnanswered
	}
	if wait := buckets.noLocksBefore.Sub(c.now()); wait > 0 {
		return nil, fmt.Errorf("the cluster lost its locks and created new ones: wait %v until earlier actions have ended", wait.Round(time.Second))
	}
	sum := sha256.Sum256([]byte(target))
	l := &Lock{shared: c, buckets: buckets, key: hex.EncodeToString(sum[:16]), content: lockContent{Node: c.name, RunID: c.runID}}
	if !c.markPending(l.key) {
		return nil, &TakenError{c.name}
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

// userError returns the error for the user. It logs errors of the bucket and returns
// ErrUnanswered for them.
func (c *SharedData) userError(err error) error {
	var taken *TakenError
	var unclear *UnclearError
	if errors.As(err, &taken) || errors.As(err, &unclear) {
		return err
	}
	c.log.Warn("lock request failed", "error", err)
	return ErrUnanswered
}

// acquire writes the lock, or takes it over if it exists.
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

// writeIfUnchanged writes the lock if its revision is still the one that this node knows.
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

// read returns the content of the lock, which is empty if no node has it.
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

// takeOver takes an existing lock if its holder can no longer act under it. If the holder
// may have sent an action, takeOver deletes the lock and returns an UnclearError; the next
// request gets the lock.
func (l *Lock) takeOver(ctx context.Context) error {
	previous, rev, err := l.read(ctx)
	if err != nil {
		return err
	}
	l.revision = rev
	isOwn := previous.RunID == l.shared.runID // the answer to a write was lost, or an action here ended with an unknown outcome, which the user knows
	switch {
	case previous.RunID == "", isOwn: // given back, or of this node
	case !previous.OutcomeUnknown && !l.buckets.isOlderThan(rev, l.shared.now(), l.shared.lockTerm+l.shared.lockTerm/10):
		return &TakenError{previous.Node}
	case !previous.Sent.IsZero():
		err = l.buckets.locks.Delete(ctx, l.key, jetstream.LastRevision(rev))
		if err == nil {
			return &UnclearError{previous.Node, previous.Sent}
		}
	}
	if err == nil {
		err = l.writeIfUnchanged(ctx, l.content)
	}
	if isRevisionConflict(err) {
		return &TakenError{previous.Node}
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
			var taken *TakenError
			if errors.As(err, &taken) || errors.Is(err, nats.ErrConnectionClosed) {
				return
			}
		}
	}()
}

// update changes the content of the lock, which renews it. If the answer to an earlier write
// was lost, it reads the revision and writes again.
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
		err = &TakenError{current.Node}
	}
	return err
}

// Warning returns a warning sentence if the target is not locked, "" otherwise.
func (l *Lock) Warning() string {
	if l.buckets == nil {
		return unlockedWarning
	}
	return ""
}

// Confirm renews the lock before an action is sent, and stores the time. It fails if this
// node no longer has the lock.
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

// Holds reports whether this node still has the lock, and keeps it while the platform carries
// out a request that is sent now. It compares both the monotonic and the wall clock, because
// one of them may have stopped while the machine slept.
func (l *Lock) Holds() bool {
	if l.buckets == nil {
		return true
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.shared.now()
	return now.Before(l.validUntil) && now.Round(0).Before(l.validUntil.Round(0))
}

// Release gives the lock back. If the outcome of the action is not known, the lock stays
// and the next other node that asks for it gets an UnclearError.
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

// delete deletes the lock if this node still has it.
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

// markPending marks a lock as wanted by this node. It returns false if it is marked already.
func (c *SharedData) markPending(key string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ownLocks[key] {
		return false
	}
	c.ownLocks[key] = true
	return true
}

// unmarkPending removes the mark of markPending.
func (c *SharedData) unmarkPending(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.ownLocks, key)
}
