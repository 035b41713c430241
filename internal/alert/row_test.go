package alert

import (
	"testing"
	"time"

	"wallboard/model"
)

// TestRowsWithoutAlertsHoldNoStates raises and clears an alert of one of two agents. A large
// floor has six rules for each of thousands of rows.
func TestRowsWithoutAlertsHoldNoStates(t *testing.T) {
	t.Parallel()
	f := newFloor(t, Options{Rules: DefaultRules()})
	set := func(name string, status model.UserStatus, in time.Duration) {
		f.agent(name, func(r *model.UserStat) {
			r.Status, r.TimeInState = status, model.InstantOf(f.now.Add(-in))
		})
	}
	held := func(when string, anna, ben bool) {
		t.Helper()
		f.after(time.Minute)
		rows := f.engine.rowsByScope[User].rows
		if len(rows) != 2 || &rows[0].rules[0] != &rows[1].rules[0] {
			t.Fatalf("%s: %d rows that do not share their rules", when, len(rows))
		}
		for i, want := range []bool{anna, ben} {
			if got := rows[i].states != nil; got != want {
				t.Errorf("%s: row %d holds states: %v, want %v", when, i, got, want)
			}
		}
	}
	set("anna", model.Ready, time.Minute)
	set("ben", model.Ready, time.Minute)
	held("both are ready", false, false)
	set("anna", model.WNR, 3*time.Hour)
	held("anna is over a limit", true, false)
	if len(f.engine.active) != 1 {
		t.Errorf("%d alerts", len(f.engine.active))
	}
	set("anna", model.Ready, 0)
	held("anna is ready again", false, false)
}
