package alert

import (
	"maps"
	"slices"
	"time"
)

// AckLifetime limits for how long after an acknowledgement another engine restores it. It is about
// the length of a shift.
const AckLifetime = 12 * time.Hour

// alertKey identifies an active alert. There is at most one per rule and record.
type alertKey struct {
	rule string
	key  Key
}

// Recall restores alerts of an earlier engine. The ended alerts among them replace those of e. They
// must be sorted, oldest first, and only the last [Options.MaxEnded] are kept.
//
// An acknowledged alert that was active waits until its record appears. The alert then continues
// with its acknowledgement and is judged again, unless the acknowledgement is older than
// [AckLifetime]. An alert that is already active in e gets the beginning and the worst level of the
// restored alert.
func (e *Engine) Recall(alerts []Alert) {
	e.recalled, e.ended = make(map[alertKey]*Alert), nil
	for i := range alerts {
		a := alerts[i].clone()
		_, of := e.findRow(a.Key)
		switch active := of.alertOf(a.Rule); {
		case !a.Ended.IsZero():
			e.ended = append(e.ended, &a)
		case active != nil:
			active.Since, active.Raised, active.FromStart, active.Worst = a.Since, a.Raised, a.FromStart, max(active.Worst, a.Worst)
		case a.Ack != Ack{} && a.Level > Normal:
			e.recalled[alertKey{a.Rule, a.Key}] = &a
		}
	}
	e.ended = slices.Clone(e.ended[max(0, len(e.ended)-e.maxEnded):])
}

// restoreAcks makes the recalled alerts about the record of r active. The record has just appeared.
func (e *Engine) restoreAcks(r *row) {
	if len(e.recalled) == 0 {
		return
	}
	for i, rule := range r.rules {
		a := e.recalled[alertKey{rule.Name, r.key}]
		if a == nil {
			continue
		}
		delete(e.recalled, alertKey{rule.Name, r.key})
		if e.serverTime.Sub(a.Ack.At) > AckLifetime {
			continue
		}
		rule.setAttributes(a)
		a.UnverifiedSince = a.Ack.At // until now, the acknowledgement is the last proof that the alert held
		r.setState(i, ruleState{level: a.Level, unknownSince: instantOf(a.Ack.At), alert: e.addActive(*a, r, rule)})
	}
}

// Forget removes all records of a scope with their samples and alerts. Callers use it when keys no
// longer identify the same records, for example because agents have got other names.
func (e *Engine) Forget(s Scope) {
	p := e.populations[s]
	if p == nil {
		return
	}
	p.rowsByKey, p.rows, p.table, p.past = make(map[Key]*row), nil, nil, nil
	of := func(a *Alert) bool { return a.Key.Scope == s }
	maps.DeleteFunc(e.active, func(_ string, a *activeAlert) bool { return of(&a.Alert) })
	maps.DeleteFunc(e.recalled, func(_ alertKey, a *Alert) bool { return of(a) })
	e.ended = slices.DeleteFunc(e.ended, of)
}

// setAttributes updates the attributes of an alert from its rule.
func (r *rule) setAttributes(a *Alert) {
	a.Format, a.Bell, a.Notify, a.KPI, a.Daily = r.format, r.Bell, r.Notify, "", r.isDaily()
	if r.kpi != nil {
		a.KPI = r.kpi.Name
	}
}
