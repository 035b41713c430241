package feeds

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"wallboard/model"
)

// Run connects and updates the store until ctx ends, and returns ctx's error. Only
// a panic in one of its goroutines ends it earlier, with an error.
func (f *Feed) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wg sync.WaitGroup
	for _, run := range []func(context.Context){f.runTicker, f.findCampaigns} {
		wg.Go(func() {
			defer func() {
				if v := recover(); v != nil {
					cancel(fmt.Errorf("feeds: panic: %v\n%s", v, debug.Stack()))
				}
			}()
			run(ctx)
		})
	}
	f.connectLoop(ctx)
	wg.Wait()
	return context.Cause(ctx)
}

// maxStepInterval is the longest interval between checks for due work on a busy floor.
// Audits and timeouts must not depend on the publishing interval.
const maxStepInterval = 100 * time.Millisecond

// runTicker does due work and publishes at most once per PublishEvery. On an idle
// floor it runs only once a second to save power.
func (f *Feed) runTicker(ctx context.Context) {
	t := time.NewTimer(0)
	defer t.Stop()
	var last, publishedAt time.Time
	for {
		select {
		case <-ctx.Done():
			return
		case <-f.sleep.wake:
			t.Reset(f.stepInterval() - f.now().Sub(last))
		case <-t.C:
			last = f.now()
			t.Reset(f.runDue(last, &publishedAt))
		}
	}
}

// runDue does due work, publishes if the last snapshot is old enough, and returns
// when to run again.
func (f *Feed) runDue(now time.Time, publishedAt *time.Time) time.Duration {
	f.saveProfile(now)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.checkLiveness(now)
	f.stepAll(now)
	if before := f.publisher.Latest(); now.Sub(*publishedAt) >= f.opts.PublishEvery {
		if f.publishIfDue(now); f.publisher.Latest() != before {
			*publishedAt = now
		}
	}
	wait := min(maxStepInterval, f.opts.PublishEvery)
	if f.sleep.active = !f.hasDueWork(now); f.sleep.active {
		wait = healthInterval
	}
	if f.dirty || f.store.Dirty() { // waiting for its turn
		wait = min(wait, max(f.opts.PublishEvery-now.Sub(*publishedAt), time.Millisecond))
	}
	return wait
}

// hasDueWork reports whether anything is due within the next second.
func (f *Feed) hasDueWork(now time.Time) bool {
	if f.filterBuilder.staleFilters != (staleness{}) {
		return true
	}
	if _, due := f.pacer.MostUrgent(now); due {
		return true
	}
	return f.subs.hasDueWork()
}

// stepAll lets every subscription do its due work.
func (f *Feed) stepAll(now time.Time) {
	f.env.Now, f.env.ReceivedAt = now.Add(f.clock.offset), now
	f.filterBuilder.updateFilters(now)
	f.requeryLeftOut(now)
	for _, s := range f.subs {
		before := s.status.State
		s.step(now)
		f.dirty = f.dirty || s.status.State != before
	}
	f.filterBuilder.reportBlocked(now)
	f.learner.expireSearches(now)
	if f.learner.dialect.TrialDue(now) && f.connection.displayed.State == model.LinkUp && now.Sub(f.connection.displayed.Since) >= trialDelay && f.subs.isLive(f.connection.displayed) {
		f.learner.sendTrial(now)
	}
	f.versionHistory.Add(f.store.Version(), now)
	if turn, due := f.pacer.Next(now); due {
		f.subs[turn.Subscription].startCheck(turn.Chunk, f.versionHistory.VersionBeforeLag(now), now)
	}
	if f.connection.recoveredCount < f.connection.lostCount && f.subs.isLive(f.connection.displayed) {
		f.connection.recoveredCount, f.dirty = f.connection.lostCount, true
	}
}

// requeryLeftOut requests the full state of operations that left records out, once
// there is room for more records.
func (f *Feed) requeryLeftOut(now time.Time) {
	minRoom := f.opts.Bounds.Records/20 + 1 // with less room the bound would be reached again at once
	if f.opts.Bounds.Records-f.store.Records() < minRoom {
		return
	}
	for _, s := range f.subs {
		if s.data.LeftOut() > 0 && s.activeID != "" && now.Sub(s.losses.queriedAt) >= time.Minute {
			s.losses.recordLoss(now)
		}
	}
}

// stepInterval returns the interval between checks for due work on a busy floor. The caller
// does not hold mu.
func (f *Feed) stepInterval() time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	return min(maxStepInterval, f.opts.PublishEvery)
}
