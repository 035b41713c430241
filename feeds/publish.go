package feeds

import (
	"context"
	"time"

	"wallboard/model"
)

// healthInterval is how often the feed compares its own health with the published one when nothing
// else changes.
const healthInterval = time.Second

// publishIfDue publishes a snapshot if a record or a displayed state has changed. Otherwise it
// compares the feed's current health with the published one, once a second, and publishes only if
// they differ. So readers of an idle floor stay asleep.
func (f *Feed) publishIfDue(now time.Time) {
	f.filterBuilder.discovery.setNames(&f.store.Campaigns)
	f.counterMeanings.update(&f.store.Services, f.subs.byOperation(opServices).status.State.IsFresh(), now)
	changed := f.dirty || f.store.IsDirty()
	if !changed && now.Sub(f.publisher.confirmedAt) < healthInterval {
		return
	}
	h := f.currentHealth(now)
	if !changed && f.publisher.confirmUnchanged(h, now) {
		return
	}
	f.publish(now, h)
}

func (f *Feed) publish(now time.Time, h model.Health) {
	f.dirty = false
	f.publisher.publish(f.store.Publish(now.Add(f.clock.offset), h), h, now)
}

func (f *Feed) currentHealth(now time.Time) model.Health {
	h := model.Health{
		Link: f.connection.displayed, Version: f.version.Value.Server, Server: f.health.Value,
		BadFrames: f.problems.badFrames, LastBadFrame: f.problems.lastBadFrameReason, ClockOffset: f.clock.offset, Notice: f.connection.notice,
		Cuts: f.connection.lostCount, Healed: f.connection.recoveredCount, Restarts: f.restarts.count,
		Search:        f.filterBuilder.discovery.failure,
		Subscriptions: make([]model.Subscription, len(f.subs)),
	}
	if f.connection.conn != nil {
		h.Link.LastFrame = f.connection.conn.Stats().LastFrame
	}
	for i, s := range f.subs {
		st := s.status.displayedSubscription(s.merger.Records(), s.retry.notBefore, now)
		if st.State.IsCurrent() && f.filterBuilder.awaitsUsers(s, now) || st.State == model.SubWaiting && f.filterBuilder.awaitsAgents(s, now) {
			st.State, st.Reason = model.SubSyncing, "its filter follows the users"
		}
		st.Times = describeTimes(s.doc.Root, f.env.Times, s.losses.needsResync || s.handover.queryID != "")
		if s.doc.Root == opServices {
			st.Meanings = f.counterMeanings.describe()
		}
		h.Subscriptions[i] = st
	}
	h.Presumed = presumedTimes(f.env.Times)
	f.filterBuilder.reportLeftOut(&h)
	return h
}

// Latest returns the newest snapshot, or nil before the first.
func (f *Feed) Latest() *model.Snapshot { return f.publisher.Latest() }

// Wait waits until the Seq of the newest snapshot is greater than after, and returns that snapshot.
// If ctx ends first, Wait returns the context's error.
func (f *Feed) Wait(ctx context.Context, after uint64) (*model.Snapshot, error) {
	return f.publisher.Wait(ctx, after)
}
