package headless

import (
	"encoding/json"
	"testing"
	"time"

	"wallboard/model"
)

// TestDumpSaysWhatIsPolled checks polled figures: they are not live and have an age.
func TestDumpSaysWhatIsPolled(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_800_000_000, 0)
	s := model.NewStore().Publish(now.Add(time.Hour), model.Health{
		Link: model.Link{State: model.LinkUp}, ClockOffset: time.Hour,
		Subscriptions: []model.Subscription{
			{Name: "users", State: model.SubPolling, VerifiedAt: now.Add(-3 * time.Second)}, {Name: "groupStats", State: model.SubLive},
		},
	})
	b, err := json.Marshal(NewSnapshotDoc(s))
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Live    bool
		Polling map[string]float64
	}
	if err := json.Unmarshal(b, &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Live || len(doc.Polling) != 1 || doc.Polling["users"] != 3 || CheckLive(s) != nil {
		t.Errorf("%+v; an error: %v", doc, CheckLive(s))
	}
}
