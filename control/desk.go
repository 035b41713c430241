package control

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"wallboard/model"
	"wallboard/model/resource"
)

// Options are what a [Desk] works with.
type Options struct {
	Service Service
	Audit   Audit
	// Feed returns the live picture, which may confirm what the service can
	// not; it may be nil, and so may what it returns.
	Feed func() *model.Snapshot
	// NoFeed says why there is no live picture, as the end of a sentence; it may
	// be nil.
	NoFeed func() string

	Address  string // of the service, as people know it
	Username string // whose login acts; "" is who the platform says it is
	Session  bool   // the service wants a login and keeps a session
	Insecure bool   // the service's certificate is not verified
	ReadOnly bool   // no action is taken

	// Correlate adds a mark to the call data of every call that is dialled, by
	// which it is found again for certain. Agents may see it.
	Correlate bool

	Now    func() time.Time
	After  func(time.Duration) <-chan time.Time // default time.After
	Logger *slog.Logger                         // default none
}

// Desk takes actions; it implements the board's Controller.
type Desk struct {
	o        Options
	standing standing
	nudge    chan struct{} // makes Watch look at once

	mu       sync.Mutex
	underWay map[string]bool            // by kind and target
	listed   map[string][]resource.Call // by user, as they were shown last
	actions  sync.WaitGroup
}

// New returns a desk. Nothing is sent yet.
func New(o Options) (*Desk, error) {
	switch {
	case !o.Service.complete():
		return nil, errors.New("control: no service")
	case o.Audit == nil:
		return nil, errors.New("control: no audit: nobody could tell what was done")
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.After == nil {
		o.After = time.After
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Feed == nil {
		o.Feed = func() *model.Snapshot { return nil }
	}
	if o.NoFeed == nil {
		o.NoFeed = func() string { return "there is no real-time service here" }
	}
	d := &Desk{o: o, nudge: make(chan struct{}, 1), underWay: make(map[string]bool), listed: make(map[string][]resource.Call)}
	d.standing.user = o.Username
	return d, nil
}

// Insecure reports whether the service's certificate goes unverified.
func (d *Desk) Insecure() bool { return d.o.Insecure }

// Wait returns when no action is under way any more and the outcomes of all are
// in the audit file. It calls none off: their contexts do.
func (d *Desk) Wait() { d.actions.Wait() }

// claim makes the caller the only one who acts on a target, until release; ok
// is false when somebody does so already.
func (d *Desk) claim(key string) (release func(), ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.underWay[key] {
		return nil, false
	}
	d.underWay[key] = true
	return func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		delete(d.underWay, key)
	}, true
}

// pause waits; it returns false when the context ended first.
func (d *Desk) pause(ctx context.Context, how time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-d.o.After(how):
		return ctx.Err() == nil
	}
}

// poll looks until look returns true, after 1, 2, 4 and 8 seconds.
func (d *Desk) poll(ctx context.Context, look func() bool) bool {
	for how := time.Second; how <= 8*time.Second; how *= 2 {
		if !d.pause(ctx, how) {
			return false
		}
		if look() {
			return true
		}
	}
	return false
}
