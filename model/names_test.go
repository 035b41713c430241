package model_test

import (
	"testing"
	"time"

	"wallboard/model"
)

// TestNamesOfCampaigns checks which name of a campaign is shown.
func TestNamesOfCampaigns(t *testing.T) {
	t.Parallel()
	s := model.NewStore()
	for id, name := range map[int64]string{1: "Spring", 2: "Summer", 3: " ", 4: ""} {
		s.Campaigns.Put(&model.Campaign{CampaignID: model.IntOf(id), Name: name})
	}
	snap := s.Publish(time.Unix(0, 0), model.Health{})
	names := model.Names{model.NameCampaign: {"1": "Renewals"}}
	for code, want := range map[string]string{"1": "Renewals", "2": "Summer", "3": "3", "4": "4", "5": "5", "x": "x"} {
		if got := names.NameInSnapshot(snap, model.NameCampaign, code); got != want {
			t.Errorf("campaign %s is %q, want %q", code, got, want)
		}
	}
	if got := names.NameInSnapshot(nil, model.NameCampaign, "1") + names.NameInSnapshot(nil, model.NameCampaign, "2") + names.NameInSnapshot(snap, model.NameService, "2"); got != "Renewals22" {
		t.Errorf("without a snapshot, and of a service: %q", got)
	}
}
