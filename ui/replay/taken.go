package replay

import (
	"cmp"
	"slices"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/model"
	"wallboard/ui/alerts"
)

// takeOver says that a viewer has taken an alert over.
type takeOver struct {
	rule    string
	key     alert.Key
	level   alert.Level
	ack     alert.Ack
	isLive  bool      // the take-over comes from the live board
	endedAt time.Time // when the alert ended, if isLive; zero: the alert is active
}

const (
	// anonymousName replaces the name of the viewer who has taken an alert over, in recordings
	// without names.
	anonymousName = "somebody"
	// sameTakeOver is the maximum time between a recorded mark and a take-over of the live board
	// that are regarded as the same.
	sameTakeOver = 2 * time.Second
)

// takeOversOf returns the take-overs that the marks of a recording describe.
func takeOversOf(marks []model.Mark) []takeOver {
	var out []takeOver
	for i := range marks {
		t := &marks[i].Taken
		if t.Rule == "" {
			continue
		}
		out = append(out, takeOver{
			rule: t.Rule, key: alert.Key{Scope: alert.Scope(t.Scope), Code: t.Code, Channel: t.Channel}, level: alert.Level(min(max(t.Level, 0), int(alert.Critical))),
			ack: alert.Ack{By: cmp.Or(t.By, anonymousName), At: marks[i].At},
		})
	}
	return out
}

// mergeTakeOvers merges the take-overs of marks with those of known, the alerts of the live board,
// in order of time. A take-over of the live board replaces its mark, because only the live board
// knows the note and the end of the alert.
func mergeTakeOvers(marks []takeOver, known []alert.Alert) []takeOver {
	out := slices.Clone(marks)
	for i := range known {
		a := &known[i]
		if a.Ack == (alert.Ack{}) {
			continue
		}
		out = slices.DeleteFunc(out, func(t takeOver) bool {
			return t.rule == a.Rule && t.key == a.Key && t.ack.At.Sub(a.Ack.At).Abs() <= sameTakeOver
		})
		out = append(out, takeOver{a.Rule, a.Key, a.Level, a.Ack, true, a.Ended})
	}
	slices.SortStableFunc(out, func(a, b takeOver) int { return a.ack.At.Compare(b.ack.At) })
	return out
}

// appliesTo reports whether the take-over applies to the alert a at the time now. criticalSince is
// the time at which the alert last became critical. A recorded take-over before this time no longer
// applies. Evaluated snapshots are warmUpStep apart, so an alert may begin up to warmUpStep later
// than on a live board.
func (t *takeOver) appliesTo(a *alert.Alert, criticalSince, now time.Time) bool {
	switch {
	case a.Rule != t.rule:
		return false
	case t.isLive:
		return t.endedAt.IsZero() || now.Before(t.endedAt)
	}
	latest := t.ack.At.Add(warmUpStep)
	return a.Level <= t.level && !a.Since.After(latest) && !criticalSince.After(latest)
}

// recordedEngine is an engine that repeats recorded take-overs. For the time that the journal
// covers, it replaces its alerts by those of the journal.
type recordedEngine struct {
	alerts.Engine
	journal       *situation.Journal
	takeOvers     []takeOver           // in order of time; must not be changed
	tolerances    []model.Note         // in order of time; must not be changed
	criticalSince map[string]time.Time // when each alert became critical, by alert ID
	recalledUntil time.Time            // instant until which the journal has been applied
}

var _ alerts.RecordedEngine = (*recordedEngine)(nil)

// Journal implements [alerts.RecordedEngine].
func (e *recordedEngine) Journal() *situation.Journal { return e.journal }

// Evaluate implements [alerts.Engine].
func (e *recordedEngine) Evaluate(s *model.Snapshot, now time.Time) []alert.Change {
	if own, ok := e.Engine.(*alert.Engine); ok {
		own.ApplyNotes(e.tolerances, now)
	}
	changes := e.Engine.Evaluate(s, now)
	for i := range changes {
		switch c := &changes[i]; c.Kind {
		case alert.Escalated:
			e.criticalSince[c.Alert.ID] = now
		case alert.Cleared, alert.Vanished:
			delete(e.criticalSince, c.Alert.ID)
		case alert.Raised, alert.Eased, alert.Resumed:
		}
	}
	if len(changes) > 0 || e.journal.Changed(e.recalledUntil, now) {
		e.recallJournal(now)
	}
	e.repeatTakeOvers(now)
	return changes
}

// recallJournal replaces the ended alerts of the engine by those of the journal, for the time that
// the journal covers. It gives active alerts their recorded beginning.
func (e *recordedEngine) recallJournal(now time.Time) {
	own, ok := e.Engine.(*alert.Engine)
	if !ok || !e.journal.Covers(now) {
		return
	}
	e.recalledUntil = now
	before := slices.DeleteFunc(own.History(), func(a alert.Alert) bool { return e.journal.Covers(a.Ended) })
	slices.Reverse(before)
	ended, active := e.journal.Alerts(now)
	own.Recall(slices.Concat(before, ended, active))
}

// repeatTakeOvers takes over those active alerts that had been taken over by the time now.
func (e *recordedEngine) repeatTakeOvers(now time.Time) {
	for i := range e.takeOvers {
		t := &e.takeOvers[i]
		if t.ack.At.After(now) {
			return
		}
		for _, a := range e.AlertsOf(t.key) {
			if a.Ack.At.Before(t.ack.At) && t.appliesTo(&a, e.criticalSince[a.ID], now) {
				_, _ = e.Acknowledge(a.ID, t.ack.By, t.ack.Note, t.ack.At) // cannot fail, because the alert is active and By is not empty
			}
		}
	}
}

// engineFactory returns a function that creates engines. These engines repeat the recorded alerts
// and take-overs.
func (r *Replay) engineFactory() func() (alerts.Engine, error) {
	engine, takeOvers, tolerances, journal := r.Engine, r.takeOvers, r.tolerances, r.journal
	return func() (alerts.Engine, error) {
		e, err := engine()
		if err != nil {
			return nil, err
		}
		return &recordedEngine{Engine: e, journal: journal, takeOvers: takeOvers, tolerances: tolerances, criticalSince: make(map[string]time.Time)}, nil
	}
}
