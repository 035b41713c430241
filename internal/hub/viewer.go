package hub

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/internal/words"
	"wallboard/model"
)

// Viewer connects a board to a hub. It provides snapshots at the board's own pace, and the
// methods of an alert engine shared by all viewers with the same visibility.
type Viewer struct {
	view                       atomic.Pointer[sharedView]
	hub                        *Hub
	source                     Source
	position                   changePosition
	frameInterval, frameOffset time.Duration // interval and offset of the frames; see [Viewer.Wait]
	now                        func() time.Time
	language                   atomic.Pointer[words.Language] // nil: English
}

// changePosition is the position of a viewer in the [changeLog] of its view. mu is locked before the
// mutex of the view. It is held while the viewer switches to another view, so that a position is
// never used with a view that it does not belong to.
type changePosition struct {
	mu          sync.Mutex
	next        int // number of the first change that the next call of Evaluate returns
	seenUpdates int // updates of the view at the last call of Evaluate; -1: none yet
}

// SetVisibility changes the part of the floor that the viewer sees, and how people are named.
func (v *Viewer) SetVisibility(visibility Visibility) error {
	v.hub.mu.Lock()
	defer v.hub.mu.Unlock()
	return v.switchTo(visibility)
}

// switchTo is like [Viewer.SetVisibility], but the caller must hold the lock of the hub.
func (v *Viewer) switchTo(visibility Visibility) error {
	p, err := v.hub.viewFor(visibility)
	if err != nil || p == v.view.Load() {
		return err
	}
	v.position.mu.Lock()
	defer v.position.mu.Unlock()
	p.mu.Lock()
	defer p.mu.Unlock()
	v.position.next, v.position.seenUpdates = p.situationChanges.nextNumber(), -1
	v.view.Store(p)
	return nil
}

// SetLanguage sets the language in which the viewer reads situations; nil means English.
func (v *Viewer) SetLanguage(l *words.Language) { v.language.Store(l) }

func (v *Viewer) currentView() *sharedView { return v.view.Load() }

// Names returns the display names of codes in the current configuration.
func (v *Viewer) Names() model.Names {
	v.hub.mu.Lock()
	defer v.hub.mu.Unlock()
	return v.hub.options.Names
}

// PersistsAlerts reports whether ended alerts are stored and survive a restart.
func (v *Viewer) PersistsAlerts() bool { return v.hub.persistsAlerts }

// MaskText returns text with everything hidden that this viewer may not see.
func (v *Viewer) MaskText(text string) string {
	p := v.currentView()
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.maskText(text)
}

// Now returns the local time of the hub.
func (v *Viewer) Now() time.Time { return v.now() }

// deliveryLead is how long before its frame a snapshot is delivered.
const deliveryLead = 10 * time.Millisecond

// Latest returns the latest snapshot that the viewer may see, or nil before the first one.
func (v *Viewer) Latest() *model.Snapshot { return v.currentView().visibleSnapshot(v.source.Latest()) }

// Wait waits for a snapshot with a Seq greater than after, and then for the time of the
// viewer's next frame. It returns the latest snapshot. If after is 0, Wait does not wait for
// the frame. If the context ends first, it returns the error of the context.
func (v *Viewer) Wait(ctx context.Context, after uint64) (*model.Snapshot, error) {
	s, err := v.source.Wait(ctx, after)
	if err != nil {
		return nil, err
	}
	if after > 0 && v.frameInterval > 0 {
		now := v.now()
		due := now.Add(deliveryLead - v.frameOffset).Truncate(v.frameInterval).Add(v.frameInterval + v.frameOffset - deliveryLead).Sub(now)
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
	return v.currentView().visibleSnapshot(s), nil
}

// Evaluate evaluates a snapshot, unless another viewer has already done so. It returns the changes
// of situations since the last call by this viewer, and whether alerts or situations have been
// updated since then.
func (v *Viewer) Evaluate(s *model.Snapshot, now time.Time) (news []situation.Change, updated bool) {
	v.position.mu.Lock()
	defer v.position.mu.Unlock()
	p := v.currentView()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.evaluateLocked(s, now)
	news = p.situationChanges.changesSince(v.position.next)
	for i := range news {
		news[i] = news[i].In(v.language.Load())
	}
	updated = v.position.seenUpdates != p.situationChanges.updates
	v.position.next, v.position.seenUpdates = p.situationChanges.nextNumber(), p.situationChanges.updates
	return news, updated
}

// CachedResult returns the result of compute, which gets the active and ended alerts, the situations, and
// its previous result (nil at first). CachedResult calls compute once for all viewers with the same
// visibility and language, and again only after a new evaluation or if fresh is true. CachedResult also returns the
// situations and the snapshot of the evaluation; see [Viewer.Situations].
func (v *Viewer) CachedResult(fresh bool, compute func(active, ended []alert.Alert, view *situation.View, before any) any) (derived any, view *situation.View, of *model.Snapshot) {
	p := v.currentView()
	p.mu.Lock()
	defer p.mu.Unlock()
	if fresh && p.isPrivate() {
		p.evaluateLocked(p.visible, p.lastEvaluation.now)
	}
	t := p.translateEvaluation(v.language.Load())
	if fresh || t.derived == nil || t.isOld {
		t.derived, t.isOld = compute(p.engine.Active(), p.engine.History(), t.view, t.derived), false
	}
	return t.derived, t.view, p.lastEvaluation.snapshot
}

// Situations returns the situations of the last evaluation and the evaluated snapshot. Both
// may be nil. The snapshot may be newer than the one that this viewer has seen, because
// another viewer may have caused the evaluation. The viewer must show the returned snapshot
// together with the returned situations.
func (v *Viewer) Situations() (view *situation.View, of *model.Snapshot) {
	p := v.currentView()
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.translateEvaluation(v.language.Load()).view, p.lastEvaluation.snapshot
}

// translatedEvaluation is the last evaluation of a view in a language.
type translatedEvaluation struct {
	original *situation.View // the view of the evaluation
	view     *situation.View // original in the requested language
	derived  any             // cached result of [Viewer.CachedResult]
	isOld    bool            // the floor was evaluated after derived was computed
}

// translateEvaluation returns the last evaluation in a language. The caller must hold the lock of the view.
func (p *sharedView) translateEvaluation(l *words.Language) *translatedEvaluation {
	t := p.translations[l]
	if t == nil {
		if t = new(translatedEvaluation); p.translations == nil {
			p.translations = make(map[*words.Language]*translatedEvaluation)
		}
		p.translations[l] = t
	}
	if now := p.lastEvaluation.view; t.original != now {
		t.original, t.view = now, now.In(l)
	}
	return t
}

// withEngine calls do with the engine of the viewer's view while it holds the lock of the view. It
// returns the result of do.
func withEngine[T any](v *Viewer, do func(*alert.Engine) T) T {
	p := v.currentView()
	p.mu.Lock()
	defer p.mu.Unlock()
	return do(p.engine)
}

// withEngineErr is like [withEngine], but for a function that also returns an error.
func withEngineErr[T any](v *Viewer, do func(*alert.Engine) (T, error)) (T, error) {
	p := v.currentView()
	p.mu.Lock()
	defer p.mu.Unlock()
	return do(p.engine)
}

// Active returns the active alerts.
func (v *Viewer) Active() []alert.Alert { return withEngine(v, (*alert.Engine).Active) }

// History returns the ended alerts that are kept, newest first.
func (v *Viewer) History() []alert.Alert { return withEngine(v, (*alert.Engine).History) }

// AlertsOf returns the active alerts about a record.
func (v *Viewer) AlertsOf(k alert.Key) []alert.Alert {
	return withEngine(v, func(e *alert.Engine) []alert.Alert { return e.AlertsOf(k) })
}

// Acknowledge acknowledges the alert with the given ID for all viewers, and returns the
// acknowledged alert. who is the name of the viewer who has taken it over.
func (v *Viewer) Acknowledge(id, who, note string, now time.Time) (alert.Alert, error) {
	return v.currentView().acknowledge(id, who, note, now)
}

// Silencer returns the silencer of the engine, which all viewers with the same visibility share.
func (v *Viewer) Silencer() *alert.Silencer { return withEngine(v, (*alert.Engine).Silencer) }

// SmallSampleViolations returns the percentages of a record that violate a rule but are based on too few
// calls for an alert.
func (v *Viewer) SmallSampleViolations(k alert.Key) []alert.SmallSampleViolation {
	return withEngine(v, func(e *alert.Engine) []alert.SmallSampleViolation { return e.SmallSampleViolations(k) })
}

// KPIs returns the figures of a scope, the built-in ones before the custom ones.
func (v *Viewer) KPIs(s alert.Scope) []alert.KPI {
	return withEngine(v, func(e *alert.Engine) []alert.KPI { return e.KPIs(s) })
}

// ChartedKPIs returns the figures of a scope for which the engine has samples for charts.
func (v *Viewer) ChartedKPIs(s alert.Scope) []alert.KPI {
	return withEngine(v, func(e *alert.Engine) []alert.KPI { return e.ChartedKPIs(s) })
}

// FreezeTrends returns a copy of the current samples of all records, except users, because
// there are too many of them.
func (v *Viewer) FreezeTrends() *alert.FrozenTrends {
	return withEngine(v, (*alert.Engine).FreezeTrends)
}

// Goal returns the goal of a service, or the goal of the whole floor if service is "".
func (v *Viewer) Goal(service string) alert.Goal { return v.currentView().goals()(service) }

// Value returns the current value of a figure of a record.
func (v *Viewer) Value(name string, k alert.Key) model.Figure {
	return withEngine(v, func(e *alert.Engine) model.Figure { return e.Value(name, k) })
}

// Trend appends the samples of a record's figure over the last span to dst (see
// [alert.Engine.Trend]).
func (v *Viewer) Trend(dst []float64, name string, k alert.Key, span time.Duration) alert.Trend {
	return withEngine(v, func(e *alert.Engine) alert.Trend { return e.Trend(dst, name, k, span) })
}

// ExplainAlert explains the alert with the given ID (see [alert.Engine.ExplainAlert]).
func (v *Viewer) ExplainAlert(id string) (alert.Explanation, error) {
	return withEngineErr(v, func(e *alert.Engine) (alert.Explanation, error) { return e.ExplainAlert(id) })
}

// ExplainKPI explains the value of a record's figure (see [alert.Engine.ExplainKPI]).
func (v *Viewer) ExplainKPI(name string, k alert.Key) (alert.Explanation, error) {
	return withEngineErr(v, func(e *alert.Engine) (alert.Explanation, error) { return e.ExplainKPI(name, k) })
}
