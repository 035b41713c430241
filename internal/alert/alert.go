package alert

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"time"

	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
)

// Alert is a violation of a rule by a record, from the moment when it is raised until it ends. The
// methods of [Engine] return copies of alerts.
type Alert struct {
	// ID is unique. It consists of the rule, the record and the time of raising.
	ID   string
	Rule string
	KPI  string // name of the rule's KPI, "" if it has none
	Key  Key

	Level        Level
	LevelSince   time.Time
	HighestLevel Level     // highest level so far
	Since        time.Time // when the condition was first met
	Raised       time.Time

	// Daily reports whether the rule judges a figure of the whole day, such as the abandon rate.
	// Such a figure can hardly be changed late in the day.
	Daily bool
	// FromStart reports whether the condition was already met when the engine first saw the
	// records. The actual start of the condition is then unknown.
	FromStart bool

	Value  model.Figure // value of the rule's figure; unknown for a rule with a condition
	Format Format
	Text   string // text in English as of the last evaluation, without control characters
	// Message is Text in the form that can be written in every language. It is nil if the alert was read
	// from a file and only Text was stored, as for alerts of custom rules.
	Message *textformat.AlertMessage
	Bell    bool
	Notify  []string

	// UnverifiedSince is the last time at which the alert was known to hold. The zero value means
	// that it is known to hold now.
	UnverifiedSince time.Time
	Ack             Ack
	// SilentUntil is the end of the silence, or zero if the alert is not silenced. A silenced alert
	// causes no sound and no notification, but the board still shows it.
	SilentUntil time.Time

	Ended    time.Time // zero while the alert is active
	Vanished bool      // the record disappeared or the rule no longer covers it
}

// Lasted returns how long the alert has lasted: until it ended, until it was last known to hold, or
// until now.
func (a *Alert) Lasted(now time.Time) time.Duration {
	if until := cmp.Or(a.Ended, a.UnverifiedSince); !until.IsZero() {
		now = until
	}
	return max(now.Sub(a.Since), 0)
}

// ID returns the ID of an alert: rule is the rule, k the record, and raised the time of raising.
func ID(rule string, k Key, raised time.Time) string {
	return rule + "/" + k.String() + "@" + strconv.FormatInt(raised.UnixMilli(), 10)
}

// Ack is an acknowledgement: the viewer who took an alert over, and when. The zero Ack means that
// the alert is not acknowledged.
type Ack struct {
	By, Note string
	At       time.Time
}

// Text describes the acknowledgement, such as "Taken by Zoe at 13:54: calls back". clock formats
// the time of day.
func (a Ack) Text(clock func(time.Time) string) words.Text {
	if a.Note != "" {
		return words.RuleTakenNote(a.By, clock(a.At), a.Note)
	}
	return words.RuleTaken(a.By, clock(a.At))
}

// ChangeKind is the kind of a [Change].
type ChangeKind string

// Kinds of changes.
const (
	ChangeRaised    ChangeKind = "raised"
	ChangeEscalated ChangeKind = "escalated" // changed from warning to critical, which ends an acknowledgement
	ChangeEased     ChangeKind = "eased"     // changed from critical to warning
	ChangeCleared   ChangeKind = "cleared"
	ChangeVanished  ChangeKind = "vanished" // the record disappeared, or the rule no longer covers it
	ChangeResumed   ChangeKind = "resumed"  // the silence ended while the alert was active
)

// Change describes a change of an alert. Its Alert is a copy made after the change.
type Change struct {
	Kind  ChangeKind
	Alert Alert
}

// AlertsToStore returns the alerts of changes that must be stored so that [Engine.RestoreActive] can
// restore them: alerts that ended, and alerts that became critical and so lost their
// acknowledgement.
func AlertsToStore(changes []Change) []Alert {
	var out []Alert
	for i := range changes {
		switch changes[i].Kind {
		case ChangeCleared, ChangeVanished, ChangeEscalated:
			out = append(out, changes[i].Alert)
		case ChangeRaised, ChangeEased, ChangeResumed:
		}
	}
	return out
}

// ErrNotActive means that no active alert has the ID.
var ErrNotActive = errors.New("alert is not active")

// ErrNoName means that an acknowledgement has no name.
var ErrNoName = errors.New("acknowledgement without a name")

// Acknowledge records that the viewer name has taken over the alert id, and returns the alert. The
// acknowledgement lasts until the alert ends or becomes critical, and replaces an earlier one. The
// error is ErrNotActive or ErrNoName.
func (e *Engine) Acknowledge(id, name, note string, now time.Time) (Alert, error) {
	a := e.active[id]
	if a == nil {
		return Alert{}, ErrNotActive
	}
	if name = model.CleanText(name, model.MaxName); name == "" {
		return Alert{}, ErrNoName
	}
	a.Ack = Ack{By: name, Note: model.CleanText(note, maxMessageLength), At: now}
	return e.texts.currentCopy(a), nil
}

// CompareUrgency compares alerts for sorting, the most urgent first. Live alerts come before alerts
// about figures of the day, and critical alerts before warnings. Among equally urgent alerts, the
// alert whose level changed last comes first.
func CompareUrgency(a, b *Alert) int {
	switch {
	case a.Daily != b.Daily && a.Daily:
		return 1
	case a.Daily != b.Daily:
		return -1
	case a.Level != b.Level:
		return cmp.Compare(b.Level, a.Level)
	case !a.LevelSince.Equal(b.LevelSince):
		return b.LevelSince.Compare(a.LevelSince)
	}
	return cmp.Compare(a.ID, b.ID)
}

// Active returns the active alerts, sorted by [CompareUrgency].
func (e *Engine) Active() []Alert {
	e.sorted = slices.DeleteFunc(e.sorted, func(a *activeAlert) bool { return !a.Ended.IsZero() })
	slices.SortFunc(e.sorted, func(a, b *activeAlert) int { return CompareUrgency(&a.Alert, &b.Alert) }) // pointers, because alerts are large
	out := make([]Alert, 0, len(e.sorted))
	for _, a := range e.sorted {
		out = append(out, e.texts.currentCopy(a))
	}
	return out
}

// AlertsOf returns the active alerts of one record, sorted by [CompareUrgency].
func (e *Engine) AlertsOf(k Key) []Alert {
	p := e.rowsByScope[k.Scope]
	if p == nil || p.rowsByKey[k] == nil {
		return nil
	}
	var out []Alert
	for i := range p.rowsByKey[k].states {
		if a := p.rowsByKey[k].states[i].alert; a != nil {
			out = append(out, e.texts.currentCopy(a))
		}
	}
	slices.SortFunc(out, func(a, b Alert) int { return CompareUrgency(&a, &b) })
	return out
}

// History returns the ended alerts that the engine still has, newest first.
func (e *Engine) History() []Alert {
	out := make([]Alert, 0, len(e.ended))
	for _, a := range slices.Backward(e.ended) {
		out = append(out, a.clone())
	}
	return out
}

// ReplaceEnded replaces the ended alert with the ID of a, if the engine still has it.
func (e *Engine) ReplaceEnded(a Alert) {
	for i := range slices.Backward(e.ended) {
		if e.ended[i].ID == a.ID {
			e.ended[i] = &a
			return
		}
	}
}

func (a *Alert) clone() Alert {
	c := *a
	c.Notify = slices.Clone(a.Notify)
	return c
}

// applyLevel sets the level of a rule for a record. It raises, changes or ends the alert of st
// accordingly, and records the change.
func (e *Engine) applyLevel(r *rule, row *row, st *ruleState, level Level) {
	from, a := st.level, st.alert
	st.level = level
	switch {
	case from == level:
	case from == Normal:
		raised := Alert{
			Rule: r.Name, Key: row.key, Since: st.since[0].timeIn(e.serverTime), Raised: e.serverTime,
			FromStart: !st.isStartRecorded && st.since[0] <= instantOf(e.rowsByScope[row.key.Scope].startedAt),
		}
		r.setAttributes(&raised)
		raised.ID = ID(r.Name, row.key, e.serverTime)
		a = e.addActive(raised, row, r)
		st.alert = a
		e.setLevel(&a.Alert, level, ChangeRaised)
	case level == Normal:
		e.endAlert(st, ChangeCleared)
		return
	case level > from:
		a.Ack = Ack{}
		e.setLevel(&a.Alert, level, ChangeEscalated)
	default:
		e.setLevel(&a.Alert, level, ChangeEased)
	}
	if a == nil {
		return
	}
	if st.unknownSince != 0 {
		e.texts.updateText(a)
		a.UnverifiedSince = st.unknownSince.timeIn(e.serverTime)
		return // the alert keeps its last verified value and text
	}
	a.UnverifiedSince, a.judgedAt, a.textAt = time.Time{}, instantOf(e.serverTime), 0
	if from != level || r.usesSamples || r.message.usesSamples {
		e.texts.setText(a)
		a.textAt = a.judgedAt
	}
	if from != level {
		e.changes[len(e.changes)-1].Alert = a.clone()
	}
}

// setLevel sets the level of an alert and appends a [Change] of the given kind. The caller must set
// the Alert field of the change.
func (e *Engine) setLevel(a *Alert, level Level, kind ChangeKind) {
	a.Level, a.LevelSince, a.HighestLevel = level, e.serverTime, max(a.HighestLevel, level)
	e.changes = append(e.changes, Change{Kind: kind})
}

// endAlert ends the alert of a rule state, if it has one, and appends a [Change] of the given kind.
func (e *Engine) endAlert(st *ruleState, kind ChangeKind) {
	a := st.alert
	st.level, st.alert = Normal, nil
	if a == nil {
		return
	}
	e.texts.updateText(a)
	a.Ended, a.Vanished, a.UnverifiedSince = e.serverTime, kind == ChangeVanished, time.Time{}
	delete(e.active, a.ID)
	if len(e.ended) == e.maxEnded {
		e.ended = slices.Delete(e.ended, 0, 1)
	}
	ended := a.Alert // without the reference to its record
	e.ended = append(e.ended, &ended)
	e.changes = append(e.changes, Change{Kind: kind, Alert: a.clone()})
}
