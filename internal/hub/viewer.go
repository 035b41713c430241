package hub

import (
	"context"
	"sync/atomic"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/diagnosis"
	"wallboard/internal/alert/situation"
	"wallboard/model"
)

// Viewer is one viewer's access to a hub: snapshots at the viewer's pace, and a shared
// engine with the interface of a private one. It belongs to one board.
type Viewer struct {
	view         atomic.Pointer[sharedView]
	hub          *Hub
	source       Source
	nextChange   int           // index of the next change to return
	every, phase time.Duration // interval and offset of the frames; see [Viewer.Wait]
	now          func() time.Time
}

// SetVisibility changes what the viewer sees.
func (v *Viewer) SetVisibility(visibility Visibility) error {
	v.hub.mu.Lock()
	defer v.hub.mu.Unlock()
	return v.switchTo(visibility)
}

// switchTo is [Viewer.SetVisibility] for callers that hold the lock of the hub.
func (v *Viewer) switchTo(visibility Visibility) error {
	p, err := v.hub.viewFor(visibility)
	if err != nil || p == v.view.Load() {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	v.nextChange = p.droppedChanges + len(p.changes)
	v.view.Store(p)
	return nil
}

func (v *Viewer) shared() *sharedView { return v.view.Load() }

// Names returns the display names of the platform's codes.
func (v *Viewer) Names() model.Names {
	v.hub.mu.Lock()
	defer v.hub.mu.Unlock()
	return v.hub.options.Names
}

// KeepsAlerts reports whether alerts are stored beyond the life of the hub.
func (v *Viewer) KeepsAlerts() bool { return v.hub.keepsAlerts }

// MaskText masks a text for this viewer.
func (v *Viewer) MaskText(text string) string {
	p := v.shared()
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.maskText(text)
}

// Now returns the time on the hub's clock.
func (v *Viewer) Now() time.Time { return v.now() }

// leadTime is the time by which a snapshot is delivered before its frame.
const leadTime = 10 * time.Millisecond

// Latest returns the latest snapshot, nil before the first.
func (v *Viewer) Latest() *model.Snapshot { return v.shared().visibleSnapshot(v.source.Latest()) }

// Wait returns the latest snapshot when the next frame is due and its Seq is greater than
// after, or the context's error. The first one is returned at once.
func (v *Viewer) Wait(ctx context.Context, after uint64) (*model.Snapshot, error) {
	s, err := v.source.Wait(ctx, after)
	if err != nil {
		return nil, err
	}
	if after > 0 && v.every > 0 {
		now := v.now()
		due := now.Add(leadTime - v.phase).Truncate(v.every).Add(v.every + v.phase - leadTime).Sub(now)
		t := time.NewTimer(due)
		defer t.Stop()
		select {
		case <-t.C:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if newest := v.source.Latest(); newest != nil && newest.Seq > s.Seq {
			s = newest
		}
	}
	return v.shared().visibleSnapshot(s), nil
}

// Evaluate evaluates a snapshot unless another viewer has already done so, and returns the changes
// since this viewer's last call.
func (v *Viewer) Evaluate(s *model.Snapshot, now time.Time) []alert.Change {
	p := v.shared()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.evaluateLocked(s, now)
	news := p.changes[max(v.nextChange-p.droppedChanges, 0):]
	v.nextChange = p.droppedChanges + len(p.changes)
	return append([]alert.Change(nil), news...)
}

// Cached returns the result of compute for the active and ended alerts. It is computed once for all
// viewers with the same visibility, and again only after a new evaluation or if fresh is true.
// before is the previous result, nil at first. It also returns the situations and the snapshot of that
// evaluation, see [Situations.Last].
func (v *Viewer) Cached(fresh bool, compute func(active, ended []alert.Alert, view *situation.View, before any) any) (derived any, view *situation.View, of *model.Snapshot) {
	p := v.shared()
	p.mu.Lock()
	defer p.mu.Unlock()
	if fresh || p.derived == nil || p.derivedStale {
		p.derived, p.derivedStale = compute(p.engine.Active(), p.engine.History(), p.lastEvaluation.view, p.derived), false
	}
	return p.derived, p.lastEvaluation.view, p.lastEvaluation.snapshot
}

// Situations returns the situations of the view, shared by all its viewers.
func (v *Viewer) Situations() Situations { return Situations{v.shared()} }

// Situations provides the situations of a view.
type Situations struct{ view *sharedView }

// Update returns the result of the last evaluation. It ignores its arguments except now: all
// viewers get the same.
func (s Situations) Update(_ *model.Snapshot, _ []alert.Alert, _ []alert.Change, now time.Time) *situation.View {
	s.view.mu.Lock()
	defer s.view.mu.Unlock()
	if s.view.lastEvaluation.view == nil {
		return &situation.View{At: now}
	}
	return s.view.lastEvaluation.view
}

// Last returns the result of the last evaluation and its snapshot, nil if there is none. Other viewers
// may have evaluated a newer snapshot than this viewer has seen, so it must show this snapshot with
// these situations.
func (s Situations) Last() (view *situation.View, of *model.Snapshot) {
	s.view.mu.Lock()
	defer s.view.mu.Unlock()
	return s.view.lastEvaluation.view, s.view.lastEvaluation.snapshot
}

// Hour returns the states of an agent on a channel in the hour before a time.
func (s Situations) Hour(k model.UserStatKey, now time.Time) diagnosis.Hour {
	s.view.mu.Lock()
	defer s.view.mu.Unlock()
	return s.view.history.situations.Hour(k, now)
}

// withEngine calls a function with the engine.
func withEngine[T any](v *Viewer, do func(*alert.Engine) T) T {
	p := v.shared()
	p.mu.Lock()
	defer p.mu.Unlock()
	return do(p.engine)
}

// withEngineErr is like [withEngine] for functions that return an error.
func withEngineErr[T any](v *Viewer, do func(*alert.Engine) (T, error)) (T, error) {
	p := v.shared()
	p.mu.Lock()
	defer p.mu.Unlock()
	return do(p.engine)
}

// Active returns the active alerts.
func (v *Viewer) Active() []alert.Alert { return withEngine(v, (*alert.Engine).Active) }

// History returns the ended alerts.
func (v *Viewer) History() []alert.Alert { return withEngine(v, (*alert.Engine).History) }

// AlertsOf returns the active alerts about a record.
func (v *Viewer) AlertsOf(k alert.Key) []alert.Alert {
	return withEngine(v, func(e *alert.Engine) []alert.Alert { return e.AlertsOf(k) })
}

// Acknowledge records for all viewers who has taken an alert over.
func (v *Viewer) Acknowledge(id, who, note string, now time.Time) (alert.Alert, error) {
	return v.shared().acknowledge(id, who, note, now)
}

// Silencer returns the silencer shared by all viewers.
func (v *Viewer) Silencer() *alert.Silencer { return withEngine(v, (*alert.Engine).Silencer) }

// Unjudged returns the percentages of a record that violate a rule but are based on too few calls.
func (v *Viewer) Unjudged(k alert.Key) []alert.Unjudged {
	return withEngine(v, func(e *alert.Engine) []alert.Unjudged { return e.Unjudged(k) })
}

// KPIs returns the figures of a scope.
func (v *Viewer) KPIs(s alert.Scope) []alert.KPI {
	return withEngine(v, func(e *alert.Engine) []alert.KPI { return e.KPIs(s) })
}

// Charted returns the figures of a scope that have samples.
func (v *Viewer) Charted(s alert.Scope) []alert.KPI {
	return withEngine(v, func(e *alert.Engine) []alert.KPI { return e.Charted(s) })
}

// FreezeTrends returns the current samples.
func (v *Viewer) FreezeTrends() *alert.FrozenTrends {
	return withEngine(v, (*alert.Engine).FreezeTrends)
}

// Goal returns the goal of a service; "" is the floor.
func (v *Viewer) Goal(service string) alert.Goal { return v.shared().goals()(service) }

// Value returns the current value of a figure of a record.
func (v *Viewer) Value(name string, k alert.Key) model.Figure {
	return withEngine(v, func(e *alert.Engine) model.Figure { return e.Value(name, k) })
}

// Trend returns the samples of a figure of a record.
func (v *Viewer) Trend(dst []float64, name string, k alert.Key, span time.Duration) alert.Trend {
	return withEngine(v, func(e *alert.Engine) alert.Trend { return e.Trend(dst, name, k, span) })
}

// ExplainAlert explains an alert.
func (v *Viewer) ExplainAlert(id string) (alert.Explanation, error) {
	return withEngineErr(v, func(e *alert.Engine) (alert.Explanation, error) { return e.ExplainAlert(id) })
}

// ExplainKPI explains the value of a figure.
func (v *Viewer) ExplainKPI(name string, k alert.Key) (alert.Explanation, error) {
	return withEngineErr(v, func(e *alert.Engine) (alert.Explanation, error) { return e.ExplainKPI(name, k) })
}
