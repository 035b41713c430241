package reel

import (
	"cmp"
	"slices"
	"time"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/ui/alerts"
)

// takeOver is an alert that somebody took over.
type takeOver struct {
	rule  string
	key   alert.Key
	level alert.Level
	ack   alert.Ack
	known bool      // the live board knows the alert, and that nothing has lifted it
	ended time.Time // of such an alert; zero: it has not
}

const (
	// nobodyNamed stands for who took something over where the recording names nobody.
	nobodyNamed = "somebody"
	// sameTakeOver is how far a mark and what the live board knows of the same are apart.
	sameTakeOver = 2 * time.Second
)

// marked are the take-overs that a recording has marks of.
func marked(marks []model.Mark) []takeOver {
	var out []takeOver
	for i := range marks {
		t := &marks[i].Taken
		if t.Rule == "" {
			continue
		}
		out = append(out, takeOver{
			rule: t.Rule, key: alert.Key{Scope: alert.Scope(t.Scope), Code: t.Code, Channel: t.Channel}, level: alert.Level(min(max(t.Level, 0), int(alert.Critical))),
			ack: alert.Ack{By: cmp.Or(t.By, nobodyNamed), At: marks[i].At},
		})
	}
	return out
}

// withKnown are the take-overs of marks and those of the alerts that the live board knows, in
// the order of time. It knows more of them: what was noted, and until when they lasted.
func withKnown(marks []takeOver, known []alert.Alert) []takeOver {
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

// holds reports whether an alert of its record at a time is the one that was taken over, and
// still was. lifted is when it last became critical, which lifts what was before. Pictures are
// looked at some seconds apart, so that an alert may be found as much later than it was live.
func (t *takeOver) holds(a *alert.Alert, lifted, now time.Time) bool {
	switch {
	case a.Rule != t.rule:
		return false
	case t.known:
		return t.ended.IsZero() || now.Before(t.ended)
	}
	late := t.ack.At.Add(warmEvery)
	return a.Level <= t.level && !a.Since.After(late) && !lifted.After(late)
}

// told is an engine that is told who had taken over what it finds.
type told struct {
	alerts.Engine
	takeOvers []takeOver           // in the order of time; never changed
	lifted    map[string]time.Time // when alerts became critical, by their IDs
}

// Evaluate looks at a picture, at a time of the server's clock.
func (e *told) Evaluate(s *model.Snapshot, now time.Time) []alert.Change {
	changes := e.Engine.Evaluate(s, now)
	for i := range changes {
		switch c := &changes[i]; c.Kind {
		case alert.Escalated:
			e.lifted[c.Alert.ID] = now
		case alert.Cleared, alert.Vanished:
			delete(e.lifted, c.Alert.ID)
		case alert.Raised, alert.Eased, alert.Resumed:
		}
	}
	e.take(now)
	return changes
}

// take notes who had taken over what is wrong at a time.
func (e *told) take(now time.Time) {
	for i := range e.takeOvers {
		t := &e.takeOvers[i]
		if t.ack.At.After(now) {
			return
		}
		for _, a := range e.Of(t.key) {
			if a.Ack.At.Before(t.ack.At) && t.holds(&a, e.lifted[a.ID], now) {
				_, _ = e.Acknowledge(a.ID, t.ack.By, t.ack.Note, t.ack.At) // it is active, and somebody is named
			}
		}
	}
}

// fresh returns an engine that has seen nothing yet, and will be told who had taken over what.
func (r *Reel) fresh() func() (alerts.Engine, error) {
	engine, takeOvers := r.Engine, r.takeOvers
	return func() (alerts.Engine, error) {
		e, err := engine()
		if err != nil {
			return nil, err
		}
		return &told{e, takeOvers, make(map[string]time.Time)}, nil
	}
}
