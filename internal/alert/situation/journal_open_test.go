package situation

import (
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/model"
)

// TestSituationWithoutAnEnd checks that a situation whose end was not marked is closed by a later one
// at its place, and after half a day.
func TestSituationWithoutAnEnd(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	at := func(minute int) time.Time { return start.Add(time.Duration(minute) * time.Minute) }
	mark := func(id string, began, ended int) model.Mark {
		in := &model.Incident{ID: id, Scope: "service", Code: "S", Channel: model.Call, Title: "S", Level: 2, Began: at(began)}
		m := model.Mark{At: at(began), Kind: model.MarkCritical, Incident: in}
		if ended > 0 {
			in.Ended, m.At, m.Kind = at(ended), at(ended), model.MarkRecovered
		}
		return m
	}
	k := placeKey{place: alert.Key{Scope: alert.Service, Code: "S", Channel: model.Call}}
	j := NewJournal([]model.Mark{mark("one", 1, 0), mark("two", 20, 30)}, nil)
	r := journalFollower{journal: j}
	for minute, want := range map[int]string{10: "one", 25: "two", 40: ""} { // in any order
		got := ""
		r.follow(at(minute), start, 1)
		if e := r.state.open[k]; e != nil {
			got = e.ID
		}
		if got != want {
			t.Errorf("minute %d: %q is open, want %q", minute, got, want)
		}
	}
	alone := NewJournal([]model.Mark{mark("one", 1, 0)}, nil)
	for hours, want := range map[int]int{1: 1, 20: 0} {
		if got := len(alone.Until(at(60*hours), true).entries); got != want {
			t.Errorf("after %d hours: %d situations are open, want %d", hours, got, want)
		}
	}
}
