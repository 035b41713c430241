package model_test

import (
	"testing"
	"time"

	"wallboard/model"
)

// TestAgentRowsFollow finds the records of agents after random changes, and in another store with the
// same number of records, and compares the results with a full search.
func TestAgentRowsFollow(t *testing.T) {
	t.Parallel()
	put := func(s *model.Store, username string, ch model.Channel) {
		s.UserStats.Put(&model.UserStat{Username: model.TextOf(username), AgentFigures: model.AgentFigures{Channel: ch}})
	}
	var kept model.AgentRows
	check := func(step string, s *model.Store, want int) {
		t.Helper()
		shown := s.Publish(time.Unix(0, 0), model.Health{})
		got := kept.Find(shown.UserStats, "anna")
		if len(got) != want {
			t.Errorf("%s: %d records, wanted %d", step, len(got), want)
		}
		for _, r := range got {
			if r != shown.UserStats.Get(r.Key()) || r.Key().Username != "anna" {
				t.Errorf("%s: %+v is a record of another agent", step, r.Key())
			}
		}
	}
	a := model.NewStore()
	check("nobody", a, 0)
	put(a, "berta", model.Call)
	put(a, "anna", model.Call)
	check("one", a, 1)
	put(a, "anna", model.Call)
	check("changed", a, 1)
	put(a, "anna", "CARRIER_PIGEON") // a channel that document 2 does not list
	check("on an unknown channel", a, 2)
	a.UserStats.Delete(model.UserStatKey{Username: "berta", Channel: model.Call})
	check("another is gone", a, 2)
	b := model.NewStore()
	put(b, "anna", model.Chat)
	put(b, "clara", model.Call)
	check("another store", b, 1)
	check("and back", a, 2)
}
