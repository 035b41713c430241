package situation_test

import (
	"slices"
	"testing"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
)

// TestChanges checks the changes between two views.
func TestChanges(t *testing.T) {
	t.Parallel()
	sit := func(id string, level alert.Level, alerts ...string) situation.Situation {
		s := situation.Situation{ID: id, Place: situation.Place{Key: alert.Key{Scope: alert.Service, Code: id}}, Level: level, Since: noon}
		for _, a := range alerts {
			s.Alerts = append(s.Alerts, alert.Alert{ID: a, Level: level})
		}
		return s
	}
	before := &situation.View{
		Live: []situation.Situation{
			sit("same", alert.Warning, "1"), sit("worse", alert.Warning, "2"), sit("joined", alert.Critical, "3"), sit("over", alert.Critical, "4"),
			sit("merged", alert.Warning, "5"), sit("silenced", alert.Critical, "6"),
		},
		Today: []situation.Situation{sit("day", alert.Warning, "7")},
	}
	now := &situation.View{
		Live: []situation.Situation{
			sit("same", alert.Warning, "1"), sit("worse", alert.Critical, "2"), sit("joined", alert.Critical, "3", "8"), sit("new", alert.Warning, "9"),
		},
		HeldBack:  []situation.Situation{sit("silenced", alert.Critical, "6")},
		Recovered: []situation.EndedSituation{{ID: "over", Place: situation.Place{Key: alert.Key{Scope: alert.Service, Code: "over"}}, Began: noon, Headline: "At the worst 3 waited."}},
	}
	want := map[string]situation.ChangeKind{
		"worse": situation.ChangeWorse, "joined": situation.ChangeJoined, "new": situation.ChangeBegun, "over": situation.ChangeEnded, "day": situation.ChangeEnded,
	}
	got := situation.Changes(before, now)
	for _, c := range got {
		if want[c.Situation.ID] != c.Kind || c.Daily != (c.Situation.ID == "day") {
			t.Errorf("%s is %s, day %v", c.Situation.ID, c.Kind, c.Daily)
		}
		if c.Situation.ID == "joined" && (len(c.NewAlerts) != 1 || c.NewAlerts[0].ID != "8") || c.Situation.ID == "over" && c.Headline != "At the worst 3 waited." {
			t.Errorf("%+v", c)
		}
		delete(want, c.Situation.ID)
	}
	if len(want) != 0 || got[0].Kind != situation.ChangeEnded || got[1].Kind != situation.ChangeEnded {
		t.Errorf("nothing of %v in %+v", want, got)
	}
	if situation.Changes(nil, now) != nil || situation.Changes(now, now) != nil {
		t.Error("changes of nothing")
	}
}

// TestNewsOfCurrentSituations checks that only situations that still need action are announced, in their
// current state.
func TestNewsOfCurrentSituations(t *testing.T) {
	t.Parallel()
	at := func(id string, level alert.Level, change func(*situation.Situation)) situation.Situation {
		sit := situation.Situation{ID: id, Level: level, HighestLevel: alert.Critical, Alerts: []alert.Alert{{ID: "alert " + id, Bell: true, Level: level}}}
		if change != nil {
			change(&sit)
		}
		return sit
	}
	begun := func(id string) situation.Change {
		sit := at(id, alert.Critical, nil)
		return situation.Change{Kind: situation.ChangeBegun, Situation: &sit, NewAlerts: sit.Alerts}
	}
	over := at("brief", alert.Critical, nil)
	brief := []situation.Change{begun("brief"), {Kind: situation.ChangeEnded, Situation: &over}}
	urgent, minor := at("urgent", alert.Critical, nil), at("minor", alert.Critical, nil)
	day := begun("day")
	day.Daily = true
	for name, c := range map[string]struct {
		changes  []situation.Change
		now      situation.View
		want     []string
		resolved int
		bell     bool
	}{
		"over":               {brief, situation.View{}, nil, 1, false},
		"taken over":         {[]situation.Change{begun("a")}, situation.View{Live: []situation.Situation{at("a", alert.Critical, func(s *situation.Situation) { s.Ack.By = "anna" })}}, nil, 0, false},
		"silenced":           {[]situation.Change{begun("a")}, situation.View{HeldBack: []situation.Situation{at("a", alert.Critical, nil)}}, nil, 0, false},
		"empty queue":        {[]situation.Change{begun("a")}, situation.View{Live: []situation.Situation{at("a", alert.Critical, func(s *situation.Situation) { s.QueueEmpty = true })}}, nil, 0, false},
		"alert acknowledged": {[]situation.Change{begun("a")}, situation.View{Live: []situation.Situation{at("a", alert.Critical, func(s *situation.Situation) { s.Alerts[0].Ack.By = "anna" })}}, []string{"a"}, 0, false},
		"only a warning now": {[]situation.Change{begun("a")}, situation.View{Live: []situation.Situation{at("a", alert.Warning, nil)}}, nil, 0, true},
		"twice":              {[]situation.Change{begun("a"), begun("a")}, situation.View{Live: []situation.Situation{at("a", alert.Critical, nil)}}, []string{"a"}, 0, true},
		"most urgent first":  {[]situation.Change{begun("minor"), begun("urgent")}, situation.View{Live: []situation.Situation{urgent, minor}}, []string{"urgent", "minor"}, 0, true},
		"of the day":         {[]situation.Change{day}, situation.View{Today: []situation.Situation{at("day", alert.Critical, nil)}}, []string{"day"}, 0, true},
	} {
		news := situation.NewsOf(c.changes, &c.now)
		var got []string
		for _, sit := range news.Critical {
			got = append(got, sit.ID)
		}
		if !slices.Equal(got, c.want) || len(news.Resolved) != c.resolved || news.Bell != c.bell || news.LiveCritical != (len(c.want) > 0 && len(c.now.Live) > 0) {
			t.Errorf("%s: %q, %d resolved, bell %v, live %v; want %q, %d, %v", name, got, len(news.Resolved), news.Bell, news.LiveCritical, c.want, c.resolved, c.bell)
		}
	}
}
