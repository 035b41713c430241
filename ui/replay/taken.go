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

// takeOver records that an alert was taken over.
type takeOver struct {
	rule    string
	key     alert.Key
	level   alert.Level
	ack     alert.Ack
	isLive  bool      // comes from the live board
	endedAt time.Time // end of the alert, if isLive; zero: active
}

const (
	// anonymousName replaces the name of the person who took an alert over, in recordings without
	// names.
	anonymousName = "somebody"
	// sameTakeOver is the maximum time between a recorded mark and a take-over of the live board
	// that count as the same.
	sameTakeOver = 2 * time.Second
)

// takeOversOf returns the take-overs in the marks of a recording.
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

// mergeTakeOvers merges the take-overs of marks and of the live board's alerts, in order of time. A
// take-over of the live board replaces its mark, because only the live board knows the note and the
// end of the alert.
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

// appliesTo reports whether the take-over applies at a time to an alert of the same record.
// criticalSince is the time at which the alert last became critical. A recorded take-over before
// that time no longer applies. Evaluated snapshots are warmUpStep apart, so an alert may appear
// that much later than on a live board.
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

// recordedEngine is an engine that repeats recorded take-overs. Within the time that the journal
// covers, the engine's alerts are those of the journal.
type recordedEngine struct {
	alerts.Engine
	journal       *situation.Journal
	takeOvers     []takeOver           // in order of time; read-only
	tolerances    []model.Note         // in order of time; read-only
	criticalSince map[string]time.Time // by alert ID: time at which the alert became critical
	recalledUntil time.Time            // instant up to which the journal has been recalled
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

// recallJournal replaces the ended alerts of the engine by those of the journal, within the time
// that the journal covers. It gives active alerts their recorded beginning.
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

// repeatTakeOvers takes over the active alerts that had been taken over by a given time.
func (e *recordedEngine) repeatTakeOvers(now time.Time) {
	for i := range e.takeOvers {
		t := &e.takeOvers[i]
		if t.ack.At.After(now) {
			return
		}
		for _, a := range e.AlertsOf(t.key) {
			if a.Ack.At.Before(t.ack.At) && t.appliesTo(&a, e.criticalSince[a.ID], now) {
				_, _ = e.Acknowledge(a.ID, t.ack.By, t.ack.Note, t.ack.At) // cannot fail: the alert is active and by is set
			}
		}
	}
}

// engineFactory returns a function that creates engines which repeat the recorded alerts and
// take-overs.
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
