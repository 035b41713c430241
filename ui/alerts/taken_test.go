package alerts

import (
	"testing"

	"wallboard/internal/alert"
	"wallboard/model"
)

// TestTakenNamesNobody checks that marks without names contain neither the user nor the
// agent.
func TestTakenNamesNobody(t *testing.T) {
	t.Parallel()
	a := alert.Alert{Rule: "break", Key: alert.Key{Scope: alert.User, Code: "arossi"}, Ack: alert.Ack{By: "Maria", Note: "customer 4711"}}
	if e := a.AckEvent(); e.Taken.Code != "arossi" || e.Taken.By != "Maria" || e.NamelessTaken != (model.TakenAlert{}) {
		t.Errorf("%+v", e)
	}
	a.Key = alert.Key{Scope: alert.Service, Code: "S1"}
	want := model.TakenAlert{Rule: "break", Scope: string(alert.Service), Code: "S1"}
	if e := a.AckEvent(); e.NamelessTaken != want {
		t.Errorf("%+v", e)
	}
}
