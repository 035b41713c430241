package situation_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/model"
)

// TestJournal checks a journal with two incidents at one place, and the bounds of the journal.
func TestJournal(t *testing.T) {
	t.Parallel()
	at := func(minute int) time.Time { return noon.Add(time.Duration(minute) * time.Minute) }
	in := func(id string, began, ended int) *model.Incident {
		out := &model.Incident{ID: id, Scope: "service", Code: "S", Channel: model.Call, Title: "S", Level: 2, Began: at(began), Alerts: []model.IncidentAlert{
			{TakenAlert: model.TakenAlert{Rule: alert.RuleLongestWait, Scope: "service", Code: "S", Channel: model.Call, Level: 2}, Since: at(began), Raised: at(began)},
			{TakenAlert: model.TakenAlert{Rule: alert.RuleNotReady, Scope: "user", Code: "a", Level: 1, By: "Zoe"}, Since: at(began), Raised: at(began)},
		}}
		if ended > 0 {
			out.Ended = at(ended)
			for i := range out.Alerts {
				out.Alerts[i].Ended = at(ended)
			}
		}
		return out
	}
	marks := []model.Mark{
		{At: at(6), Kind: model.MarkRecovered, Incident: in("one", 1, 5)}, // its beginning was not marked
		{At: at(10), Kind: model.MarkCritical, Incident: in("two", 9, 0)},
		{At: at(10), Kind: model.MarkCritical, Text: "something else"},
	}
	text, err := json.Marshal(marks)
	if err != nil {
		t.Fatal(err)
	}
	var read []model.Mark
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(marks, read); diff != "" {
		t.Error(diff)
	}
	j := situation.NewJournal(read, []alert.Alert{{ID: "another"}})
	for minute, want := range map[int][2]int{0: {0, 0}, 3: {0, 2}, 7: {2, 0}, 12: {2, 2}} { // expected numbers of ended and active alerts
		if ended, active := j.Alerts(at(minute)); len(ended) != want[0] || len(active) != want[1] || len(active) > 0 && !active[0].Ended.IsZero() {
			t.Errorf("minute %d: %v, %v", minute, ended, active)
		}
	}
	if !j.Start().Equal(at(1)) || j.Covers(noon) || !j.Covers(at(60)) || !j.HasChanged(at(3), at(5)) || j.HasChanged(at(5), at(9)) {
		t.Errorf("from %v", j.Start())
	}
	if _, active := j.PartUntil(at(12), false).Alerts(at(12)); len(active) != 0 {
		t.Errorf("still open: %v", active)
	}
	if j.PartUntil(at(12), true).Covers(at(13)) || situation.NewJournal(marks[2:], nil) != nil {
		t.Error("it covers too much")
	}
}

// TestWithoutPeople removes the alerts about agents and the names of viewers from an incident.
func TestWithoutPeople(t *testing.T) {
	t.Parallel()
	whole := &model.Incident{ID: "one", Scope: "service", Code: "S", Alerts: []model.IncidentAlert{
		{TakenAlert: model.TakenAlert{Rule: alert.RuleLongestWait, Scope: "service", Code: "S", By: "Zoe"}},
		{TakenAlert: model.TakenAlert{Rule: alert.RuleNotReady, Scope: "user", Code: "a"}},
	}}
	bare := situation.RemoveAgentData(whole)
	if len(bare.Alerts) != 1 || bare.Alerts[0].By != "" || len(whole.Alerts) != 2 {
		t.Errorf("%+v", bare)
	}
	about := *whole
	about.Scope = "user"
	if situation.RemoveAgentData(&about) != nil {
		t.Error("it names an agent")
	}
}
