package proof_test

import (
	"testing"

	"wallboard/model"
)

// TestUnknownTypeIsAdmitted checks the board's report of an object whose type it
// does not request: it admits the fields of that object as unknown, and no others.
func TestUnknownTypeIsAdmitted(t *testing.T) {
	t.Parallel()
	s := &model.Snapshot{}
	s.Health.Subscriptions = []model.Subscription{
		{Name: "serviceStats", State: model.SubPolling, Unknown: "channelStats of the type ServiceMediaStat"},
		{Name: "groupStats", State: model.SubPolling},
	}
	for path, want := range map[string]bool{
		"channelStats.currentCalls": true, "userStats.loggedUsers.count": false, "channelStatsOfOthers.currentCalls": false, "code": false,
	} {
		if got := admits(s, "serviceStats", path); got != want {
			t.Errorf("%s: admitted %v, want %v", path, got, want)
		}
	}
	if admits(s, "groupStats", "channelStats.currentCalls") {
		t.Error("admitted for another operation")
	}
}
