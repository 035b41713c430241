package feeds

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"wallboard/model"
)

// Run connects and keeps the picture until the context ends, and returns its
// error. Only a panic of its own ends it before; it comes back as an error.
func (f *Feed) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wg sync.WaitGroup
	for _, run := range []func(context.Context){f.tick, f.findCampaigns} {
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
	return context.Cause(ctx) //nolint:wrapcheck // the documented error
}

// stepEvery is how often is looked for what is due, at least: an audit, or the end
// of a wait, does not follow the pace at which pictures are published.
const stepEvery = 100 * time.Millisecond

// tick does what is due, and publishes at most once per PublishEvery; when nothing
// happens both only once a second, because every wake-up of an idle board costs
// its machine something all day.
func (f *Feed) tick(ctx context.Context) {
	t := time.NewTimer(0)
	defer t.Stop()
	var last, shown time.Time
	for {
		select {
		case <-ctx.Done():
			return
		case <-f.sleep.wake:
			t.Reset(f.pace() - f.now().Sub(last))
		case <-t.C:
			last = f.now()
			t.Reset(f.beat(last, &shown))
		}
	}
}

// beat does what is due, publishes when the last picture was shown long enough,
// and returns when to do so again.
func (f *Feed) beat(now time.Time, shown *time.Time) time.Duration {
	f.saveProfile(now)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.feelPulse(now)
	f.stepAll(now)
	if before := f.pictures.Latest(); now.Sub(*shown) >= f.opts.PublishEvery {
		if f.publishDue(now); f.pictures.Latest() != before {
			*shown = now
		}
	}
	wait := min(stepEvery, f.opts.PublishEvery)
	if f.sleep.on = !f.busy(now); f.sleep.on {
		wait = healthEvery
	}
	if f.dirty || f.store.Dirty() { // it waits for its turn
		wait = min(wait, max(f.opts.PublishEvery-now.Sub(*shown), time.Millisecond))
	}
	return wait
}

// busy reports whether anything is due within the second.
func (f *Feed) busy(now time.Time) bool {
	if f.members.stale != (staleness{}) {
		return true
	}
	if _, due := f.pacer.Urgent(now); due {
		return true
	}
	return f.subs.busy()
}

// stepAll lets every subscription do what is due.
func (f *Feed) stepAll(now time.Time) {
	f.env.Now, f.env.Received = now.Add(f.clock.offset), now
	f.members.reshape(now)
	f.makeRoom(now)
	for _, s := range f.subs {
		before := s.status.State
		s.step(now)
		f.dirty = f.dirty || s.status.State != before
	}
	f.members.block(now)
	f.learner.searchOn(now)
	if f.learner.speech.TrialDue(now) && f.line.shown.State == model.LinkUp && now.Sub(f.line.shown.Since) >= trialAfter && f.subs.live(f.line.shown) {
		f.learner.tryAgain(now)
	}
	f.marks.Note(f.store.Version(), now)
	if turn, due := f.pacer.Next(now); due {
		f.subs[turn.Number].startLook(turn.Chunk, f.marks.Before(now), now)
	}
	if f.line.healed < f.line.cuts && f.subs.live(f.line.shown) {
		f.line.healed, f.dirty = f.line.cuts, true
	}
}

// makeRoom asks for the full state of what left records out when there is room
// again.
func (f *Feed) makeRoom(now time.Time) {
	const some = 20 // of the bound must be free: else it would be full again at once
	if f.opts.Bounds.Records-f.store.Records() < f.opts.Bounds.Records/some+1 {
		return
	}
	for _, s := range f.subs {
		if s.data.LeftOut() > 0 && s.active != "" && now.Sub(s.losses.askedAt) >= time.Minute {
			s.losses.note(now)
		}
	}
}

// pace is how often what is due is looked for, for those who do not hold mu.
func (f *Feed) pace() time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	return min(stepEvery, f.opts.PublishEvery)
}
