package alert

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strconv"
	"time"

	"wallboard/model"
)

// Alert is what a rule says of a record, from when it was raised until it
// ended. What [Engine] returns are copies.
type Alert struct {
	// ID names the alert for good: the rule, the record and when it was raised.
	ID   string
	Rule string
	KPI  string // the KPI, if the rule's thresholds are for one
	Key  Key

	Level      Level
	LevelSince time.Time
	Worst      Level     // the highest level it had
	Since      time.Time // when the condition was first met
	Raised     time.Time

	// Day reports whether the rule judges a figure of the day, such as the share of
	// today's callers who gave up, which nobody can change any more.
	Day bool
	// FromStart reports whether it was so when the engine saw the records for the
	// first time: nobody knows since when.
	FromStart bool

	Value  model.Figure // of a rule with thresholds
	Format Format
	Text   string // clean; as of the last evaluation
	Bell   bool
	Notify []string

	// Unverified is when somebody last knew that the alert holds; zero means
	// that it does.
	Unverified time.Time
	Ack        Ack
	// Silent is until when nobody is told of it by sound or message; zero: it is not
	// silent. It is still shown.
	Silent time.Time

	Ended    time.Time // zero while it is active
	Vanished bool      // it ended because its record is no longer there
}

// Ack is who has taken an alert over. The zero Ack is nobody.
type Ack struct {
	By, Note string
	At       time.Time
}

// ChangeKind is what happened to an alert.
type ChangeKind string

// The kinds of changes.
const (
	Raised    ChangeKind = "raised"
	Escalated ChangeKind = "escalated" // from warning to critical; an acknowledgement ends
	Eased     ChangeKind = "eased"     // from critical to warning
	Cleared   ChangeKind = "cleared"
	Vanished  ChangeKind = "vanished" // the record is no longer there, or the rule no longer about it
	Resumed   ChangeKind = "resumed"  // its silence is over, and it lasts
)

// Change is one thing that happened to an alert.
type Change struct {
	Kind  ChangeKind
	Alert Alert
}

// Worse reports whether somebody is to hear of a change at once: there is something
// new to be done, and nobody has silenced it.
func (c *Change) Worse() bool {
	return c.Alert.Silent.IsZero() && (c.Kind == Raised || c.Kind == Escalated || c.Kind == Resumed)
}

// Lasting returns the alerts of changes that are worth keeping beyond the life of
// an engine, for [Engine.Recall]: those that ended, and those that nobody has taken
// over any more because they became critical.
func Lasting(changes []Change) []Alert {
	var out []Alert
	for i := range changes {
		switch changes[i].Kind {
		case Cleared, Vanished, Escalated:
			out = append(out, changes[i].Alert)
		case Raised, Eased, Resumed:
		}
	}
	return out
}

// ErrNotActive says that no active alert has the ID.
var ErrNotActive = errors.New("the alert is not active")

// ErrNobody says that an acknowledgement needs a name.
var ErrNobody = errors.New("an acknowledgement needs the name of who gives it")

// Acknowledge notes who has taken an alert over. It stays until the alert ends
// or becomes critical; another one replaces it. Its errors are ErrNotActive and
// ErrNobody.
func (e *Engine) Acknowledge(id, who, note string, now time.Time) (Alert, error) {
	a := e.active[id]
	if a == nil {
		return Alert{}, ErrNotActive
	}
	if who = model.CleanText(who, model.MaxName); who == "" {
		return Alert{}, ErrNobody
	}
	a.Ack = Ack{By: who, Note: model.CleanText(note, maxMessage), At: now}
	return e.speech.told(a), nil
}

// Urgency orders alerts the most urgent first: what is so now, because people wait,
// comes before the figures of the day, however bad these are; then what is critical;
// then the newest.
func Urgency(a, b *Alert) int {
	switch {
	case a.Day != b.Day && a.Day:
		return 1
	case a.Day != b.Day:
		return -1
	case a.Level != b.Level:
		return cmp.Compare(b.Level, a.Level)
	case !a.LevelSince.Equal(b.LevelSince):
		return b.LevelSince.Compare(a.LevelSince)
	}
	return cmp.Compare(a.ID, b.ID)
}

// Active returns the alerts that have not ended, by their [Urgency].
func (e *Engine) Active() []Alert {
	out := make([]Alert, 0, len(e.active))
	urgency := func(a, b *raised) int { return Urgency(&a.Alert, &b.Alert) }
	for _, a := range slices.SortedFunc(maps.Values(e.active), urgency) { // an alert is large: its address is sorted
		out = append(out, e.speech.told(a))
	}
	return out
}

// Of returns the active alerts of one record, by their [Urgency].
func (e *Engine) Of(k Key) []Alert {
	p := e.populations[k.Scope]
	if p == nil || p.index[k] == nil {
		return nil
	}
	var out []Alert
	for i := range p.index[k].states {
		if a := p.index[k].states[i].alert; a != nil {
			out = append(out, e.speech.told(a))
		}
	}
	slices.SortFunc(out, func(a, b Alert) int { return Urgency(&a, &b) })
	return out
}

// History returns the alerts that ended, the newest first. The oldest are
// forgotten.
func (e *Engine) History() []Alert {
	out := make([]Alert, 0, len(e.ended))
	for _, a := range slices.Backward(e.ended) {
		out = append(out, a.copy())
	}
	return out
}

func (a *Alert) copy() Alert {
	c := *a
	c.Notify = slices.Clone(a.Notify)
	return c
}

// apply makes an alert of the level that a record now has by a rule.
func (e *Engine) apply(r *rule, row *row, st *state, to Level) {
	from, a := st.level, st.alert
	st.level = to
	switch {
	case from == to:
	case from == Normal:
		one := Alert{
			Rule: r.Name, Key: row.key, Since: st.since[0].in(e.now), Raised: e.now,
			FromStart: !st.observed && st.since[0] <= instantOf(e.populations[row.key.Scope].begun),
		}
		r.give(&one)
		one.ID = r.Name + "/" + row.key.String() + "@" + strconv.FormatInt(e.now.UnixMilli(), 10)
		a = e.open(one, row, r)
		st.alert = a
		e.set(&a.Alert, to, Raised)
	case to == Normal:
		e.end(st, Cleared)
		return
	case to > from:
		a.Ack = Ack{}
		e.set(&a.Alert, to, Escalated)
	default:
		e.set(&a.Alert, to, Eased)
	}
	if a == nil {
		return
	}
	if st.unsureSince != 0 {
		e.speech.settle(a)
		a.Unverified = st.unsureSince.in(e.now)
		return // the value and the text are of when somebody knew
	}
	a.Unverified, a.judged, a.said = time.Time{}, instantOf(e.now), 0
	if from != to || r.windowed || r.message.windowed {
		e.speech.say(a)
		a.said = a.judged
	}
	if from != to {
		e.changes[len(e.changes)-1].Alert = a.copy()
	}
}

// set gives an alert its level. The change's alert is filled in by who calls.
func (e *Engine) set(a *Alert, to Level, kind ChangeKind) {
	a.Level, a.LevelSince, a.Worst = to, e.now, max(a.Worst, to)
	e.changes = append(e.changes, Change{Kind: kind})
}

// end ends a state's alert, if it has one.
func (e *Engine) end(st *state, kind ChangeKind) {
	a := st.alert
	st.level, st.alert = Normal, nil
	if a == nil {
		return
	}
	e.speech.settle(a)
	a.Ended, a.Vanished, a.Unverified = e.now, kind == Vanished, time.Time{}
	delete(e.active, a.ID)
	if len(e.ended) == e.history {
		e.ended = slices.Delete(e.ended, 0, 1)
	}
	over := a.Alert // without its record
	e.ended = append(e.ended, &over)
	e.changes = append(e.changes, Change{Kind: kind, Alert: a.copy()})
}
