package situation

import (
	"slices"
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
		r.advanceTo(at(minute), start, 1)
		if e := r.state.open[k]; e != nil {
			got = e.ID
		}
		if got != want {
			t.Errorf("minute %d: %q is open, want %q", minute, got, want)
		}
	}
	alone := NewJournal([]model.Mark{mark("one", 1, 0)}, nil)
	for hours, want := range map[int]int{1: 1, 20: 0} {
		if got := len(alone.PartUntil(at(60*hours), true).entries); got != want {
			t.Errorf("after %d hours: %d situations are open, want %d", hours, got, want)
		}
	}
}

// TestEndAtKeepsCauses checks that a situation that a gap ended keeps its recorded causes, and that an end
// recorded without causes has the causes recorded before it.
func TestEndAtKeepsCauses(t *testing.T) {
	t.Parallel()
	at := func(minute int) time.Time { return time.Date(2026, 3, 2, 12, minute, 0, 0, time.UTC) }
	open := model.Incident{
		ID: "one", Scope: "service", Code: "S", Channel: model.Call, Title: "S", Level: 2, Began: at(1),
		Causes: []model.IncidentCause{{Kind: "surge", Text: "more calls"}},
		Alerts: []model.IncidentAlert{{TakenAlert: model.TakenAlert{Rule: alert.RuleLongestWait, Scope: "service", Code: "S", Channel: model.Call, Level: 2}, Raised: at(1)}},
	}
	ended := open
	ended.Ended, ended.Causes, ended.Alerts = at(9), nil, slices.Clone(open.Alerts)
	ended.Alerts[0].Ended = at(9)
	marks := []model.Mark{{At: at(1), Kind: model.MarkIncident, Incident: &open}, {At: at(9), Kind: model.MarkIncident, Incident: &ended}}
	for name, j := range map[string]*Journal{
		"gap": NewJournal(marks[:1], nil).EndSituationsAt([]time.Time{at(9)}), "end": NewJournal(marks, nil),
	} {
		list := j.PastSituationsAt(at(5), nil)
		if len(list) != 1 || !slices.Equal(list[0].WorstEpisode.Causes, []string{"More calls."}) {
			t.Fatalf("%s: %+v", name, list)
		}
		story := list[0].IncidentSummary()
		want := map[string]string{"gap": "since 12:01, still open after 8:00 when the recording stopped at 12:09", "end": "12:01–12:09, 8:00"}[name]
		if got := story.Period(at(30), func(t time.Time) string { return t.Format("15:04") }); got != want {
			t.Errorf("%s: the period is %q, want %q", name, got, want)
		}
	}
}

// TestStoryOfStale checks that the story of an open situation ends when its figures became stale, as
// everywhere on the board.
func TestStoryOfStale(t *testing.T) {
	t.Parallel()
	began := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	sit := Situation{Since: began, StaleSince: began.Add(5 * time.Minute), FromStart: true}
	story := sit.IncidentSummary()
	if got := story.Period(began.Add(time.Hour), func(t time.Time) string { return t.Format("15:04") }); got != "since 12:00, still open after 5:00; it may have begun earlier" {
		t.Errorf("the period is %q", got)
	}
}
