package actions

import (
	"testing"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/ui/floorview"
)

// TestWhatARecordingIsTold checks that marks name campaigns, agents only where allowed, and
// no customers.
func TestWhatARecordingIsTold(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		order          actionOrder
		text, nameless string
	}{
		"campaign": {
			actionOrder{operation: resource.OpCampaignStop, target: words.ActCampaignTargetClear("Win-back"), markedTarget: floorview.Target{Kind: floorview.Campaign, Key: "3", Name: "Win-back"}},
			"Stop campaign: Win-back, confirmed", "Stop campaign: Win-back, confirmed",
		},
		"agent": {
			actionOrder{operation: resource.OpHangUp, target: words.ActCallDialed("Anna Rossi", "+39 02 1234"), markedTarget: floorview.Target{Kind: floorview.Agent, Key: "arossi", Name: "Anna Rossi"}},
			"Hang up: Anna Rossi, confirmed", "Hang up, confirmed",
		},
		"customer": {actionOrder{operation: resource.OpSMSSend, target: words.Name("+39 02 1234")}, "Send a text message, confirmed", "Send a text message, confirmed"},
	} {
		r := loggedAction{order: tt.order, report: words.ActionReport{Outcome: resource.OutcomeConfirmed, Text: words.Name("+39 02 1234 was told")}}
		if e := r.event(); e.Text != tt.text || e.Nameless != tt.nameless || e.Kind != model.MarkAction {
			t.Errorf("%s: %+v", name, e)
		}
	}
}
