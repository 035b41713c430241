package feeds

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"wallboard/feeds/graphql"
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
	for {
		var now time.Time
		select {
		case <-ctx.Done():
			return
		case <-f.sleep.wake:
			now = f.now()
		case <-t.C:
			now = f.now()
			f.runDueWork(now)
		}
		t.Reset(f.nextRunDelay(now))
	}
}

// runDueWork does due work and publishes a snapshot if one is due.
func (f *Feed) runDueWork(now time.Time) {
	f.saveProfile(now)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.sleep.lastRun = now
	f.checkLiveness(now)
	f.stepAll(now)
	ready := f.sleep.frameReady
	f.sleep.frameReady = false
	if before := f.publisher.Latest(); ready || !now.Before(f.publisher.nextPublishTime(f.sleep.publishedAt, f.opts.Publish, f.hasDueWork(now))) {
		if f.publishIfDue(now); f.publisher.Latest() != before {
			f.sleep.publishedAt = now
		}
	}
}

// nextRunDelay returns how long the ticker waits before the next call of runDueWork. It also sets whether a
// message may end the wait early. If work is due, the wait is short and no message needs to end it.
func (f *Feed) nextRunDelay(now time.Time) time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	busy, changed := f.hasDueWork(now), f.dirty || f.store.IsDirty()
	f.sleep.until = f.publisher.nextRun(&f.sleep, f.opts.Publish, busy, changed)
	rareFrames := f.opts.Publish.Frames > f.opts.Publish.Every && f.publisher.Latest() != nil // the only viewer draws less often than the feed may publish
	f.sleep.active = !busy && (!changed || rareFrames)
	if conn, ok := f.connection.conn.(*graphql.Conn); ok {
		if busy || !rareFrames || f.publisher.Latest().Health.IsStarting() {
			conn.PaceReads(0)
		} else {
			conn.PaceReads(f.opts.Publish.Frames)
		}
	}
	if f.sleep.frameReady {
		return 0
	}
	return max(f.sleep.until.Sub(now), time.Millisecond)
}

// hasDueWork reports whether work is due now or in progress. If it returns false, the ticker may
// rest for up to healthInterval.
func (f *Feed) hasDueWork(now time.Time) bool {
	if f.filterBuilder.staleFilters != (staleFilterSet{}) {
		return true
	}
	if _, due := f.auditScheduler.MostUrgent(now); due {
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
	if turn, due := f.auditScheduler.Next(now); due {
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
		if s.merger.OmittedRecords() > 0 && s.activeID != "" && now.Sub(s.losses.queriedAt) >= time.Minute {
			s.losses.recordLoss(now)
		}
	}
}
