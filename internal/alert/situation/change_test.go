package situation_test

import (
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
		"worse": situation.Worse, "joined": situation.Joined, "new": situation.Begun, "over": situation.Ended, "day": situation.Ended,
	}
	got := situation.Changes(before, now)
	for _, c := range got {
		if want[c.Situation.ID] != c.Kind || c.Daily != (c.Situation.ID == "day") {
			t.Errorf("%s is %s, day %v", c.Situation.ID, c.Kind, c.Daily)
		}
		if c.Situation.ID == "joined" && (len(c.New) != 1 || c.New[0].ID != "8") || c.Situation.ID == "over" && c.Headline != "At the worst 3 waited." {
			t.Errorf("%+v", c)
		}
		delete(want, c.Situation.ID)
	}
	if len(want) != 0 || got[0].Kind != situation.Ended || got[1].Kind != situation.Ended {
		t.Errorf("nothing of %v in %+v", want, got)
	}
	if situation.Changes(nil, now) != nil || situation.Changes(now, now) != nil {
		t.Error("changes of nothing")
	}
}
