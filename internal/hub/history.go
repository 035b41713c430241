package hub

import (
	"context"
	"iter"
	"slices"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/breaks"
	"wallboard/internal/alert/situation"
	"wallboard/model"
)

// Recorded provides snapshots from before the start of a hub, so that charts, trends and
// explanations do not start empty. They are read in the background.
type Recorded struct {
	// Snapshots returns the snapshots from one instant to another in order of time, about a
	// step apart. It may be slow. nil: not available.
	Snapshots func(ctx context.Context, from, to time.Time, step time.Duration) iter.Seq[*model.Snapshot]
	// Days returns snapshots of earlier days in order of time: for each of the ascending
	// instants, one of the following minutes if there is any. nil: not available.
	Days func(ctx context.Context, at []time.Time) iter.Seq[*model.Snapshot]
	// Marks returns the marks of the recording, and whether it goes on until an instant, so that
	// situations that have not ended are still open then. nil: not available.
	Marks func(ctx context.Context, until time.Time) (marks []model.Mark, unbroken bool)
	// Nameless is true if the snapshots do not contain the real names of agents.
	Nameless bool
}

// startLoading reports whether to load the history of a view now: once, when all data have arrived.
func (p *sharedView) startLoading(s *model.Snapshot, now time.Time) (began time.Time, platformVersion int, start bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.firstSnapshotAt.IsZero() {
		p.firstSnapshotAt = now
	}
	if p.started || !situation.IsFeedComplete(&s.Health) {
		return began, 0, false
	}
	p.started = true
	return p.firstSnapshotAt, p.platformVersion, true
}

// loadHistories loads the recorded history into all views, one after the other.
func (h *Hub) loadHistories(ctx context.Context, s *model.Snapshot, now time.Time) {
	if h.options.Recorded.Snapshots == nil || s == nil {
		return
	}
	for _, p := range h.allViews() {
		began, version, is := p.startLoading(s, now)
		if !is {
			continue
		}
		h.background.Go(func() {
			h.withReaderSlot(ctx, func() {
				if h.loadHistory(ctx, p, version, situation.LatePart(began, began, began.Add(-situation.LatePeriod))) {
					h.loadHistory(ctx, p, version, situation.EarlyPart(began))
				}
				h.recallIncidents(ctx, p, version, began)
			})
		})
	}
}

// loadHistory loads one part of the recorded history into a view. It reports whether the part is
// complete and the platform is still the same.
func (h *Hub) loadHistory(ctx context.Context, p *sharedView, platformVersion int, part situation.BackfillPart) bool {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	h.mu.Lock()
	engine, err := h.options.Engine(p.visibility.Part)
	names := h.options.Names
	h.mu.Unlock()
	p.mu.Lock()
	agents := p.history.breaks.WithoutObservations()
	p.mu.Unlock()
	if err != nil {
		return false // viewers still see the live data
	}
	snapshots := func(yield func(*model.Snapshot) bool) {
		for s := range p.restrictSnapshots(h.options.Recorded.Snapshots(ctx, part.From, part.To, part.Step)) {
			if p.platformChanged(platformVersion) || !yield(s) {
				return
			}
			agents.Update(s, s.At)
		}
	}
	seen, all := situation.Backfill(ctx, engine, names, part, snapshots)
	return all && p.applyHistory(platformVersion, seen, &agents, h.options.Recorded.Nameless)
}

// RecallIncidents takes over the situations before the start of the hub from the recording. [Hub.Run]
// does it by itself.
func (h *Hub) RecallIncidents(ctx context.Context, now time.Time) {
	p := h.whole
	p.mu.Lock()
	version := p.platformVersion
	p.mu.Unlock()
	h.recallIncidents(ctx, p, version, now)
}

// recallIncidents takes over the recorded situations before an instant into the view of the whole
// floor. Other views may not see the marks.
func (h *Hub) recallIncidents(ctx context.Context, p *sharedView, platformVersion int, before time.Time) {
	if h.options.Recorded.Marks == nil || p != h.whole {
		return
	}
	marks, unbroken := h.options.Recorded.Marks(ctx, before)
	j := situation.NewJournal(marks, nil).Until(before, unbroken)
	if j == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.platformVersion != platformVersion {
		return
	}
	known := make(map[string]bool)
	history := p.engine.History()
	for i := range history {
		known[history[i].ID] = true
	}
	ended, active := j.Alerts(before)
	ended = slices.DeleteFunc(ended, func(a alert.Alert) bool { return known[a.ID] })
	all := slices.Concat(ended, history)
	slices.SortStableFunc(all, func(a, b alert.Alert) int { return a.Ended.Compare(b.Ended) })
	p.engine.Recall(append(all, active...))
	p.history.situations.Recall(j)
	p.lastSeq, p.lastSecond = 0, 0 // force a new evaluation
}

// WatchedSince returns the time from which the situations of the viewer are known, on the server's
// clock: the beginning of the first recorded situation or, if there is none, the time of the first
// snapshot. It is zero before that snapshot.
func (v *Viewer) WatchedSince() time.Time {
	p := v.shared()
	p.mu.Lock()
	defer p.mu.Unlock()
	if from := p.history.situations.RecalledFrom(); !from.IsZero() {
		return from
	}
	return p.firstSnapshotAt
}

// maskCopy returns a copy of the view's mask for another goroutine.
func (p *sharedView) maskCopy() *model.Mask {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.mask.Clone()
}

func (p *sharedView) platformChanged(platformVersion int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.platformVersion != platformVersion
}

// applyHistory applies a loaded part of the history, unless the platform has changed.
func (p *sharedView) applyHistory(platformVersion int, history situation.BackfillResult, agents *breaks.Tracker, nameless bool) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.platformVersion != platformVersion {
		return false
	}
	if nameless {
		history.Backfill.Forget(alert.User)
	} else {
		p.history.breaks.Remember(agents)
	}
	history.Backfill.ApplyTo(p.engine)
	p.history.situations.Remember(history.Tracker, nameless)
	p.lastSeq, p.lastSecond = 0, 0 // force a new evaluation
	return true
}

// TypicalVolume returns how many contacts a minute are typical for a service; ok is false if
// unknown. It must not call the hub.
type TypicalVolume func(s *model.Snapshot, k model.ServiceKey, at time.Time) (perMinute float64, basis string, ok bool)

// SetTypicalVolume sets the source of typical volumes for all viewers with the same visibility.
func (v *Viewer) SetTypicalVolume(source TypicalVolume) {
	p := v.shared()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.typicalVolume = source
}

// withReaderSlot calls do when no other goroutine reads the recording, unless the context ends
// first.
func (h *Hub) withReaderSlot(ctx context.Context, do func()) {
	select {
	case h.readerSlot <- struct{}{}:
		defer func() { <-h.readerSlot }()
		do()
	case <-ctx.Done():
	}
}
