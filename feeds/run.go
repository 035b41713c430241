package feeds

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"wallboard/model"
)

// Run connects to the platform and updates the store until ctx ends. It returns the cause of the
// end of ctx. If one of its goroutines panics, Run ends earlier and returns an error.
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

// maxStepInterval is the longest interval between checks for due work on a busy floor. It keeps
// audits and timeouts independent of a long publishing interval.
const maxStepInterval = 100 * time.Millisecond

// runTicker periodically does due work and publishes snapshots, at most one per Publishing.Every.
// While no work is due and no change waits to be published, it runs only once a second to save
// power.
func (f *Feed) runTicker(ctx context.Context) {
	t := time.NewTimer(0)
	defer t.Stop()
	var last, publishedAt time.Time
	for {
		select {
		case <-ctx.Done():
			return
		case <-f.sleep.wake:
			t.Reset(f.untilDue(f.now(), last, publishedAt))
		case <-t.C:
			last = f.now()
			f.runDue(last, &publishedAt)
			t.Reset(f.untilDue(last, last, publishedAt))
		}
	}
}

// runDue does due work and publishes a snapshot if one is due. publishedAt is when the last
// snapshot was published; runDue updates it.
func (f *Feed) runDue(now time.Time, publishedAt *time.Time) {
	f.saveProfile(now)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.checkLiveness(now)
	f.stepAll(now)
	if before := f.publisher.Latest(); !now.Before(f.publisher.due(*publishedAt, f.opts.Publish, f.hasDueWork(now))) {
		if f.publishIfDue(now); f.publisher.Latest() != before {
			*publishedAt = now
		}
	}
}

// untilDue returns how long the ticker waits before the next call of runDue. last is the time of
// the last call. untilDue also sets whether the next message ends the wait early. If work is due,
// or changes are published as soon as Publishing.Every allows, the wait is short and no message
// needs to end it.
func (f *Feed) untilDue(now, last, publishedAt time.Time) time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	next := last.Add(min(maxStepInterval, f.opts.Publish.Every))
	busy, changed := f.hasDueWork(now), f.dirty || f.store.Dirty()
	if !busy {
		next = last.Add(healthInterval)
	}
	if due := f.publisher.due(publishedAt, f.opts.Publish, busy); changed && due.Before(next) {
		next = due
	}
	f.sleep.active = !busy && (!changed || f.opts.Publish.Frames > f.opts.Publish.Every)
	return max(next.Sub(now), time.Millisecond)
}

// hasDueWork reports whether work is due now or in progress. If it returns false, the ticker may
// rest for up to healthInterval.
func (f *Feed) hasDueWork(now time.Time) bool {
	if f.filterBuilder.staleFilters != (staleFilterSet{}) {
		return true
	}
	if _, due := f.pacer.MostUrgent(now); due {
		return true
	}
	return f.subs.hasDueWork()
}

// stepAll does all work that is due: it updates the filters, lets every subscription do its due
// work and starts due audits.
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

// requeryLeftOut requests the full state again for operations that left out records because of the
// limit. It does so at most once a minute, and only if there is room for more records.
func (f *Feed) requeryLeftOut(now time.Time) {
	minRoom := f.opts.Bounds.Records/20 + 1 // with less room, the limit would soon be reached again
	if f.opts.Bounds.Records-f.store.Records() < minRoom {
		return
	}
	for _, s := range f.subs {
		if s.merger.LeftOut() > 0 && s.activeID != "" && now.Sub(s.losses.queriedAt) >= time.Minute {
			s.losses.recordLoss(now)
		}
	}
}
