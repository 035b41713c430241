package alert

import (
	"maps"
	"slices"
	"time"
)

// AckLife is how long an acknowledgement outlives its engine: nobody stays in
// charge for longer than a shift.
const AckLife = 12 * time.Hour

// about is what an alert is about: of a rule and a record there is one at a time.
type about struct {
	rule string
	key  Key
}

// Recall gives an engine that has not evaluated anything yet the alerts that one
// before it ended, and those that were acknowledged and had not ended, whose
// acknowledgement is not older than [AckLife]. As soon as the record of such
// an alert is there, it goes on where it was and is judged: it ends, or it stays
// with its acknowledgement. Ended alerts come the oldest first; what is in excess
// of Options.History is dropped.
func (e *Engine) Recall(alerts []Alert) {
	e.recalled = make(map[about]*Alert)
	for i := range alerts {
		a := alerts[i].copy()
		switch {
		case !a.Ended.IsZero():
			e.ended = append(e.ended, &a)
		case a.Ack != Ack{} && a.Level > Normal:
			e.recalled[about{a.Rule, a.Key}] = &a
		}
	}
	e.ended = slices.Clone(e.ended[max(0, len(e.ended)-e.history):])
}

// recall has a record that has just come go on with the alerts that are recalled.
func (e *Engine) recall(r *row) {
	if len(e.recalled) == 0 {
		return
	}
	for i, rule := range r.rules {
		a := e.recalled[about{rule.Name, r.key}]
		if a == nil {
			continue
		}
		delete(e.recalled, about{rule.Name, r.key})
		if e.now.Sub(a.Ack.At) > AckLife {
			continue
		}
		rule.give(a)
		a.Unverified = a.Ack.At // that is when somebody knew last
		r.states[i] = state{level: a.Level, unsureSince: instantOf(a.Ack.At), alert: e.open(*a, r, rule)}
	}
}

// Forget forgets the records of a scope and all that was of them, for when the same
// names stand for other records from now on.
func (e *Engine) Forget(s Scope) {
	p := e.populations[s]
	if p == nil {
		return
	}
	p.index, p.rows, p.table, p.past = make(map[Key]*row), nil, nil, nil
	of := func(a *Alert) bool { return a.Key.Scope == s }
	maps.DeleteFunc(e.active, func(_ string, a *raised) bool { return of(&a.Alert) })
	maps.DeleteFunc(e.recalled, func(_ about, a *Alert) bool { return of(a) })
	e.ended = slices.DeleteFunc(e.ended, of)
	if s == User {
		e.departures = nil
	}
}

// give has an alert go by the rule as it is now.
func (r *rule) give(a *Alert) {
	a.Format, a.Bell, a.Notify, a.KPI, a.Day = r.format, r.Bell, r.Notify, "", r.day
	if r.kpi != nil {
		a.KPI = r.kpi.Name
	}
}
