package control

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"wallboard/internal/words"
	"wallboard/model/resource"
)

// sharedLocks holds the locks of several clients.
type sharedLocks struct {
	mu       sync.Mutex
	taken    map[string]bool
	warning  string
	stale    error // error of Confirm
	lost     bool  // the locks no longer hold
	released []bool
}

type sharedLock struct {
	all    *sharedLocks
	target string
}

func (s *sharedLocks) lock(_ context.Context, target string) (Lock, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.taken[target] {
		return nil, errors.New("somebody at node wb2 does so at this moment")
	}
	if s.taken == nil {
		s.taken = make(map[string]bool)
	}
	s.taken[target] = true
	return &sharedLock{s, target}, nil
}

func (l *sharedLock) Warning() string               { return l.all.warning }
func (l *sharedLock) Confirm(context.Context) error { return l.all.stale }
func (l *sharedLock) IsHeld() bool                  { return !l.all.lost }

func (l *sharedLock) Release(known bool) {
	l.all.mu.Lock()
	defer l.all.mu.Unlock()
	delete(l.all.taken, l.target)
	l.all.released = append(l.all.released, known)
}

// TestOtherDesks uses two clients of one platform with shared locks: while one acts on a
// target, the other refuses and sends nothing; afterwards it may act.
func TestOtherDesks(t *testing.T) {
	t.Parallel()
	for _, a := range presses() {
		t.Run(string(a.verb), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var all sharedLocks
				p := newPlatform(t)
				prepare(t, p, a.verb)
				here, there := p.desk(t, func(o *Options) { o.Lock = all.lock }), p.desk(t, func(o *Options) { o.Lock = all.lock })
				p.hold = make(chan struct{})
				first := make(chan words.ActionReport)
				go func() { first <- a.do(t.Context(), t, here) }()
				synctest.Wait()
				if r := a.do(t.Context(), t, there); r.Outcome != notSent || !strings.Contains(r.Text.In(nil), "wb2") {
					t.Errorf("at the other desk: %v %q", r.Outcome, r.Text.In(nil))
				}
				close(p.hold)
				if r := <-first; r.Outcome != sure {
					t.Errorf("first: %v %q", r.Outcome, r.Text.In(nil))
				}
				if n := len(slices.DeleteFunc(slices.Clone(p.events), func(e string) bool { return e != a.op })); n != 1 {
					t.Errorf("sent %d times: %v", n, p.events)
				}
				if len(all.taken) > 0 {
					t.Errorf("still locked: %v", all.taken)
				}
			})
		})
	}
}

// TestNobodyAsked performs an action while the other clients cannot be reached, and reports
// that with the outcome, also in the audit file. An action that is not sent needs no
// warning.
func TestNobodyAsked(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const warning = "Nobody else could be asked."
		p := newPlatform(t)
		all := sharedLocks{warning: warning}
		d := p.desk(t, func(o *Options) { o.Lock = all.lock })
		a := presses()[0]
		prepare(t, p, a.verb)
		if r := a.do(t.Context(), t, d); r.Outcome != sure || !strings.HasSuffix(r.Warning.In(nil), warning) {
			t.Errorf("%v, warning %q", r.Outcome, r.Warning.In(nil))
		}
		if e := p.results; len(e) == 0 || !strings.HasSuffix(e[len(e)-1].Warning, warning) {
			t.Errorf("the audit file has %+v", e)
		}
	})
}

// TestLockLostOnTheWay loses a lock between reading the target and the request: nothing is
// sent, for every action, and the audit file contains the reason.
func TestLockLostOnTheWay(t *testing.T) {
	t.Parallel()
	for _, a := range presses() {
		t.Run(string(a.verb), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				all := sharedLocks{stale: errors.New("the other nodes of the cluster do not answer")}
				p := newPlatform(t)
				prepare(t, p, a.verb)
				d := p.desk(t, func(o *Options) { o.Lock = all.lock })
				if r := a.do(t.Context(), t, d); r.Outcome != notSent || !strings.Contains(r.Text.In(nil), "do not answer; nothing was sent") {
					t.Errorf("%v %q", r.Outcome, r.Text.In(nil))
				}
				if slices.Contains(p.events, a.op) {
					t.Errorf("it was sent: %v", p.events)
				}
				if n := len(p.results); n != 1 || p.results[0].Outcome != notSent.String() {
					t.Errorf("the audit file has %+v", p.results)
				}
				if len(all.taken) > 0 {
					t.Errorf("still locked: %v", all.taken)
				}
			})
		})
	}
}

// TestLockReleasedInDoubt checks that a lock is told whether the outcome is known.
func TestLockReleasedInDoubt(t *testing.T) {
	t.Parallel()
	for _, known := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			var all sharedLocks
			a := presses()[0]
			p := newPlatform(t)
			prepare(t, p, a.verb)
			if !known {
				for range 20 { // the outcome cannot be looked up either
					p.faults[a.op] = append(p.faults[a.op], lost(false))
				}
			}
			r := a.do(t.Context(), t, p.desk(t, func(o *Options) { o.Lock = all.lock }))
			if (r.Outcome != resource.OutcomeUnknown) != known || !slices.Equal(all.released, []bool{known}) {
				t.Errorf("%v %q: released with %v", r.Outcome, r.Text.In(nil), all.released)
			}
		})
	}
}
