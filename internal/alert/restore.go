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

// RestoreActive restores alerts of an earlier engine. The ended alerts in alerts replace those of e. The
// ended ones must be sorted, oldest first. Only the last [Options.MaxEnded] of them are kept.
//
// If an active alert is also active in e, it gets the beginning and the worst level of the restored alert. If
// it is not active in e, but its condition has held since e first observed the records and only the duration
// of the rule has not passed yet, the alert becomes active at once. Its level is then the highest level that
// the condition has reached, but not above that of the restored alert. A condition that began later does not
// continue the alert. An acknowledged alert is also kept until its record appears. It then continues with its
// acknowledgement and is judged again, unless the acknowledgement is older than [AckLifetime].
func (e *Engine) RestoreActive(alerts []Alert) {
	if e.ended = nil; e.restoredAlerts == nil {
		e.restoredAlerts = make(map[alertKey]*Alert)
	}
	for i := range alerts {
		a := alerts[i].clone()
		p, of := e.findRow(a.Key)
		switch active := of.alertOf(a.Rule); {
		case !a.Ended.IsZero():
			e.ended = append(e.ended, &a)
		case active != nil:
			active.Since, active.Raised, active.FromStart, active.HighestLevel = a.Since, a.Raised, a.FromStart, max(active.HighestLevel, a.HighestLevel)
		case of != nil && a.Ack == Ack{}:
			i, level := of.pendingRule(&a, instantOf(p.startedAt))
			if level == Normal {
				continue
			}
			a.Level = level
			of.rules[i].setAttributes(&a)
			st := of.state(i)
			st.level, st.alert = level, e.addActive(a, of, of.rules[i])
			of.setState(i, st)
			of.dirty = true
		case a.Ack != Ack{} && a.Level > Normal:
			e.restoredAlerts[alertKey{a.Rule, a.Key}] = &a
		}
	}
	e.ended = slices.Clone(e.ended[max(0, len(e.ended)-e.maxEnded):])
}

// pendingRule returns the index of the rule of an alert, and the highest level that the condition of the rule
// has reached since started or earlier, but not above the level of the alert. It considers only levels that
// have not lasted for the duration of the rule yet. If there is no such level, it returns Normal.
func (r *row) pendingRule(a *Alert, started instant) (index int, level Level) {
	index = slices.IndexFunc(r.rules, func(rule *rule) bool { return rule.Name == a.Rule })
	if index < 0 {
		return index, Normal
	}
	st := r.state(index)
	for level = a.Level; level > st.level; level-- {
		if since := st.since[level-1]; since != 0 && since <= started {
			return index, level
		}
	}
	return index, Normal
}

// LatestPendingTime returns the latest time, not after limit, at which a condition that holds now will
// have lasted for the duration of its rule. It returns the zero time if there is no such condition.
func (e *Engine) LatestPendingTime(limit time.Time) time.Time {
	var latest instant
	for _, p := range e.rowsByScope {
		for _, r := range p.rows {
			for i := range r.states {
				if due := r.states[i].dueAt; due <= instantOf(limit) {
					latest = max(latest, due)
				}
			}
		}
	}
	return latest.timeIn(e.serverTime)
}

// restoreAcks adds the restored alerts about a record that has just appeared to the active alerts.
func (e *Engine) restoreAcks(r *row) {
	if len(e.restoredAlerts) == 0 {
		return
	}
	for i, rule := range r.rules {
		a := e.restoredAlerts[alertKey{rule.Name, r.key}]
		if a == nil {
			continue
		}
		delete(e.restoredAlerts, alertKey{rule.Name, r.key})
		if e.serverTime.Sub(a.Ack.At) > AckLifetime {
			continue
		}
		rule.setAttributes(a)
		a.UnverifiedSince = a.Ack.At // so far, the acknowledgement is the last proof that the alert was active
		r.setState(i, ruleState{level: a.Level, unknownSince: instantOf(a.Ack.At), alert: e.addActive(*a, r, rule)})
	}
}

// Forget removes all records of a scope with their samples and alerts. Callers use it when keys no
// longer identify the same records, for example because agents have got other names.
func (e *Engine) Forget(s Scope) {
	p := e.rowsByScope[s]
	if p == nil {
		return
	}
	p.rowsByKey, p.rows, p.table, p.pastRecords = make(map[Key]*row), nil, nil, nil
	of := func(a *Alert) bool { return a.Key.Scope == s }
	maps.DeleteFunc(e.active, func(_ string, a *activeAlert) bool { return of(&a.Alert) })
	e.sorted = slices.DeleteFunc(e.sorted, func(a *activeAlert) bool { return of(&a.Alert) })
	maps.DeleteFunc(e.restoredAlerts, func(_ alertKey, a *Alert) bool { return of(a) })
	e.ended = slices.DeleteFunc(e.ended, of)
}

// setAttributes updates the attributes of an alert from its rule.
func (r *rule) setAttributes(a *Alert) {
	a.Format, a.Bell, a.Notify, a.KPI, a.Daily = r.format, r.Bell, r.Notify, "", r.isDaily()
	if r.kpi != nil {
		a.KPI = r.kpi.Name
	}
}
