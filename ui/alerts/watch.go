package alerts

import (
	"reflect"
	"slices"
	"sync"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/diagnosis"
	"wallboard/internal/alert/situation"
	"wallboard/internal/phrases"
	"wallboard/model"
	"wallboard/ui/panes"
	"wallboard/ui/render"
	"wallboard/ui/snapshot"
	"wallboard/ui/style"
)

// Watch tracks the alerts and situations of a board.
type Watch struct {
	engine        Engine
	cachingEngine CachingEngine // the engine if it is a CachingEngine; otherwise nil
	floor         *snapshot.View
	typicalVolume TypicalVolume
	maskText      func(string) string // returns a text with masks in place of the names that this board must not show
	recordEvent   func(model.Event)   // nil: take-overs are not marked in the recording

	recorder Recorder // nil: actions are not recorded

	customKPIs   map[alert.Scope][]alert.KPI
	latestAlerts *render.Alerts   // alerts of the newest snapshot
	shownAlerts  *render.Alerts   // alerts of the snapshot on the screen
	figures      render.KPIValues // values of the custom KPIs for the snapshot on the screen
	trends       render.Trends    // samples of figures until the time of the snapshot on the screen

	situations       Situations
	situationsShared bool            // situations belongs to the engine, not to this board
	visibleToOthers  bool            // other viewers see the alerts of this board
	latestSituations *situation.View // situations of the newest snapshot
	shownSituations  *situation.View // situations of the snapshot on the screen
	ended            endedSituations

	silences []alert.ActiveSilence

	wasLive    bool      // the feed has been live; earlier changes are not announced
	lastRing   time.Time // when the bell rang last, on the local clock
	lastUpdate int64     // time of the last update on the server's clock, as a Unix time
}

// News tells a board what to do after the evaluation of a snapshot.
type News struct {
	ScreenChanged    bool          // the screen must be drawn again
	Text             string        // message about a new critical situation or, if there is none, about a recovered one; "": none
	RingsBell        bool          // the bell must ring
	BecameCritical   bool          // a situation that needs action has become critical
	RingsForRecovery bool          // the bell must ring because of a recovery, if the viewer wants this
	Marks            []model.Event // marks that must be added to the recording
}

// New returns a watch for the snapshots of view. The caller must call [Watch.SetEngine] before any
// other method. maskText returns a text with masks in place of the names that this board must not
// show.
func New(view *snapshot.View, maskText func(string) string, typicalVolume TypicalVolume) *Watch {
	return &Watch{floor: view, maskText: maskText, typicalVolume: typicalVolume}
}

// TypicalVolume returns the typical number of contacts per minute of a service at a time. basis
// says in words on what the number is based. ok is false if the number is unknown. A nil
// TypicalVolume means that no numbers are known. A shared engine calls it in any goroutine.
type TypicalVolume func(s *model.Snapshot, k model.ServiceKey, at time.Time) (perMinute float64, basis string, ok bool)

// SetEngine sets the engine, which may be the same as before. It reports whether the custom KPIs
// have changed.
func (w *Watch) SetEngine(e Engine) bool {
	previous := w.customKPIs
	w.engine, w.customKPIs = e, customKPIs(e)
	w.cachingEngine, _ = e.(CachingEngine)
	if s, ok := e.(SharedEngine); ok {
		w.situations, w.situationsShared = s.Situations(), true
		if w.cachingEngine != nil && w.typicalVolume != nil {
			w.cachingEngine.Usual(w.typicalVolume)
		}
	} else if w.situations == nil || w.situationsShared {
		w.situations, w.situationsShared = w.newSituations(), false
	}
	if w.floor.FrozenAt.IsZero() {
		w.figures, w.trends = e, e
	}
	return !reflect.DeepEqual(w.customKPIs, previous)
}

// newSituations returns a Situations without history that belongs only to this board.
func (w *Watch) newSituations() Situations {
	return situation.New(situation.Options{
		Names: w.floor.Names, Hold: time.Minute,
		Goal: func(service string) alert.Goal { return w.engine.Goal(service) },
		Baseline: func(k model.ServiceKey, at time.Time) (float64, string, bool) {
			if w.typicalVolume == nil {
				return 0, "", false
			}
			return w.typicalVolume(w.floor.Newest, k, at)
		},
		Journal: func() *situation.Journal {
			if r, ok := w.engine.(RecordedEngine); ok {
				return r.Journal()
			}
			return nil
		},
	})
}

// SetVisibleToOthers sets whether other viewers see the alerts of this board and who has taken them
// over.
func (w *Watch) SetVisibleToOthers(others bool) { w.visibleToOthers = others }

// OnTakeOver sets a function that is called after a take-over with a mark for the recording.
func (w *Watch) OnTakeOver(record func(model.Event)) { w.recordEvent = record }

// Reset forgets the situations and the times of the last bell and update. It must be called when
// the board shows another platform or another instant of a replay.
func (w *Watch) Reset() {
	w.wasLive, w.lastRing, w.lastUpdate = false, time.Time{}, 0
	w.situations, w.situationsShared = w.newSituations(), false
}

// SetHistory copies the history of the situations from another tracker. It does nothing if the
// situations belong to the engine.
func (w *Watch) SetHistory(past *situation.Tracker) {
	if tracker, ok := w.situations.(*situation.Tracker); ok {
		tracker.Remember(past, false)
	}
}

// Situations returns the situations that the watch has found so far.
func (w *Watch) Situations() Situations { return w.situations }

// LatestAlerts returns the alerts of the newest snapshot, even while the board is frozen. It
// returns nil before the first evaluation.
func (w *Watch) LatestAlerts() *render.Alerts { return w.latestAlerts }

// CustomKPIs returns the KPIs that the configuration defines, by scope.
func (w *Watch) CustomKPIs() map[alert.Scope][]alert.KPI { return w.customKPIs }

// Alarms returns the alerts, situations, figures and trends that the panes show.
func (w *Watch) Alarms() panes.Alarms {
	return panes.Alarms{
		Engine: w.engine, CustomKPIs: w.customKPIs, CurrentAlerts: w.latestAlerts, ShownAlerts: w.shownAlerts, KPIValues: w.figures, Trends: w.trends,
		Situations: w.shownSituations, PresentSituations: w.latestSituations, EndedSituations: w.ended.list, LastHour: w.lastHour,
	}
}

// lastHour returns the states of an agent on a channel during the last hour, even while the board
// is frozen.
func (w *Watch) lastHour(k model.UserStatKey) diagnosis.Hour {
	return w.situations.Hour(k, w.floor.ToServerTime(w.floor.LocalNow))
}

// AlertsOf returns the active alerts about a record.
func (w *Watch) AlertsOf(k alert.Key) []alert.Alert { return w.engine.AlertsOf(k) }

// Freeze stores the current trends and values of the custom KPIs. Until [Watch.Unfreeze],
// evaluations do not change the alerts and situations on the screen.
func (w *Watch) Freeze() {
	w.trends = w.engine.FreezeTrends()
	w.figures = freezeKPIs(w.engine, w.customKPIs, w.floor)
}

// Unfreeze shows the alerts, situations, trends and KPIs of the newest snapshot again.
func (w *Watch) Unfreeze() {
	w.trends, w.shownAlerts, w.figures, w.shownSituations = w.engine, w.latestAlerts, w.engine, w.latestSituations
}

// Evaluate evaluates the newest snapshot, even while the board is frozen. The result tells the
// board what to announce and what to record.
func (w *Watch) Evaluate(lk *style.Look) News {
	if w.floor.Newest == nil {
		return News{}
	}
	now := w.floor.ToServerTime(w.floor.LocalNow)
	changes := w.engine.Evaluate(w.floor.Newest, now)
	var out News
	// The texts of alerts contain times, so they change all the time. Updating them once a second
	// is enough.
	if len(changes) > 0 || now.Unix() != w.lastUpdate {
		w.lastUpdate = now.Unix()
		previous := w.latestSituations
		out.ScreenChanged = w.readAlerts(changes, false)
		out.BecameCritical = becameCritical(previous, w.latestSituations)
		if w.wasLive {
			became := situation.Changes(previous, w.latestSituations)
			if !w.situationsShared { // the owner of a shared engine records the marks
				out.Marks = Marks(append(became, situation.SilencedEnds(previous, w.latestSituations)...), w.engine.History)
			}
			w.announce(&out, lk, became)
		}
	}
	w.wasLive = w.wasLive || w.floor.Newest.Health.Live()
	return out
}

// becameCritical reports whether a situation that needs action is critical in present and was not
// critical in previous.
func becameCritical(previous, present *situation.View) bool {
	return present != nil && slices.ContainsFunc(present.Live, func(s situation.Situation) bool {
		if s.Level != alert.Critical || !s.NeedsAction() {
			return false
		}
		old := previous.LiveByID(s.ID)
		return old == nil || old.Level != alert.Critical
	})
}

// Marks returns marks for the situations that have begun, become critical or ended. The texts of
// the marks contain no names of agents. ended returns the ended alerts of the engine. It is called
// at most once.
func Marks(changes []situation.Change, ended func() []alert.Alert) []model.Event {
	var out []model.Event
	ended = sync.OnceValue(ended)
	for i := range changes {
		c := &changes[i]
		if c.Kind == situation.Joined {
			continue
		}
		sit := c.Situation
		e := model.Event{Kind: model.MarkWarning, Text: sit.Place.Title + ": " + sit.Headline}
		switch {
		case c.Daily || sit.Place.Key.Scope == alert.User:
			e.Kind, e.Text = model.MarkIncident, ""
		case c.Kind == situation.Ended:
			e.Kind, e.Text = model.MarkRecovered, sit.Place.Title+": over"
		case sit.Level == alert.Critical:
			e.Kind = model.MarkCritical
		}
		e.Nameless, e.Incident = e.Text, c.Incident(ended())
		e.NamelessIncident = situation.WithoutPeople(e.Incident)
		out = append(out, e)
	}
	return out
}

// Refresh gets the alerts from the engine again after an action on them. It reports whether the
// screen must be drawn again.
func (w *Watch) Refresh() bool { return w.readAlerts(nil, true) }

// RefreshCached gets the alerts that the engine has cached since its last evaluation.
func (w *Watch) RefreshCached() { w.readAlerts(nil, false) }

// Clear removes the alerts and situations from the board until the next evaluation.
func (w *Watch) Clear() {
	w.latestAlerts, w.latestSituations = render.NewAlerts(nil, nil, nil, w.latestAlerts), nil
	if w.floor.FrozenAt.IsZero() {
		w.shownAlerts, w.shownSituations = w.latestAlerts, w.latestSituations
	}
}

// readAlerts gets the alerts and situations from the engine. It reports whether the screen must be
// drawn again. fresh is true after an action, because the cache of the engine does not contain the
// result of the action yet.
func (w *Watch) readAlerts(changes []alert.Change, fresh bool) bool {
	previous, previousView, previousSnapshot := w.latestAlerts, w.latestSituations, w.floor.Newest
	w.silences = w.engine.Silencer().InForce()
	for i := range w.silences {
		w.silences[i].Title, w.silences[i].By = w.maskText(w.silences[i].Title), w.maskText(w.silences[i].By)
	}
	derived := w.updateCurrent(changes, fresh)
	w.ended = derived.pastSituations(w.floor, w.latestSituations)
	if w.floor.FrozenAt.IsZero() {
		w.shownAlerts, w.shownSituations = w.latestAlerts, w.latestSituations
	}
	return w.floor.Newest != previousSnapshot || !w.latestAlerts.Same(previous) || !w.latestSituations.EqualContent(previousView)
}

// updateCurrent sets the alerts and situations of the newest snapshot. A CachingEngine computes
// them once for all boards and masks names. If the engine has evaluated a newer snapshot than that
// of the board, the board takes the newer one. The tables are thus never older than the situations.
// If fresh is true, the cache is not used.
func (w *Watch) updateCurrent(changes []alert.Change, fresh bool) *derivedAlerts {
	now := w.floor.ToServerTime(w.floor.LocalNow)
	if w.cachingEngine == nil {
		out := &derivedAlerts{endedAlerts: w.maskNames(w.engine.History()), past: w.ended}
		active := w.maskNames(w.engine.Active())
		if w.floor.Newest != nil {
			w.latestSituations = w.situations.Update(w.floor.Newest, active, changes, now)
		}
		w.latestAlerts = render.NewAlerts(active, out.endedAlerts, w.latestSituations, w.latestAlerts)
		return out
	}
	derived, view, of := w.cachingEngine.Cached(fresh, func(active, ended []alert.Alert, view *situation.View, previous any) any {
		out := &derivedAlerts{endedAlerts: ended}
		was, _ := previous.(*derivedAlerts)
		if was == nil {
			was = &derivedAlerts{}
		}
		was.mu.Lock()
		defer was.mu.Unlock()
		out.alerts, out.past = render.NewAlerts(active, ended, view, was.alerts), was.past
		return out
	})
	out, _ := derived.(*derivedAlerts)
	w.latestAlerts = out.alerts
	if w.floor.Newest == nil {
		return out
	}
	if w.latestSituations = view; view == nil {
		w.latestSituations = &situation.View{At: now}
	}
	if of != nil && of.Seq > w.floor.Newest.Seq {
		w.floor.SetNewest(of)
	}
	return out
}

// derivedAlerts holds the data that boards compute from the alerts of an engine. All boards with
// the same CachingEngine share it.
type derivedAlerts struct {
	alerts      *render.Alerts
	endedAlerts []alert.Alert

	mu           sync.Mutex
	past         endedSituations
	pastComputed bool
}

// pastSituations returns the situations that have ended. They are computed in the first call.
func (e *derivedAlerts) pastSituations(view *snapshot.View, current *situation.View) endedSituations {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.pastComputed {
		e.past.update(view, e.endedAlerts, current)
		e.pastComputed = true
	}
	return e.past
}

// maskNames masks names in the names and notes of take-overs in alerts, and returns alerts.
// Take-overs may come from other boards.
func (w *Watch) maskNames(alerts []alert.Alert) []alert.Alert {
	for i := range alerts {
		a := &alerts[i].Ack
		a.By, a.Note = w.maskText(a.By), w.maskText(a.Note)
	}
	return alerts
}

// BellPause is the minimum time between two rings of the bell.
const BellPause = 10 * time.Second

// announce sets the message about the first new critical situation. If there is none, the message
// is about the first recovered situation. The bell rings once if a rule of any changed situation
// has a bell, but at most once in BellPause.
func (w *Watch) announce(out *News, lk *style.Look, changes []situation.Change) {
	var critical, over []string
	relief := false
	for i := range changes {
		c := &changes[i]
		sit := c.Situation
		rings := slices.ContainsFunc(c.New, func(a alert.Alert) bool { return a.Bell && a.SilentUntil.IsZero() })
		switch {
		case c.Kind != situation.Ended:
			out.RingsBell = out.RingsBell || rings
			if c.Kind != situation.Joined && sit.Level == alert.Critical {
				critical = append(critical, render.Critical.Glyph(lk.ASCII)+" "+sit.Place.Title+": "+sit.Headline)
			}
		case sit.Highest == alert.Critical:
			relief = relief || slices.ContainsFunc(sit.Alerts, func(a alert.Alert) bool { return a.Bell })
			lasted := phrases.Lasting(" after ", c.Ended.Sub(sit.Since), "", lk.Duration)
			over = append(over, lk.Glyphs.Check+" "+sit.Place.Title+": over"+lasted+". "+c.Headline)
		}
	}
	texts := critical
	if len(texts) == 0 {
		texts = over
	}
	if n := len(texts); n > 0 {
		out.Text = phrases.ASCII(texts[0], lk.ASCII)
		if n > 1 {
			out.Text += " (and " + lk.Count(n-1) + " more)"
		}
	}
	free := w.lastRing.IsZero() || !w.floor.LocalNow.Before(w.lastRing.Add(BellPause))
	out.RingsBell, out.RingsForRecovery = out.RingsBell && free, relief && free && !out.RingsBell
	if out.RingsBell || out.RingsForRecovery {
		w.lastRing = w.floor.LocalNow
	}
}
