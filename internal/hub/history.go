package hub

import (
	"context"
	"iter"
	"slices"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/breaks"
	"wallboard/internal/alert/situation"
	"wallboard/internal/words"
	"wallboard/model"
)

// RecordedData provides data from before the hub was created, because charts, trends and explanations
// would otherwise be empty at first. The hub calls its functions in the background.
type RecordedData struct {
	// Snapshots returns the snapshots between two instants, ordered by time and about a step
	// apart. It may be slow. It is nil if there is no recording.
	Snapshots func(ctx context.Context, from, to time.Time, step time.Duration) iter.Seq[*model.Snapshot]
	// Days returns snapshots of earlier days. at holds instants, ordered by time. For each of
	// them, Days yields a snapshot of the following minutes if there is one. Days is nil if
	// there is no recording.
	Days func(ctx context.Context, at []time.Time) iter.Seq[*model.Snapshot]
	// Marks returns the marks in the recording before an instant. unbroken reports whether the
	// recording continues until that instant; situations without an end are then still open.
	// Marks is nil if there is no recording.
	Marks func(ctx context.Context, until time.Time) (marks []model.Mark, unbroken bool)
	// LacksNames reports whether the snapshots lack the real names of agents.
	LacksNames bool
}

// startLoading reports whether the recorded history of a view must be loaded now. It returns
// true once, when all data of the feed have arrived. began is the time of the view's first
// snapshot. The caller must pass platformVersion to loadHistory.
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

// loadHistories loads the recorded history of all views that lack it, in the background and
// one view after the other.
func (h *Hub) loadHistories(ctx context.Context, s *model.Snapshot, now time.Time) {
	if s == nil {
		return
	}
	for _, p := range h.allViews() {
		began, version, is := p.startLoading(s, now)
		if !is || h.options.Recorded.Snapshots == nil {
			continue
		}
		h.background.Go(func() {
			h.withReaderLock(ctx, func() {
				if h.loadHistory(ctx, p, version, situation.RecentPart(began, began, began.Add(-situation.RecentPeriod))) {
					h.loadHistory(ctx, p, version, situation.EarlyPart(began))
				}
				h.loadIncidents(ctx, p, version, began)
			})
		})
	}
}

// loadHistory loads a part of the recorded history into a view. It returns false if loading
// has failed or was interrupted, or if the platform has changed.
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
		return false // the viewers still have the live data
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
	return all && p.applyHistory(platformVersion, seen, &agents, h.options.Recorded.LacksNames)
}

// LoadIncidents loads the situations recorded before now into the view of the whole floor.
// [Hub.Run] also does this, once.
func (h *Hub) LoadIncidents(ctx context.Context, now time.Time) {
	p := h.wholeFloor
	p.mu.Lock()
	version := p.platformVersion
	p.mu.Unlock()
	h.loadIncidents(ctx, p, version, now)
}

// loadIncidents loads the situations recorded before an instant into p. It does nothing unless p
// is the view of the whole floor, because viewers of other views may not see the marks.
func (h *Hub) loadIncidents(ctx context.Context, p *sharedView, platformVersion int, before time.Time) {
	if h.options.Recorded.Marks == nil || p != h.wholeFloor {
		return
	}
	marks, unbroken := h.options.Recorded.Marks(ctx, before)
	j := situation.NewJournal(marks, nil).PartUntil(before, unbroken)
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
	p.engine.RestoreActive(append(all, active...))
	p.history.situations.UseJournal(j)
	p.lastSeq, p.lastSecond = 0, 0 // make the next evaluation run even without a new snapshot
}

// TrackedSince returns the time since which the viewer's situations are known, on the server's
// clock: the beginning of the recorded situations or, without them, the time of the first
// snapshot. It returns the zero time before the first snapshot.
func (v *Viewer) TrackedSince() time.Time {
	p := v.currentView()
	p.mu.Lock()
	defer p.mu.Unlock()
	if from := p.history.situations.JournalStart(); !from.IsZero() {
		return from
	}
	return p.firstSnapshotAt
}

// maskCopy returns a copy of the view's mask that another goroutine may use.
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

// applyHistory adds a loaded part of the history to the view. If the platform has changed, it
// returns false and changes nothing. If nameless is true, it skips the data about agents.
func (p *sharedView) applyHistory(platformVersion int, history situation.BackfillResult, agents *breaks.Tracker, nameless bool) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.platformVersion != platformVersion {
		return false
	}
	if nameless {
		history.Backfill.Forget(alert.User)
	} else {
		p.history.breaks.MergeHistory(agents)
	}
	history.Backfill.ApplyTo(p.engine)
	p.history.situations.MergeHistory(history.Tracker, nameless)
	p.lastSeq, p.lastSecond = 0, 0 // make the next evaluation run even without a new snapshot
	return true
}

// TypicalVolume returns the typical number of contacts per minute of a service at a time, and
// a description of the days from which it was computed. ok is false if the number is unknown.
// The function must not call the hub.
type TypicalVolume func(s *model.Snapshot, k model.ServiceKey, at time.Time) (perMinute float64, basis words.Text, ok bool)

// SetTypicalVolume sets the source of typical volumes for all viewers with the visibility of v.
func (v *Viewer) SetTypicalVolume(source TypicalVolume) {
	p := v.currentView()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.typicalVolume = source
}

// withReaderLock waits until no other goroutine reads the recording, and then calls do. If the
// context ends first, do is not called.
func (h *Hub) withReaderLock(ctx context.Context, do func()) {
	select {
	case h.readerSlot <- struct{}{}:
		defer func() { <-h.readerSlot }()
		do()
	case <-ctx.Done():
	}
}
