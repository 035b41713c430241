package render

import (
	"maps"
	"slices"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/model"
)

// Alerts holds the active alerts and the ended alerts of a floor. An Alerts in use must not be
// changed. A change needs a new Alerts, because caches compare pointers. A nil Alerts is empty.
type Alerts struct {
	Entries      []*AlertEntry // active alerts first, then ended alerts, each with the newest first
	active       int           // number of active alerts in Entries
	generation   uint64        // number of changes to the set of entries
	serial       uint64        // number of the latest entry or alarm
	alarms       map[alert.Scope]*alarms
	changesByKey map[alert.Key]recordChange // the latest news about each record
}

// AlertEntry is an alert in [Alerts]. It is immutable; a changed alert gets a new AlertEntry.
type AlertEntry struct {
	alert.Alert
	attention situation.AttentionState
	version   uint64
}

type alarms struct{ byKey map[alert.Key]*Alarm }

// NewAlerts returns the active and the ended alerts of an engine. view determines which of them
// need action. NewAlerts reuses the unchanged parts of previous. Both view and previous may be
// nil.
func NewAlerts(active, ended []alert.Alert, view *situation.View, previous *Alerts) *Alerts {
	if previous == nil {
		previous = &Alerts{}
	}
	a := &Alerts{
		active: len(active), generation: previous.generation, serial: previous.serial,
		Entries: make([]*AlertEntry, 0, len(active)+len(ended)),
	}
	known := make(map[string]*AlertEntry, len(previous.Entries))
	for _, e := range previous.Entries {
		known[e.ID] = e
	}
	attentionOf := view.AttentionStates()
	for i := range len(active) + len(ended) {
		current := &alert.Alert{}
		if i < len(active) {
			current = &active[i]
		} else {
			current = &ended[i-len(active)]
		}
		e := known[current.ID]
		if attention := attentionOf(current); e == nil || e.attention != attention || !e.equals(current) {
			a.serial++
			e = &AlertEntry{*current, attention, a.serial}
		}
		a.Entries = append(a.Entries, e)
	}
	if !slices.EqualFunc(a.Entries, previous.Entries, func(x, y *AlertEntry) bool { return x.ID == y.ID }) {
		a.generation++
	}
	a.collectAlarms(view.JoinedAlerts(), previous)
	a.collectChanges()
	return a
}

// Equal reports whether a and b contain the same alerts and mark the same records. It ignores the
// texts of alerts, which may change every second.
func (a *Alerts) Equal(b *Alerts) bool {
	return a == b || a != nil && b != nil && a.generation == b.generation && maps.Equal(a.alarms, b.alarms)
}

// equals reports whether the entry shows the current state of a, an alert with the same ID.
func (e *AlertEntry) equals(a *alert.Alert) bool {
	return e.Level == a.Level && e.Text == a.Text && e.Value == a.Value && e.Ack == a.Ack && e.SilentUntil.Equal(a.SilentUntil) &&
		e.UnverifiedSince.Equal(a.UnverifiedSince) && e.Ended.Equal(a.Ended)
}

// collectAlarms creates the alarms of all records. It reuses the unchanged alarms of previous.
// joined maps a record to the ID of an alert about another record that the row of the first one also shows.
func (a *Alerts) collectAlarms(joined map[alert.Key]string, previous *Alerts) {
	byKey := make(map[alert.Key][]*AlertEntry)
	for _, e := range a.Entries[:a.active] {
		byKey[e.Key] = append(byKey[e.Key], e)
	}
	for k, id := range joined {
		if e := a.Entry(id); e != nil {
			byKey[k] = append(byKey[k], e)
		}
	}
	a.alarms = make(map[alert.Scope]*alarms)
	for _, s := range alert.Scopes() {
		a.alarms[s] = &alarms{byKey: make(map[alert.Key]*Alarm)}
	}
	for k, entries := range byKey {
		a.serial++
		alarm := newAlarm(entries, a.serial)
		if was := previous.Alarm(k); was != nil && slices.Equal(was.reasons, alarm.reasons) && slices.Equal(was.missedTargets, alarm.missedTargets) {
			alarm = was
		}
		if scoped := a.alarms[k.Scope]; scoped != nil {
			scoped.byKey[k] = alarm
		}
	}
	for s, current := range a.alarms {
		if was := previous.alarms[s]; was != nil && maps.Equal(was.byKey, current.byKey) {
			a.alarms[s] = was
		}
	}
}

// Active returns the alerts that have not ended.
func (a *Alerts) Active() []*AlertEntry {
	if a == nil {
		return nil
	}
	return a.Entries[:a.active]
}

// All returns the active alerts, followed by the ended alerts.
func (a *Alerts) All() []*AlertEntry {
	if a == nil {
		return nil
	}
	return a.Entries
}

// Entry returns the alert with the given ID, or nil if there is no such alert.
func (a *Alerts) Entry(id string) *AlertEntry {
	if a != nil {
		for _, e := range a.Entries {
			if e.ID == id {
				return e
			}
		}
	}
	return nil
}

// Alarm returns the alarm of the record with the key k. It returns nil if the record has no alerts.
func (a *Alerts) Alarm(k alert.Key) *Alarm {
	if scoped := a.alarmsInScope(k.Scope); scoped != nil {
		return scoped.byKey[k]
	}
	return nil
}

func (a *Alerts) alarmsInScope(s alert.Scope) *alarms {
	if a == nil {
		return nil
	}
	return a.alarms[s]
}

// CountWaitAlerts returns the number of services on a channel that have an alert about a wait. It
// includes alerts that a viewer has taken over, because the wait goes on. worst is the highest
// level of the open alerts.
func (a *Alerts) CountWaitAlerts(ch model.Channel) (services int, worst Level) {
	return a.countServicesWithAlert(ch, waitAlertNames)
}

// UnderstaffingLevel returns the highest level of the open alerts about the queues of the services
// on a channel.
func (a *Alerts) UnderstaffingLevel(ch model.Channel) Level {
	_, worst := a.countServicesWithAlert(ch, staffingAlertNames)
	return worst
}

// countServicesWithAlert returns the number of services on a channel that have an alert whose rule
// or KPI is in names. worst is the highest level of the open alerts among these.
func (a *Alerts) countServicesWithAlert(ch model.Channel, names []string) (services int, worst Level) {
	scoped := a.alarmsInScope(alert.Service)
	if scoped == nil {
		return 0, Normal
	}
	for k, alarm := range scoped.byKey {
		if k.Channel == ch && alarm.hasReasonAbout(names...) {
			services++
			worst = max(worst, alarm.openLevel(names...))
		}
	}
	return services, worst
}

// FigureLevel returns the highest level of the open alerts about the figure kpi of a record.
func (a *Alerts) FigureLevel(k alert.Key, kpi string) Level { return a.Alarm(k).openLevel(kpi) }

// The following functions return the keys under which alerts about a record are stored.

func serviceKey(r *model.Service) alert.Key {
	return alert.Key{Scope: alert.Service, Code: r.Key().Code, Channel: r.Channel}
}

func groupKey(r *model.Group) alert.Key {
	return alert.Key{Scope: alert.Group, Code: r.Key().Code, Channel: r.Channel}
}

func agentKey(r *model.UserStat) alert.Key {
	return alert.Key{Scope: alert.User, Code: r.Key().Username, Channel: r.Channel}
}

func campaignKey(r *model.Campaign) alert.Key {
	return alert.Key{Scope: alert.Campaign, Code: campaignCode(r)}
}
