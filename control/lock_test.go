package control

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"wallboard/model/resource"
)

// TestOtherDesks has two desks of one platform share locks: what one of them does at a
// time the other refuses, and sends nothing; afterwards it may.
func TestOtherDesks(t *testing.T) {
	t.Parallel()
	for _, a := range presses() {
		t.Run(string(a.verb), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var mu sync.Mutex
				taken := make(map[string]bool)
				lock := func(_ context.Context, target string) (func(), error) {
					mu.Lock()
					defer mu.Unlock()
					if taken[target] {
						return nil, errors.New("somebody at node wb2 does so at this moment")
					}
					taken[target] = true
					return func() {
						mu.Lock()
						defer mu.Unlock()
						delete(taken, target)
					}, nil
				}
				p := newPlatform(t)
				prepare(t, p, a.verb)
				here, there := p.desk(t, func(o *Options) { o.Lock = lock }), p.desk(t, func(o *Options) { o.Lock = lock })
				p.hold = make(chan struct{})
				first := make(chan resource.Report)
				go func() { first <- a.do(t.Context(), t, here) }()
				synctest.Wait()
				if r := a.do(t.Context(), t, there); r.Outcome != notSent || !strings.Contains(r.Text, "wb2") {
					t.Errorf("at the other desk: %v %q", r.Outcome, r.Text)
				}
				close(p.hold)
				if r := <-first; r.Outcome != sure {
					t.Errorf("first: %v %q", r.Outcome, r.Text)
				}
				if n := len(slices.DeleteFunc(slices.Clone(p.events), func(e string) bool { return e != a.op })); n != 1 {
					t.Errorf("sent %d times: %v", n, p.events)
				}
				if len(taken) > 0 {
					t.Errorf("still locked: %v", taken)
				}
			})
		})
	}
}
