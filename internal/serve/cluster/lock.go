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
	// lockTerm is how long a lock holds after it was asked for, or renewed, last. Who has
	// it sends nothing in its second half, which is for the platform to carry out what was
	// sent; who wants it waits for a tenth more, because clocks do not run at quite the
	// same speed.
	lockTerm = 30 * time.Second
	// lockKept is how long a lock is kept that nobody wants, by the clock of a server,
	// which may be wrong: it only tidies up.
	lockKept = 30 * time.Minute
	lockWait = 2 * time.Second
)

// locked is what a lock says.
type locked struct {
	Node string `json:"node"`
	Run  string `json:"run"`
	// Sent is when something began to be sent under it, by that node's clock.
	Sent time.Time `json:"sent,omitzero"`
	// Over is set where that has ended and nobody knows how: whoever comes next may have
	// the lock, and is told.
	Over bool `json:"over,omitempty"`
}

// TakenError says which node acts on a target at this moment; "" is one that is not known.
type TakenError struct{ Node string }

// Error implements error.
func (e *TakenError) Error() string {
	if e.Node == "" {
		return "somebody at another node does so at this moment"
	}
	return "somebody at node " + e.Node + " does so at this moment"
}

// UnclearError says that what was begun on a target before may have been carried out or not.
// It is told once.
type UnclearError struct {
	Node string
	At   time.Time // by that node's clock
}

// Error implements error.
func (e *UnclearError) Error() string {
	return "somebody at node " + e.Node + " began to do so at " + e.At.Local().Format(time.TimeOnly) +
		" and what came of it is not known: look whether it was done, and ask again if it was not"
}

// ErrUnanswered says that it could not be found out whether another node acts on a
// target.
var ErrUnanswered = errors.New("the other nodes of the cluster do not answer")

// ErrCutOff says that a node without a majority does not act.
var ErrCutOff = errors.New("this server is cut off from the other nodes of the cluster, where somebody may do the same: actions wait until it reaches a majority of them again (act_alone = true in [cluster] lets it act all the same)")

// besideOthers warns of what is done without a lock.
const besideOthers = "No majority of the cluster can be reached: somebody at another node may do the same at this moment."

// Lock is what makes this node the only one that acts on a target. It is renewed until it is
// released. The zero value is that of a node without a majority that acts all the same.
type Lock struct {
	c    *Common
	kept *shared // nil: it is none
	key  string
	stop func() // renewing it

	mu    sync.Mutex
	value locked
	rev   uint64
	until time.Time // when nothing more is sent under it if it is not renewed
}

// Lock makes this node the only one that acts on a target, until it is released. The errors
// are a *TakenError, an *UnclearError, ErrCutOff for a node without a majority that may not
// act alone, and others where nobody could be asked.
func (c *Common) Lock(ctx context.Context, target string) (*Lock, error) {
	if _, cutOff := c.apart(); !cutOff { // else nobody needs to be asked
		l, err := c.ask(ctx, target)
		if alone, _ := c.apart(); !alone || !errors.Is(err, ErrUnanswered) {
			return l, err
		}
	}
	if c.actAlone {
		return &Lock{}, nil
	}
	return nil, ErrCutOff
}

// ask asks for a lock.
func (c *Common) ask(ctx context.Context, target string) (*Lock, error) {
	kept := c.together()
	if kept == nil {
		return nil, ErrUnanswered
	}
	if wait := kept.notBefore.Sub(c.now()); wait > 0 {
		return nil, fmt.Errorf("what the nodes of the cluster keep together was lost and made anew, and what was begun before has to end: wait for %v", wait.Round(time.Second))
	}
	sum := sha256.Sum256([]byte(target))
	l := &Lock{c: c, kept: kept, key: hex.EncodeToString(sum[:16]), value: locked{Node: c.name, Run: c.run}}
	if !c.begin(l.key) {
		return nil, &TakenError{c.name}
	}
	ctx, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	if err := l.take(ctx); err != nil {
		c.end(l.key)
		return nil, c.answer(err)
	}
	l.renew()
	return l, nil
}

// answer is what somebody is told of an error of what the nodes keep together.
func (c *Common) answer(err error) error {
	var taken *TakenError
	var unclear *UnclearError
	if errors.As(err, &taken) || errors.As(err, &unclear) {
		return err
	}
	c.log.Warn("a lock was not answered", "error", err)
	return ErrUnanswered
}

// take gets the lock.
func (l *Lock) take(ctx context.Context) error {
	err := l.put(ctx, l.value)
	if wrongRevision(err) {
		err = l.takeOver(ctx)
	}
	if err != nil {
		return err
	}
	return l.kept.unchanged(ctx)
}

// put writes the lock, if it is still as this node knows it.
func (l *Lock) put(ctx context.Context, v locked) error {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("cluster: %w", err)
	}
	began := l.c.now()
	rev, err := l.kept.locks.Update(ctx, l.key, text, l.rev)
	if err != nil {
		return err //nolint:wrapcheck // who asks knows of what
	}
	l.value, l.rev, l.until = v, rev, began.Add(l.c.term/2)
	return nil
}

// read reads what the lock says now: nothing where nobody has it.
func (l *Lock) read(ctx context.Context) (v locked, rev uint64, err error) {
	text, rev, err := l.kept.locks.read(ctx, l.c.js, l.key)
	if err != nil || len(text) == 0 {
		return locked{}, rev, err
	}
	if err := json.Unmarshal(text, &v); err != nil {
		return locked{}, 0, fmt.Errorf("a lock makes no sense: %w", err)
	}
	v.Node = clean(v.Node)
	return v, rev, nil
}

// takeOver takes a lock that is there, if whoever has it cannot act by it any more. Where
// they may have, it is given back, and the error says so: whoever asks again gets it.
func (l *Lock) takeOver(ctx context.Context) error {
	was, rev, err := l.read(ctx)
	if err != nil {
		return err
	}
	l.rev = rev
	own := was.Run == l.c.run // its answer was lost, or it ended here in doubt, as is known here
	switch {
	case was.Run == "", own: // it was given back
	case !was.Over && !l.kept.olderThan(rev, l.c.now(), l.c.term+l.c.term/10):
		return &TakenError{was.Node}
	case !was.Sent.IsZero():
		err = l.kept.locks.Delete(ctx, l.key, jetstream.LastRevision(rev))
		if err == nil {
			return &UnclearError{was.Node, was.Sent}
		}
	}
	if err == nil {
		err = l.put(ctx, l.value)
	}
	if wrongRevision(err) {
		return &TakenError{was.Node}
	}
	return err
}

// renew keeps the lock until it is released.
func (l *Lock) renew() {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	l.stop = func() { cancel(); <-done }
	go func() {
		defer close(done)
		for {
			select {
			case <-ctx.Done():
				return
			case <-time.After(l.c.term / 4):
			}
			err := l.write(ctx, func(*locked) {})
			if err != nil && ctx.Err() == nil {
				l.c.log.Info("a lock is not renewed", "error", err)
			}
			var taken *TakenError
			if errors.As(err, &taken) || errors.Is(err, nats.ErrConnectionClosed) {
				return
			}
		}
	}()
}

// write changes what the lock says, which renews it. An answer that was lost is found again.
func (l *Lock) write(ctx context.Context, change func(*locked)) error {
	ctx, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	l.mu.Lock()
	defer l.mu.Unlock()
	v := l.value
	change(&v)
	err := l.put(ctx, v)
	if !wrongRevision(err) {
		return err
	}
	now, rev, err := l.read(ctx)
	if err == nil && now.Run == l.c.run {
		l.rev = rev
		err = l.put(ctx, v)
	} else if err == nil {
		err = &TakenError{now.Node}
	}
	return err
}

// Warning says, in a sentence, that there is no lock; "" is nothing.
func (l *Lock) Warning() string {
	if l.kept == nil {
		return besideOthers
	}
	return ""
}

// Confirm asks whether this node still has the lock, and has it say that something is sent.
func (l *Lock) Confirm(ctx context.Context) error {
	if l.kept == nil {
		return nil
	}
	err := l.write(ctx, func(v *locked) { v.Sent = l.c.now().Round(0) })
	if err == nil {
		err = l.kept.unchanged(ctx)
	}
	if err != nil {
		return l.c.answer(err)
	}
	return nil
}

// Holds reports whether no other node can have the lock at this moment, nor for as long as
// the platform has for what is sent now. It goes by both clocks of this machine: one of them
// may have stood still while it slept.
func (l *Lock) Holds() bool {
	if l.kept == nil {
		return true
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.c.now()
	return now.Before(l.until) && now.Round(0).Before(l.until.Round(0))
}

// Release gives the lock back. Where it is not known what came of what was sent, it is left
// for whoever wants it next to be told.
func (l *Lock) Release(known bool) {
	if l.kept == nil {
		return
	}
	l.stop()
	defer l.c.end(l.key)
	var err error
	if !known {
		err = l.write(context.Background(), func(v *locked) { v.Over = true })
	} else {
		err = l.delete()
	}
	if err != nil {
		l.c.log.Info("a lock could not be given back; it ends by itself", "error", err)
	}
}

func (l *Lock) delete() error {
	ctx, cancel := context.WithTimeout(context.Background(), lockWait)
	defer cancel()
	l.mu.Lock()
	defer l.mu.Unlock()
	err := l.kept.locks.Delete(ctx, l.key, jetstream.LastRevision(l.rev))
	if wrongRevision(err) {
		now, rev, again := l.read(ctx)
		if again == nil && now.Run == l.c.run {
			return l.kept.locks.Delete(ctx, l.key, jetstream.LastRevision(rev)) //nolint:wrapcheck // it is logged
		}
	}
	return err //nolint:wrapcheck // it is logged
}

// begin notes that this node wants a lock, unless it does already.
func (c *Common) begin(key string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.own[key] {
		return false
	}
	c.own[key] = true
	return true
}

func (c *Common) end(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.own, key)
}
