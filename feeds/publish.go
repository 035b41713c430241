package feeds

import (
	"context"
	"reflect"
	"time"

	"wallboard/model"
)

// healthEvery is how often the feed's own figures are published when nothing
// else is.
const healthEvery = time.Second

// publishDue publishes when something changed, and once a second when only the
// figures of the feed itself did: nobody is woken on a floor where nothing
// happens.
func (f *Feed) publishDue(now time.Time) {
	changed := f.dirty || f.store.Dirty()
	if !changed && now.Sub(f.reportedAt) < healthEvery {
		return
	}
	h := f.report(now)
	if !changed && reflect.DeepEqual(f.reported, h) {
		f.reportedAt = now
		return
	}
	f.publish(now, h)
}

func (f *Feed) publish(now time.Time, h model.Health) {
	f.dirty, f.reported, f.reportedAt = false, h, now
	snap := f.store.Publish(now.Add(f.clock.offset), h)
	f.latest.Store(snap)
	f.pubMu.Lock()
	close(f.pub)
	f.pub = make(chan struct{})
	f.pubMu.Unlock()
}

func (f *Feed) report(now time.Time) model.Health {
	h := model.Health{
		Link: f.link, Version: f.version.Value.Server, Server: f.health.Value,
		BadFrames: f.bad, LastBadFrame: f.lastBad, ClockOffset: f.clock.offset, Notice: f.notice,
		Cuts: f.cuts, Healed: f.healed, Restarts: f.restarts,
		Subscriptions: make([]model.Subscription, len(f.subs)),
	}
	if f.conn != nil {
		h.Link.LastFrame = f.conn.Stats().LastFrame
	}
	for i, s := range f.subs {
		st := s.report(now)
		if st.State.Current() && f.gathering(s, now) || st.State == model.SubWaiting && f.awaited(s, now) {
			st.State, st.Reason = model.SubSyncing, "its filter follows the users"
		}
		st.Times = s.timesText()
		h.Subscriptions[i] = st
	}
	f.crop(&h)
	return h
}

// Latest returns the newest snapshot, nil before the first.
func (f *Feed) Latest() *model.Snapshot { return f.latest.Load() }

// Wait returns the newest snapshot as soon as there is one with a Seq greater
// than after, or the context's error.
func (f *Feed) Wait(ctx context.Context, after uint64) (*model.Snapshot, error) {
	for {
		f.pubMu.Lock()
		pub := f.pub
		f.pubMu.Unlock()
		if s := f.latest.Load(); s != nil && s.Seq > after {
			return s, nil
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err() //nolint:wrapcheck // the documented error
		case <-pub:
		}
	}
}
