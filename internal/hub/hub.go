// Package hub distributes a feed to many viewers. It has a shared view for each combination of
// a visible part of the floor and a name mode. A view has a snapshot of the data that its
// viewers may see, an alert engine and a situation tracker. All viewers with the same
// visibility share a view. Acknowledgements and snoozes apply to all views.
//
// Engines and masks are not safe for concurrent use; the lock of their view guards them.
// Viewers get copies or immutable values. [Hub.Run] evaluates all views once a second and
// starts goroutines that read the recording.
//
// A [Room] tracks the viewers of a server and delivers messages between their boards. It
// stores nothing and starts no goroutine. Each [RoomMember] has an event queue of limited
// length; a full queue drops the oldest events.
//
// An [AlertSharer] exchanges acknowledgements, snoozes and notes with the other nodes of a cluster.
// [AlertSharer.Run] uses two goroutines until its context ends.
package hub

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/breaks"
	"wallboard/internal/alert/diagnosis"
	"wallboard/internal/alert/forecast"
	"wallboard/internal/alert/situation"
	"wallboard/internal/alert/statefile"
	"wallboard/internal/lib/powersave"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/contact"
)

// Source provides the snapshots of the feed.
type Source interface {
	Latest() *model.Snapshot
	Wait(ctx context.Context, after uint64) (*model.Snapshot, error)
}

// Options configures a hub. Engine is required. Source is required except for [NewPrivateViewer].
type Options struct {
	Source Source
	// Engine returns a new alert engine with the current rules, for a part of the floor.
	Engine func(model.FloorPart) (*alert.Engine, error)
	// Names holds the display names of codes. Salt and Secrets are passed to [model.NewMask],
	// which masks the names of agents.
	Names   model.Names
	Salt    string
	Secrets []string
	// MinGroup is the smallest number of members of a group that viewers without full names may
	// see; 0: any.
	MinGroup int
	// Breaks holds the limits for breaks.
	Breaks breaks.Limits
	// RestoreEngine restores the state of the whole floor's engine before its first evaluation. It
	// is nil if there is nothing to restore. OnEnded stores alerts of the whole floor that
	// have ended, or whose acknowledgement has begun or ended. It must not block. It is nil if
	// alerts are not stored.
	RestoreEngine func(*alert.Engine)
	OnEnded       func([]alert.Alert)
	// Holidays are not compared with other days.
	Holidays contact.Holidays
	// Notes holds the notes about the floor. If it is nil, the hub keeps notes only in memory.
	Notes *statefile.NoteBook
	// IntradayLog records the calls of each day, which forecasts need. If it is nil, the hub creates a
	// log.
	IntradayLog *forecast.IntradayLog
	// Recorded provides recorded data from before the start of the hub.
	Recorded RecordedData
	// OnChange is called when situations of the whole floor have changed, once the feed has
	// been live. The function ended returns the ended alerts and must not be called after
	// OnChange has returned. OnChange must not call the hub and must not block. It may be nil.
	OnChange func(changes []situation.Change, ended func() []alert.Alert)
	// UnclaimedAfter is how long a critical situation may stay unclaimed before OnUnclaimed is
	// called. If it is 0, OnUnclaimed is not called. OnUnclaimed is called again when the situation
	// is no longer unclaimed, and must not block.
	UnclaimedAfter time.Duration
	OnUnclaimed    func(UnclaimedSituation)
	// OnAction is called after viewers have acknowledged or snoozed alerts and all views have been
	// evaluated with this change, at most five times a second. It must not block. It may be nil.
	OnAction func()
	// RecordedIncidents holds the recorded situations, take-overs and tolerances that a hub of [NewPrivateViewer]
	// repeats; nil: none.
	RecordedIncidents *RecordedIncidents
	// Now returns the local time. nil: [time.Now].
	Now func() time.Time
}

// Hub distributes a feed to viewers. It is safe for concurrent use.
type Hub struct {
	options        Options
	persistsAlerts bool // true if Options.OnEnded was set

	mu         sync.Mutex
	wholeFloor *sharedView // view of the whole floor, whose acknowledgements and snoozes are copied to the other views
	views      map[string]*sharedView

	actionSignal chan struct{} // signals that an alert was acknowledged or snoozed

	background sync.WaitGroup // goroutines that read the recording or compute plans
	readerSlot chan struct{}  // full while a goroutine reads the recording

	intradayLearned bool  // used only by Run
	checkedAt       int64 // number of the interval of the last check of forecasts; used only by Run
	accuracy        atomic.Pointer[forecast.Accuracy]
}

// Visibility describes the part of the floor that a viewer may see, and how people are named.
type Visibility struct {
	Names model.NameMode
	Part  model.FloorPart
}

// HideSmallGroups returns v without the groups with fewer than n members, unless v has full names.
func (v Visibility) HideSmallGroups(n int) Visibility {
	if v.Names != model.NamesFull && v.Names != "" {
		v.Part.MinGroup = n
	}
	return v
}

// Key returns a string that identifies the visibility.
func (v Visibility) Key() string {
	return fmt.Sprintf("%s %q %q %d %d", v.Names, v.Part.Services, v.Part.Groups, v.Part.Sites, v.Part.MinGroup)
}

// New returns a hub. Its error is the error of o.Engine.
func New(o Options) (*Hub, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.IntradayLog == nil && o.Source != nil {
		o.IntradayLog = new(forecast.IntradayLog)
	}
	if o.IntradayLog != nil {
		o.IntradayLog.SetHolidays(o.Holidays)
	}
	if o.OnUnclaimed == nil {
		o.OnUnclaimed = func(UnclaimedSituation) {}
	}
	if o.Notes == nil {
		o.Notes = statefile.OpenNotes("", slog.New(slog.DiscardHandler))
	}
	if o.OnAction == nil {
		o.OnAction = func() {}
	}
	keeps := o.OnEnded != nil
	if !keeps {
		o.OnEnded = func([]alert.Alert) {}
	}
	h := &Hub{options: o, persistsAlerts: keeps, views: make(map[string]*sharedView), actionSignal: make(chan struct{}, 1), readerSlot: make(chan struct{}, 1)}
	var err error
	if h.wholeFloor, err = h.viewFor(Visibility{Names: model.NamesFull}); err != nil {
		return nil, err
	}
	if o.RestoreEngine != nil {
		o.RestoreEngine(h.wholeFloor.engine)
	}
	h.wholeFloor.initSnoozes()
	return h, nil
}

// minActionInterval is the minimum time between two calls of [Options.OnAction].
const minActionInterval = 200 * time.Millisecond

// Run evaluates all views once a second until the context ends. It does so even without
// viewers, because a condition may have to hold for some time before it raises an alert. Run
// passes acknowledgements and snoozes to all views without waiting for the next second, at
// most once per minActionInterval.
func (h *Hub) Run(ctx context.Context) {
	defer h.background.Wait()
	tick := powersave.NewTicker(time.Second)
	defer tick.Stop()
	pause := time.NewTimer(0)
	defer pause.Stop()
	var acts <-chan struct{} // nil while calls of OnAction must pause
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			now := h.evaluateAll()
			h.loadHistories(ctx, h.options.Source.Latest(), now)
			h.computeBaselines(ctx, now)
			h.learnIntraday(ctx, now)
			h.checkForecasts(ctx, now)
		case <-pause.C:
			acts = h.actionSignal
		case <-acts:
			acts = nil
			pause.Reset(minActionInterval)
			h.evaluateAll()
			h.options.OnAction()
		}
	}
}

// signalAction tells Run that a viewer has acknowledged or snoozed an alert.
func (h *Hub) signalAction() {
	select {
	case h.actionSignal <- struct{}{}:
	default: // a signal is already pending
	}
}

// evaluateAll evaluates all views, beginning with the view of the whole floor. It returns the
// time on the server's clock, or the zero time if there is no snapshot yet.
func (h *Hub) evaluateAll() (now time.Time) {
	s := h.options.Source.Latest()
	if s == nil {
		return now
	}
	now = h.options.Now().Add(s.Health.ClockOffset)
	h.updateIntraday(s, now)
	for _, p := range h.allViews() {
		p.evaluate(p.visibleSnapshot(s), now)
		if p.syncFromFloor() {
			p.evaluate(p.visibleSnapshot(s), now)
		}
		for _, u := range p.unclaimedChanges(h.unclaimedAfter(), now) {
			h.options.OnUnclaimed(u)
		}
	}
	return now
}

func (h *Hub) unclaimedAfter() time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.options.UnclaimedAfter
}

func (h *Hub) allViews() []*sharedView {
	h.mu.Lock()
	defer h.mu.Unlock()
	out := []*sharedView{h.wholeFloor}
	for _, p := range h.views {
		if p != h.wholeFloor {
			out = append(out, p)
		}
	}
	return out
}

// ConfigChange holds the parts of a changed configuration that a hub uses.
type ConfigChange struct {
	Engine func(model.FloorPart) (*alert.Engine, error)
	Names  model.Names
	// Secrets are words to hide in addition to the previous ones.
	Secrets        []string
	Breaks         breaks.Limits
	Holidays       contact.Holidays
	UnclaimedAfter time.Duration
	// NewPlatform reports whether the source now provides another platform. In that case the
	// hub drops all alerts and figures of the previous platform.
	NewPlatform bool
}

// Reconfigure replaces the alert engines of all views with engines for the new rules and
// names. The new engines adopt the state of the old ones, unless c.NewPlatform is true.
func (h *Hub) Reconfigure(c ConfigChange) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	next := make(map[*sharedView]*alert.Engine, len(h.views))
	for _, p := range h.views {
		e, err := c.Engine(p.visibility.Part)
		if err != nil {
			return fmt.Errorf("hub: %w", err)
		}
		next[p] = e
	}
	c.Secrets = slices.Concat(h.options.Secrets, c.Secrets)
	slices.Sort(c.Secrets)
	c.Secrets = slices.Compact(c.Secrets)
	h.options.Engine, h.options.Names, h.options.Secrets, h.options.Breaks, h.options.UnclaimedAfter = c.Engine, c.Names, c.Secrets, c.Breaks, c.UnclaimedAfter
	h.options.Holidays = c.Holidays
	h.options.IntradayLog.SetHolidays(c.Holidays)
	h.accuracy.Store(nil) // the accuracy was computed with the previous holidays
	if c.NewPlatform && h.options.RestoreEngine != nil {
		h.options.RestoreEngine(next[h.wholeFloor]) // no lock is needed, because no other goroutine uses the engine yet
	}
	for p, e := range next {
		p.replaceEngine(e, &c)
	}
	return nil
}

// NewViewer returns a new viewer with the given visibility. every is the interval of the viewer's
// frames, and phase their offset; see [Viewer.Wait].
func (h *Hub) NewViewer(visibility Visibility, every, phase time.Duration) (*Viewer, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	v := &Viewer{hub: h, source: h.options.Source, frameInterval: every, frameOffset: phase, now: h.options.Now}
	return v, v.switchTo(visibility)
}

// viewFor returns the shared view for a visibility and creates it if needed. The caller must
// hold mu, except in New.
func (h *Hub) viewFor(visibility Visibility) (*sharedView, error) {
	visibility = visibility.HideSmallGroups(h.options.MinGroup)
	if p := h.views[visibility.Key()]; p != nil {
		return p, nil
	}
	e, err := h.options.Engine(visibility.Part)
	if err != nil {
		return nil, fmt.Errorf("hub: %w", err)
	}
	p := &sharedView{
		engine: e, visibility: visibility, wholeFloor: h.wholeFloor, callbacks: callbacks{onAction: h.signalAction}, partFilter: model.NewPartFilter(visibility.Part),
		mask: model.NewMask(visibility.Names, h.options.Salt, h.options.Names, h.options.Secrets...),
	}
	if p.wholeFloor == nil {
		p.storeAlerts, p.onSituationChange = h.options.OnEnded, h.options.OnChange
	} else {
		p.initSnoozes()
	}
	p.history = p.newHistory(h.options.Names, h.options.Breaks, h.options.IntradayLog, h.options.Notes)
	if h.options.Source == nil {
		p.history.repeater = newIncidentRepeater(h.options.RecordedIncidents, p.history.situations)
	}
	e.Silencer().SetLock(&p.mu)
	h.views[visibility.Key()] = p
	return p, nil
}

// maxKeptChanges limits the number of changes that a view keeps for slow viewers. A viewer that has
// missed changes still shows all alerts, but does not ring the bell for them.
const maxKeptChanges = 100

// changeLog holds the changes of situations that viewers have not been told yet.
type changeLog struct {
	changes []situation.Change // the latest ones
	dropped int                // number of changes that were dropped to limit the length of changes
	updates int                // number of times that the situations were updated
}

// nextNumber returns the number of the change that will be added next.
func (n *changeLog) nextNumber() int { return n.dropped + len(n.changes) }

// changesSince returns the changes from a number on.
func (n *changeLog) changesSince(number int) []situation.Change {
	return slices.Clone(n.changes[min(max(number-n.dropped, 0), len(n.changes)):])
}

// add adds the changes that are news and drops the oldest ones if there are too many. It copies
// their situations, which are elements of the slices of a view and would keep the whole view alive.
func (n *changeLog) add(changes []situation.Change) {
	for _, c := range changes {
		if c.IsNews() {
			sit := *c.Situation
			c.Situation = &sit
			n.changes = append(n.changes, c)
		}
	}
	if over := len(n.changes) - maxKeptChanges; over > 0 {
		n.changes, n.dropped = slices.Clone(n.changes[over:]), n.dropped+over
	}
}

// sharedView is the floor as all viewers with the same visibility see it.
type sharedView struct {
	mu           sync.Mutex
	visibility   Visibility
	partFilter   *model.PartFilter // nil: the whole floor
	mask         *model.Mask       // nil: full names
	lastSnapshot *model.Snapshot   // the feed's snapshot that visible was made from
	visible      *model.Snapshot
	engine       *alert.Engine
	history      viewHistory

	lastSeq           uint64 // sequence number of the last evaluated snapshot
	lastSecond        int64
	needsEvaluation   atomic.Bool                               // an alert was acknowledged or snoozed after the last evaluation
	translations      map[*words.Language]*translatedEvaluation // for each language in which a viewer reads
	situationChanges  changeLog
	typicalVolume     TypicalVolume                 // source of typical volumes; nil: not set
	hasBeenLive       bool                          // the feed has been live, so changes of situations are reported from now on
	reportedUnclaimed map[string]UnclaimedSituation // unclaimed situations that were reported, by ID

	lastEvaluation evaluation

	callbacks

	wholeFloor *sharedView // view of the whole floor; nil if this is that view
	snoozes    atomic.Pointer[alert.Snoozes]

	historyLoading
}

type evaluation struct {
	view     *situation.View // nil before the first evaluation
	now      time.Time
	snapshot *model.Snapshot // the evaluated snapshot; nil if it is not the one that the viewers see
	fresh    bool            // the data of the evaluated snapshot were fresh
}

// historyLoading holds the state of loading the recorded history into a view.
type historyLoading struct {
	firstSnapshotAt time.Time // time of the first snapshot on the server's clock; zero: none yet
	started         bool      // loading has started
	platformVersion int       // increases when the platform changes
	baseline        cachedBaseline
}

// callbacks holds the functions that a view calls. storeAlerts and onSituationChange are nil except
// in the view of the whole floor.
type callbacks struct {
	storeAlerts       func([]alert.Alert)
	onSituationChange func(changes []situation.Change, ended func() []alert.Alert)
	onAction          func() // called after an acknowledgement or a snooze
}

// visibleSnapshot returns the part of a snapshot that the viewers of this view may see. If s
// is older than the snapshot of the last call, it returns the last result.
func (p *sharedView) visibleSnapshot(s *model.Snapshot) *model.Snapshot {
	p.mu.Lock()
	defer p.mu.Unlock()
	if s == nil || p.lastSnapshot == s || p.lastSnapshot != nil && s.Seq < p.lastSnapshot.Seq {
		return p.visible
	}
	p.lastSnapshot, p.visible = s, p.mask.Apply(p.partFilter.Apply(s))
	return p.visible
}

// evaluate evaluates a snapshot at a time on the server's clock. It does nothing if the snapshot
// was already evaluated in this second, unless an alert was acknowledged or snoozed since.
func (p *sharedView) evaluate(s *model.Snapshot, now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.evaluateLocked(s, now)
}

// evaluateLocked is like evaluate, but the caller must hold mu. If the viewers have already seen a
// newer snapshot than s, it evaluates the newer one.
func (p *sharedView) evaluateLocked(s *model.Snapshot, now time.Time) {
	isNewSnapshot := p.isPrivate() && s != p.visible
	if isNewSnapshot {
		p.visible, p.lastSeq = s, 0
	}
	if s != nil && p.visible != nil && p.visible.Seq > s.Seq {
		s = p.visible
	}
	second := now.Unix()
	if s == nil || s.Seq < p.lastSeq || s.Seq == p.lastSeq && (second < p.lastSecond || second == p.lastSecond && !p.needsEvaluation.Load()) {
		return
	}
	isNewSecond, wasRequested := second > p.lastSecond, p.needsEvaluation.Swap(false)
	p.lastSeq, p.lastSecond = s.Seq, max(second, p.lastSecond)
	if !p.isPrivate() {
		p.engine.ApplyNotes(p.history.notes.All(), now.Add(-s.Health.ClockOffset))
	}
	news := p.history.repeater.evaluate(p.engine, s, now)
	p.storeChanged(news)
	fresh := diagnosis.IsFresh(&s.Health)
	// Values in alerts change all the time, so the situations are updated only once a second, unless
	// alerts or the freshness of the data change, a viewer has acted, or a replay has another snapshot.
	if len(news) == 0 && !isNewSecond && !wasRequested && !isNewSnapshot && fresh == p.lastEvaluation.fresh {
		return
	}
	if isNewSecond {
		p.history.addSnapshot(s, now, p.engine)
	}
	p.updateSituations(s, news, fresh, now)
}

// updateSituations updates the situations after an evaluation of s and reports their changes.
// news holds the changes of alerts in this evaluation.
func (p *sharedView) updateSituations(s *model.Snapshot, news []alert.Change, fresh bool, now time.Time) {
	before := p.lastEvaluation.view
	p.lastEvaluation.view, p.lastEvaluation.fresh = p.history.situations.Update(s, p.engine.Active(), news, now), fresh
	p.lastEvaluation.now = now
	for _, t := range p.translations {
		t.isOld = true
	}
	if p.lastEvaluation.snapshot = nil; s == p.visible && !p.isPrivate() {
		p.lastEvaluation.snapshot = s
	}
	p.situationChanges.updates++
	if p.hasBeenLive {
		p.reportChanges(before, p.lastEvaluation.view)
	}
	if !p.isPrivate() && s.Health.Live() {
		p.history.estimates.Update(p.lastEvaluation.view.Live, p.history.situations.History(), now)
	}
	p.hasBeenLive = p.hasBeenLive || s.Health.Live()
}

// reportChanges keeps the changes of situations from one view to the next for the viewers. It reports
// these changes to onSituationChange, together with the changes that are recorded but not announced.
func (p *sharedView) reportChanges(before, now *situation.View) {
	changes := situation.Changes(before, now)
	p.situationChanges.add(changes)
	if p.onSituationChange == nil {
		return
	}
	if changes = slices.Concat(changes, situation.SilencedEndChanges(before, now), situation.ExplanationChanges(before, now)); len(changes) > 0 {
		p.onSituationChange(changes, p.engine.History)
	}
}

// storeChanged stores those of the changed alerts that must survive a restart of the program. It
// gives the ended ones the texts about their longest queues, here and in the engine.
func (p *sharedView) storeChanged(changes []alert.Change) {
	kept := alert.AlertsToStore(changes)
	for i := range kept {
		if !kept[i].Ended.IsZero() {
			kept[i] = p.lastEvaluation.view.WithPeakText(kept[i])
			p.engine.ReplaceEnded(kept[i])
		}
	}
	if p.storeAlerts != nil && len(kept) > 0 {
		p.storeAlerts(kept)
	}
}

// replaceEngine replaces the engine and applies a changed configuration. c.Secrets must contain all
// words to hide, including the previous ones.
func (p *sharedView) replaceEngine(e *alert.Engine, c *ConfigChange) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.history.breaks.SetLimits(c.Breaks)
	if c.NewPlatform {
		p.engine = e
		p.resetState(c)
	} else {
		ended := e.AdoptState(p.engine)
		p.engine = e
		p.storeChanged(ended)
	}
	p.baseline.drop(c.NewPlatform)
	e.Silencer().SetLock(&p.mu)
	if p.mask != nil {
		p.mask.Reconfigure(p.visibility.Names, c.Names, c.Secrets...)
	}
	p.lastSnapshot, p.lastEvaluation.snapshot = nil, nil
	p.lastSeq = 0 // make the next evaluation run even without a new snapshot
}

// resetState drops the alerts, figures and history of the previous platform. It keeps the
// notes and the intraday log, which the hub shares.
func (p *sharedView) resetState(c *ConfigChange) {
	p.situationChanges.changes, p.situationChanges.dropped = nil, p.situationChanges.nextNumber()
	p.lastEvaluation.view, p.translations, p.reportedUnclaimed, p.typicalVolume = nil, nil, nil, nil
	p.hasBeenLive, p.started, p.firstSnapshotAt, p.lastSecond = false, true, time.Time{}, 0
	p.platformVersion++
	p.history = p.newHistory(c.Names, c.Breaks, p.history.forecasts.IntradayLog, p.history.notes)
	p.initSnoozes()
}

// initSnoozes connects the snoozes of a new engine to the hub. The view of the whole floor uses the
// snoozes of its engine. Every other view has its own snoozes, which are synchronized with those of
// the whole floor.
func (p *sharedView) initSnoozes() {
	of := p.engine.Silencer().Snoozes()
	if p.wholeFloor != nil {
		of = new(alert.Snoozes)
		of.OnAdd(p.copySnoozeToFloor)
		p.engine.Silencer().UseSnoozes(of)
	}
	of.OnChange(p.markActionDone)
	p.snoozes.Store(of)
}

// markActionDone records that an alert of this view was acknowledged or snoozed, and signals this to the
// hub.
func (p *sharedView) markActionDone() {
	p.needsEvaluation.Store(true)
	p.onAction()
}
