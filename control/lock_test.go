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
				lock := func(_ context.Context, target string) (func(), string, error) {
					mu.Lock()
					defer mu.Unlock()
					if taken[target] {
						return nil, "", errors.New("somebody at node wb2 does so at this moment")
					}
					taken[target] = true
					return func() {
						mu.Lock()
						defer mu.Unlock()
						delete(taken, target)
					}, "", nil
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

// TestNobodyAsked carries an action out where the desks elsewhere cannot be asked, and says
// so with its outcome, in the audit file too; what is not sent needs no warning.
func TestNobodyAsked(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const warning = "Nobody else could be asked."
		p := newPlatform(t)
		d := p.desk(t, func(o *Options) {
			o.Lock = func(context.Context, string) (func(), string, error) { return func() {}, warning, nil }
		})
		a := presses()[0]
		prepare(t, p, a.verb)
		if r := a.do(t.Context(), t, d); r.Outcome != sure || !strings.HasSuffix(r.Warning, warning) {
			t.Errorf("%v, warning %q", r.Outcome, r.Warning)
		}
		if e := p.results; len(e) == 0 || !strings.HasSuffix(e[len(e)-1].Warning, warning) {
			t.Errorf("the audit file has %+v", e)
		}
	})
}
