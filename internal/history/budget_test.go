package history_test

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"wallboard/internal/history"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/simulator"
	"wallboard/model/contact"
)

// TestBudgetIsNeverExceeded runs ten programs with a shared file that send 150 requests
// at once; the platform never sees more than its limit per minute.
func TestBudgetIsNeverExceeded(t *testing.T) {
	t.Parallel()
	file := filepath.Join(testkit.PrivateDir(t), "budget")
	synctest.Test(t, func(t *testing.T) {
		p := open(t, nil)
		var wg sync.WaitGroup
		for i := range 10 {
			c := p.client(t, func(o *history.Options) { o.Batch, o.BudgetFile, o.Now = 1, file, time.Now })
			wg.Go(func() {
				for hour := range 15 {
					if _, err := c.Count(t.Context(), contact.Inbound, hourOf(2026, time.March, 1+i, hour)); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
		if n := p.Statistics().MaxPerMinute(); n > 100 {
			t.Errorf("%d requests within a minute", n)
		}
		if n := len(p.Statistics().Requests()); n != 150 {
			t.Errorf("%d requests, want 150", n)
		}
	})
}

// TestBudgetReserve checks the reserve for interactive requests. If there is no capacity left, these requests
// fail at once with an error that says so.
func TestBudgetReserve(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := open(t, nil)
		c := p.client(t, func(o *history.Options) { o.Batch, o.Now = 1, time.Now })
		ask := func(ctx context.Context, n int) error {
			limited, cancel := context.WithTimeout(ctx, time.Second)
			defer cancel()
			_, err := c.Count(limited, contact.Inbound, hourOf(2026, time.March, 1+n/24, n%24))
			return err
		}
		for i := range 100 {
			ctx := t.Context()
			if i < 80 {
				ctx = contact.InBackground(ctx)
			}
			if err := ask(ctx, i); err != nil {
				t.Fatal(i, err)
			}
			if i == 79 {
				if err := ask(ctx, 200); !errors.Is(err, history.ErrBudgetExhausted) {
					t.Errorf("the 81st in the background: %v", err)
				}
			}
		}
		var e *history.Error
		if err := ask(t.Context(), 201); !errors.As(err, &e) || !errors.Is(err, history.ErrBudgetExhausted) || e.Retry.IsZero() {
			t.Errorf("the 101st: %v", err)
		}
	})
}

// TestRateRefused checks that a rejected request halves the rate and is repeated.
func TestRateRefused(t *testing.T) {
	t.Parallel()
	for _, form := range []simulator.RefusalFormat{simulator.RefusalsStatus, simulator.RefusalsErrors} {
		synctest.Test(t, func(t *testing.T) {
			p := open(t, func(o *simulatorOptions) { o.Stat.Limit, o.Stat.Refusals = 60, form })
			c := p.client(t, func(o *history.Options) { o.Batch, o.Now = 1, time.Now })
			for i := range 61 {
				if _, err := c.Count(t.Context(), contact.Inbound, hourOf(2026, time.March, 1+i/24, i%24)); err != nil {
					t.Fatal(i, err)
				}
			}
			if b := c.Budget(); b.Limit != 50 || b.LoweredUntil.IsZero() {
				t.Errorf("after a refusal: %+v", b)
			}
		})
	}
}

// TestRateRefusedForAWhile checks that the time of the platform is respected, and that
// the wait can be cancelled.
func TestRateRefusedForAWhile(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := open(t, func(o *simulatorOptions) { o.Stat.Limit = 1 })
		c := p.client(t, func(o *history.Options) { o.Batch, o.Now = 1, time.Now })
		count := func(ctx context.Context, hour int) error {
			_, err := c.Count(ctx, contact.Inbound, hourOf(2026, time.March, 1, hour))
			return err
		}
		if err := count(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
		began, waits := time.Now(), 0
		ctx, cancel := context.WithCancel(contact.WithProgress(t.Context(), func(p contact.Progress) {
			if p.Wait > 0 {
				waits++
			}
		}))
		defer cancel()
		if err := count(ctx, 1); err != nil {
			t.Fatal(err)
		}
		if took, n := time.Since(began), len(p.Statistics().Requests()); took < 59*time.Second || n != 3 || waits != 1 {
			t.Errorf("answered after %v with %d requests and %d reported waits", took, n, waits)
		}
		time.AfterFunc(time.Second, cancel)
		if err := count(ctx, 2); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		soon, end := context.WithTimeout(t.Context(), time.Second)
		defer end()
		var e *history.Error
		if err := count(soon, 3); !errors.As(err, &e) || !errors.Is(err, history.ErrRateLimit) || e.Retry.IsZero() {
			t.Error(err)
		}
	})
}

// TestProgress checks the reported progress and waits.
func TestProgress(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := open(t, nil)
		c := p.client(t, func(o *history.Options) { o.Batch, o.Now = 1, time.Now })
		var last contact.Progress
		waited := false
		ctx := contact.WithProgress(t.Context(), func(p contact.Progress) {
			if p.Read < last.Read || p.Read > p.Total {
				t.Errorf("%+v after %+v", p, last)
			}
			waited, last = waited || p.Wait > 0, p
		})
		if _, err := c.WeeklyAverages(ctx, time.Now(), 1, contact.Inbound); err != nil {
			t.Fatal(err)
		}
		if last.Total < 6*24 || last.Read != last.Total-1 || last.Wait != 0 || !waited {
			t.Errorf("at the end %+v, reported a wait: %v", last, waited)
		}
		if n := p.Statistics().MaxPerMinute(); n > 100 {
			t.Errorf("%d requests within a minute", n)
		}
	})
}
