package alerts

import (
	"strings"
	"testing"

	"wallboard/internal/alert"
)

// TestTakeOverNamesNobody checks that marks without names contain no user, and that no mark
// contains the note.
func TestTakeOverNamesNobody(t *testing.T) {
	t.Parallel()
	a := alert.Alert{Rule: "break", Key: alert.Key{Scope: alert.User, Code: "arossi"}, Text: "Anna Rossi: break 0:31", Ack: alert.Ack{By: "Maria", Note: "customer 4711"}}
	e := a.AckEvent()
	if e.Text != "Taken over by Maria: Anna Rossi: break 0:31" || e.Nameless != "Taken over: break" {
		t.Errorf("%+v", e)
	}
	a.Key, a.Text = alert.Key{Scope: alert.Service, Code: "S1"}, "Sales: 3 wait"
	if e = a.AckEvent(); e.Nameless != "Taken over: Sales: 3 wait" || strings.Contains(e.Text, "4711") {
		t.Errorf("%+v", e)
	}
}
