package alerts

import (
	"reflect"
	"slices"
	"sync"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/diagnosis"
	"wallboard/internal/alert/situation"
	"wallboard/internal/hub"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/ui/floorview"
	"wallboard/ui/panes"
	"wallboard/ui/render"
	"wallboard/ui/style"
)

// BoardAlerts tracks the alerts and situations of a board.
type BoardAlerts struct {
	engine        Engine
	floor         *floorview.View
	typicalVolume hub.TypicalVolume
	maskText      func(string) string // masks the names that this board must not show
	recordEvent   func(model.Event)   // nil: take-overs are not marked in the recording

	language *words.Language // language of the situations; nil: English
	recorder Recorder        // nil: actions are not recorded

	customKPIs   map[alert.Scope][]alert.KPI
	latestAlerts *render.Alerts   // alerts of the newest snapshot
	shownAlerts  *render.Alerts   // alerts of the snapshot on the screen
	figures      render.KPIValues // values of the custom KPIs for the snapshot on the screen
	trends       render.Trends    // samples of figures until the time of the snapshot on the screen

	visibleToOthers  bool            // other viewers see the same alerts
	latestSituations *situation.View // situations of the newest snapshot
	shownSituations  *situation.View // situations of the snapshot on the screen
	ended            endedSituations

	silences []alert.ActiveSilence

	hasBeenLive  bool            // the feed has been live; earlier changes are not announced
	lastBell     time.Time       // when the bell last rang, on the local clock
	lastUpdate   int64           // time of the last update on the server's clock, as a Unix time
	lastSnapshot *model.Snapshot // newest snapshot at the last update
}

// Announcements tells a board what to do after the evaluation of a snapshot.
type Announcements struct {
	ScreenChanged    bool   // something on the screen changed
	Text             string // message about new critical situations or, without any, about recovered ones; "": none
	IsRecovery       bool   // Text, if any, is about a recovered situation
	RingsBell        bool   // the bell rings
	BecameCritical   bool   // a situation that needs action became critical
	RingsForRecovery bool   // the bell rings because of a recovery, if the viewer wants that
}

// New returns the alerts of a board that shows view. Call [BoardAlerts.SetEngine] before any other
// method. maskText masks the names that this board must not show.
func New(view *floorview.View, maskText func(string) string, typicalVolume hub.TypicalVolume) *BoardAlerts {
	return &BoardAlerts{floor: view, maskText: maskText, typicalVolume: typicalVolume}
}

// SetEngine sets the engine, which may be the current one. It reports whether the custom KPIs have
// changed.
func (w *BoardAlerts) SetEngine(e Engine) bool {
	previous := w.customKPIs
	w.engine, w.customKPIs = e, customKPIs(e)
	e.SetLanguage(w.language)
	if w.typicalVolume != nil {
		e.SetTypicalVolume(w.typicalVolume)
	}
	if w.floor.FrozenAt.IsZero() {
		w.figures, w.trends = e, e
	}
	return !reflect.DeepEqual(w.customKPIs, previous)
}

// SetLanguage sets the language of the situations; nil means English.
func (w *BoardAlerts) SetLanguage(l *words.Language) {
	if w.language == l {
		return
	}
	w.language = l
	w.engine.SetLanguage(l)
	w.latestSituations, w.shownSituations = w.latestSituations.In(l), w.shownSituations.In(l)
}

// SetVisibleToOthers sets whether other viewers see the alerts of this board with their take-overs.
func (w *BoardAlerts) SetVisibleToOthers(others bool) { w.visibleToOthers = others }

// OnTakeOver sets a function that is called after a take-over with a mark for the recording.
func (w *BoardAlerts) OnTakeOver(record func(model.Event)) { w.recordEvent = record }

// Reset forgets what the board has announced. Call it when the board shows another platform or
// another instant of a replay.
func (w *BoardAlerts) Reset() {
	w.hasBeenLive, w.lastBell, w.lastUpdate = false, time.Time{}, 0
}

// LatestAlerts returns the alerts of the newest snapshot, even while the board is frozen. It
// returns nil before the first evaluation.
func (w *BoardAlerts) LatestAlerts() *render.Alerts { return w.latestAlerts }

// CustomKPIs returns the KPIs that the configuration defines, by scope.
func (w *BoardAlerts) CustomKPIs() map[alert.Scope][]alert.KPI { return w.customKPIs }

// Alarms returns the alerts, situations, figures and trends for the panes.
func (w *BoardAlerts) Alarms() panes.Alarms {
	return panes.Alarms{
		Engine: w.engine, CustomKPIs: w.customKPIs, CurrentAlerts: w.latestAlerts, ShownAlerts: w.shownAlerts, KPIValues: w.figures, Trends: w.trends,
		Situations: w.shownSituations, PresentSituations: w.latestSituations, EndedSituations: w.ended.list, LastHour: w.lastHour,
	}
}

// lastHour returns the states of an agent on a channel during the last hour, even while the board
// is frozen.
func (w *BoardAlerts) lastHour(k model.UserStatKey) diagnosis.AgentHour {
	return w.engine.Observations().Hour(k, w.floor.ToServerTime(w.floor.LocalNow))
}

// AlertsOf returns the active alerts about a record.
func (w *BoardAlerts) AlertsOf(k alert.Key) []alert.Alert { return w.engine.AlertsOf(k) }

// Freeze stores the current trends and values of the custom KPIs. Until [BoardAlerts.Unfreeze],
// evaluations do not change the alerts and situations on the screen.
func (w *BoardAlerts) Freeze() {
	w.trends = w.engine.FreezeTrends()
	w.figures = freezeKPIs(w.engine, w.customKPIs, w.floor)
}

// Unfreeze makes the board show the alerts, situations, trends and KPIs of the newest snapshot
// again.
func (w *BoardAlerts) Unfreeze() {
	w.trends, w.shownAlerts, w.figures, w.shownSituations = w.engine, w.latestAlerts, w.engine, w.latestSituations
}

// Evaluate evaluates the newest snapshot, even while the board is frozen. The result tells the
// board whether to redraw the screen and what to announce.
func (w *BoardAlerts) Evaluate(lk *style.Look) Announcements {
	if w.floor.Newest == nil {
		return Announcements{}
	}
	now := w.floor.ToServerTime(w.floor.LocalNow)
	changes, updated := w.engine.Evaluate(w.floor.Newest, now)
	var out Announcements
	// The texts of alerts contain times, so they change all the time. Updating them once a second
	// is enough, except for a replay, which may be paused at any snapshot.
	if updated || now.Unix() != w.lastUpdate || w.floor.Replay && w.floor.Newest != w.lastSnapshot {
		w.lastUpdate, w.lastSnapshot = now.Unix(), w.floor.Newest
		previous := w.latestSituations
		out.ScreenChanged = w.readAlerts(false)
		if w.hasBeenLive {
			w.addAnnouncement(&out, lk, situation.NewsOf(changes, w.latestSituations))
		} else {
			out.BecameCritical = becameCritical(previous, w.latestSituations)
		}
	}
	w.hasBeenLive = w.hasBeenLive || w.floor.Newest.Health.Live()
	return out
}

// becameCritical reports whether a situation that needs action is critical in present and was not
// critical in previous. Until the feed has been live, the board uses this result instead of the news.
func becameCritical(previous, present *situation.View) bool {
	return present != nil && slices.ContainsFunc(present.Live, func(s situation.Situation) bool {
		if s.Level != alert.Critical || !s.NeedsAction() {
			return false
		}
		old := previous.LiveByID(s.ID)
		return old == nil || old.Level != alert.Critical
	})
}

// RecordingMarks returns marks for the situations that have begun, become critical, been explained
// or ended. The text of a mark contains no names of agents. RecordingMarks calls ended, which
// returns the ended alerts of the engine, at most once.
func RecordingMarks(changes []situation.Change, ended func() []alert.Alert) []model.Event {
	var out []model.Event
	ended = sync.OnceValue(ended)
	for i := range changes {
		c := &changes[i]
		if c.Kind == situation.ChangeJoined {
			continue
		}
		sit := c.Situation
		e, text := model.Event{Kind: model.MarkWarning}, sit.Message()
		switch {
		case c.Daily || c.Kind == situation.ChangeExplained || sit.Place.Key.Scope == alert.User:
			e.Kind, text = model.MarkIncident, words.Text{}
		case c.Kind == situation.ChangeEnded:
			e.Kind, text = model.MarkRecovered, words.AlertsResolved(sit.Place.Title)
		case sit.Level == alert.Critical:
			e.Kind = model.MarkCritical
		}
		e.Text, e.Message, e.Incident = text.In(nil), text.Stored(), c.Incident(ended())
		e.Nameless, e.NamelessMessage = e.Text, e.Message
		if c.Kind != situation.ChangeExplained { // an explanation may name agents
			e.NamelessIncident = situation.RemoveAgentData(e.Incident)
		}
		out = append(out, e)
	}
	return out
}

// Refresh reads the engine's alerts again after an action on them. It reports whether the screen
// must be redrawn.
func (w *BoardAlerts) Refresh() bool { return w.readAlerts(true) }

// RefreshCached reads the alerts that the engine has cached since its last evaluation.
func (w *BoardAlerts) RefreshCached() { w.readAlerts(false) }

// Clear removes the alerts and situations from the board until the next evaluation.
func (w *BoardAlerts) Clear() {
	w.latestAlerts, w.latestSituations = render.NewAlerts(nil, nil, nil, w.latestAlerts), nil
	if w.floor.FrozenAt.IsZero() {
		w.shownAlerts, w.shownSituations = w.latestAlerts, w.latestSituations
	}
}

// readAlerts reads the engine's alerts and situations. It reports whether the screen must be
// redrawn. fresh bypasses the engine's cache, which does not contain the result of an action yet.
func (w *BoardAlerts) readAlerts(fresh bool) bool {
	previous, previousView, previousSnapshot := w.latestAlerts, w.latestSituations, w.floor.Newest
	w.silences = w.engine.Silencer().ActiveSilences()
	for i := range w.silences {
		w.silences[i].Title, w.silences[i].By = w.maskText(w.silences[i].Title), w.maskText(w.silences[i].By)
	}
	derived := w.updateCurrent(fresh)
	w.ended = derived.pastSituations(w.floor, w.latestSituations)
	if w.floor.FrozenAt.IsZero() {
		w.shownAlerts, w.shownSituations = w.latestAlerts, w.latestSituations
	}
	return w.floor.Newest != previousSnapshot || !w.latestAlerts.Equal(previous) || !w.latestSituations.EqualContent(previousView)
}

// updateCurrent sets the alerts and situations of the newest snapshot. The engine computes them
// once for all boards and masks names. If the engine has evaluated a newer snapshot than the
// board's, the board switches to that snapshot, so that its tables are never older than its
// situations. fresh bypasses the cache.
func (w *BoardAlerts) updateCurrent(fresh bool) *derivedAlerts {
	derived, view, of := w.engine.CachedResult(fresh, func(active, ended []alert.Alert, view *situation.View, previous any) any {
		out := &derivedAlerts{endedAlerts: ended}
		was, _ := previous.(*derivedAlerts)
		if was == nil {
			was = &derivedAlerts{}
		}
		was.mu.Lock()
		defer was.mu.Unlock()
		out.alerts, out.endedSituations = render.NewAlerts(active, ended, view, was.alerts), was.endedSituations
		return out
	})
	out, _ := derived.(*derivedAlerts)
	w.latestAlerts = out.alerts
	if w.floor.Newest == nil {
		return out
	}
	if w.latestSituations = view; view == nil {
		w.latestSituations = &situation.View{At: w.floor.ToServerTime(w.floor.LocalNow)}
	}
	if of != nil && of.Seq > w.floor.Newest.Seq {
		w.floor.SetNewest(of)
	}
	return out
}

// derivedAlerts holds data derived from an engine's alerts. All boards of the engine share it.
type derivedAlerts struct {
	alerts      *render.Alerts
	endedAlerts []alert.Alert

	mu              sync.Mutex
	endedSituations endedSituations
	endedComputed   bool
}

// pastSituations returns the situations that have ended. The first call computes them.
func (e *derivedAlerts) pastSituations(view *floorview.View, current *situation.View) endedSituations {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.endedComputed {
		e.endedSituations.update(view, e.endedAlerts, current)
		e.endedComputed = true
	}
	return e.endedSituations
}

// MinBellInterval is the minimum time between two rings of the bell.
const MinBellInterval = 10 * time.Second

// addAnnouncement sets the message about the most urgent new critical situation. If there is none, the message
// is about the first recovered situation. The bell rings at most once in MinBellInterval.
func (w *BoardAlerts) addAnnouncement(out *Announcements, lk *style.Look, news situation.News) {
	var texts []words.Text
	sign := render.Critical.Glyph(lk.ASCII)
	for _, sit := range news.Critical {
		texts = append(texts, words.Name(sit.Text()))
	}
	if out.IsRecovery = len(texts) == 0; out.IsRecovery {
		sign = lk.Glyphs.Check
		for _, c := range news.Resolved {
			texts = append(texts, resolvedText(c))
		}
	}
	if n := len(texts); n > 0 {
		text := texts[0]
		if n > 1 {
			text = words.AlertsAndMore(text, n-1)
		}
		out.Text = sign + " " + lk.Translate(text)
	}
	out.BecameCritical = news.LiveCritical
	free := w.lastBell.IsZero() || !w.floor.LocalNow.Before(w.lastBell.Add(MinBellInterval))
	out.RingsBell, out.RingsForRecovery = news.Bell && free, news.RecoveryBell && free && !news.Bell
	if out.RingsBell || out.RingsForRecovery {
		w.lastBell = w.floor.LocalNow
	}
}

// resolvedText returns a message about a situation that is resolved.
func resolvedText(c *situation.Change) words.Text {
	if lasted := c.Lasted(); lasted >= time.Second {
		return words.AlertsResolvedAfter(c.Situation.Place.Title, lasted, c.Headline)
	}
	return words.AlertsResolvedHeadline(c.Situation.Place.Title, c.Headline)
}
