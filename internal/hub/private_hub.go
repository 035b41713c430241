package hub

import (
	"cmp"
	"slices"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/internal/alert/statefile"
	"wallboard/model"
)

// NewPrivateViewer returns the only viewer of a new hub without a source. The hub evaluates the snapshots
// that the caller passes to [Viewer.Evaluate], such as those of a recording. It has neither notes nor
// earlier days. With o.RecordedIncidents, it repeats recorded take-overs and tolerances, and its alerts
// and situations are the recorded ones within the time that the recorded situations cover.
func NewPrivateViewer(o Options) (*Viewer, error) {
	o.Source = nil
	h, err := New(o)
	if err != nil {
		return nil, err
	}
	return h.NewViewer(Visibility{Names: model.NamesFull}, 0, 0)
}

// RecordedIncidents holds the situations, take-overs and tolerances in a recording. It is immutable.
type RecordedIncidents struct {
	Journal    *situation.Journal // recorded situations; nil: none
	takeOvers  []recordedTakeOver // in order of time
	tolerances []model.Note       // in order of time
}

// NewRecordedIncidents returns what the marks of a recording describe. liveAlerts are the alerts of
// the recorded floor's live board, and liveIncidents its situations. Both may be empty.
func NewRecordedIncidents(marks []model.Mark, liveAlerts []alert.Alert, liveIncidents []model.Mark) *RecordedIncidents {
	return &RecordedIncidents{
		Journal:   situation.NewJournal(slices.Concat(marks, liveIncidents), liveAlerts),
		takeOvers: mergeTakeOvers(takeOversOf(marks), liveAlerts), tolerances: statefile.RecordedTolerances(marks),
	}
}

// recordedTakeOver records that an alert was taken over.
type recordedTakeOver struct {
	rule    string
	key     alert.Key
	level   alert.Level
	ack     alert.Ack
	isLive  bool      // comes from the live board
	endedAt time.Time // end of the alert, if isLive; zero: active
}

// takeOverTolerance is the maximum difference between the times of a recorded mark and a live
// take-over for which both count as the same.
const takeOverTolerance = 2 * time.Second

// takeOversOf returns the take-overs in the marks of a recording.
func takeOversOf(marks []model.Mark) []recordedTakeOver {
	var out []recordedTakeOver
	for i := range marks {
		t := &marks[i].Taken
		if t.Rule == "" {
			continue
		}
		out = append(out, recordedTakeOver{
			rule: t.Rule, key: alert.Key{Scope: alert.Scope(t.Scope), Code: t.Code, Channel: t.Channel}, level: alert.Level(min(max(t.Level, 0), int(alert.Critical))),
			ack: alert.Ack{By: cmp.Or(t.By, situation.AnonymousName), At: marks[i].At},
		})
	}
	return out
}

// mergeTakeOvers merges the take-overs of marks and of the live board's alerts, ordered by
// time. A take-over of the live board replaces its mark, because only the live board knows the
// note and the end of the alert.
func mergeTakeOvers(marks []recordedTakeOver, known []alert.Alert) []recordedTakeOver {
	out := slices.Clone(marks)
	for i := range known {
		a := &known[i]
		if a.Ack == (alert.Ack{}) {
			continue
		}
		out = slices.DeleteFunc(out, func(t recordedTakeOver) bool {
			return t.rule == a.Rule && t.key == a.Key && t.ack.At.Sub(a.Ack.At).Abs() <= takeOverTolerance
		})
		out = append(out, recordedTakeOver{a.Rule, a.Key, a.Level, a.Ack, true, a.Ended})
	}
	slices.SortStableFunc(out, func(a, b recordedTakeOver) int { return a.ack.At.Compare(b.ack.At) })
	return out
}

// appliesTo reports whether the take-over applies at the time now to an alert of the same record.
// criticalSince is the time at which the alert last became critical; a take-over from a mark no
// longer applies if it is older. Evaluated snapshots are situation.WarmUpStep apart, so an alert
// may appear that much later than on a live board.
func (t *recordedTakeOver) appliesTo(a *alert.Alert, criticalSince, now time.Time) bool {
	switch {
	case a.Rule != t.rule:
		return false
	case t.isLive:
		return t.endedAt.IsZero() || now.Before(t.endedAt)
	}
	latest := t.ack.At.Add(situation.WarmUpStep)
	return a.Level <= t.level && !a.Since.After(latest) && !criticalSince.After(latest)
}

// incidentRepeater makes the engine of a private hub repeat the past.
type incidentRepeater struct {
	RecordedIncidents
	criticalSince map[string]time.Time // by alert ID: time at which the alert became critical
	restoredUntil time.Time            // time until which the journal was restored
}

// newIncidentRepeater returns an incidentRepeater of past, which may be nil. It makes the tracker use the
// situations of past.
func newIncidentRepeater(past *RecordedIncidents, into *situation.Tracker) *incidentRepeater {
	e := &incidentRepeater{criticalSince: make(map[string]time.Time)}
	if past != nil {
		e.RecordedIncidents = *past
	}
	into.UseJournal(e.Journal)
	return e
}

// isPrivate reports whether the view belongs to a hub of [NewPrivateViewer], which evaluates the
// snapshots of a single board, in any order.
func (p *sharedView) isPrivate() bool { return p.history.repeater != nil }

// evaluate evaluates a snapshot with the engine own, and returns the changes of alerts. It then repeats
// the situations and take-overs that were recorded until now. A nil incidentRepeater repeats nothing.
func (e *incidentRepeater) evaluate(own *alert.Engine, s *model.Snapshot, now time.Time) []alert.Change {
	if e == nil {
		return own.Evaluate(s, now)
	}
	own.ApplyNotes(e.tolerances, now)
	changes := own.Evaluate(s, now)
	for i := range changes {
		switch c := &changes[i]; c.Kind {
		case alert.ChangeEscalated:
			e.criticalSince[c.Alert.ID] = now
		case alert.ChangeCleared, alert.ChangeVanished:
			delete(e.criticalSince, c.Alert.ID)
		case alert.ChangeRaised, alert.ChangeEased, alert.ChangeResumed:
		}
	}
	if len(changes) > 0 || e.Journal.HasChanged(e.restoredUntil, now) {
		e.restoreJournal(own, now)
	}
	e.applyTakeOvers(own, now)
	return changes
}

// restoreJournal replaces the ended alerts of the engine with those of the journal, within the
// time that the journal covers. It gives active alerts their recorded start.
func (e *incidentRepeater) restoreJournal(own *alert.Engine, now time.Time) {
	if !e.Journal.Covers(now) {
		return
	}
	e.restoredUntil = now
	before := slices.DeleteFunc(own.History(), func(a alert.Alert) bool { return e.Journal.Covers(a.Ended) })
	slices.Reverse(before)
	ended, active := e.Journal.Alerts(now)
	own.RestoreActive(slices.Concat(before, ended, active))
}

// applyTakeOvers takes over the active alerts that had been taken over by the time now.
func (e *incidentRepeater) applyTakeOvers(own *alert.Engine, now time.Time) {
	for i := range e.takeOvers {
		t := &e.takeOvers[i]
		if t.ack.At.After(now) {
			return
		}
		for _, a := range own.AlertsOf(t.key) {
			if a.Ack.At.Before(t.ack.At) && t.appliesTo(&a, e.criticalSince[a.ID], now) {
				_, _ = own.Acknowledge(a.ID, t.ack.By, t.ack.Note, t.ack.At) // cannot fail: the alert is active and by is set
			}
		}
	}
}

// AddHistory adds figures from the time before the first snapshot that a private hub has evaluated.
func (o Observations) AddHistory(history situation.BackfillResult) {
	p := o.viewer.currentView()
	p.mu.Lock()
	now, version, agents := p.lastEvaluation.now, p.platformVersion, p.history.breaks.WithoutObservations()
	p.mu.Unlock()
	p.applyHistory(version, history, &agents, false)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.history.repeater.restoreJournal(p.engine, now) // the added figures may move the beginning of alerts
	p.history.repeater.applyTakeOvers(p.engine, now) // alerts that began earlier may have been taken over earlier
}
