package breaks_test

import (
	"testing"
	"time"

	"wallboard/internal/alert/breaks"
	"wallboard/model"
)

// records returns the records of an agent.
func (f *floor) records(name string) (out []breaks.Record) {
	for _, r := range f.Day(f.now) {
		if r.Username == name {
			out = append(out, r)
		}
	}
	return out
}

// TestDayOfAnAgent counts the breaks of the day, finished and current ones, and compares them with
// the limits.
func TestDayOfAnAgent(t *testing.T) {
	t.Parallel()
	f := newFloor()
	f.SetLimits(breaks.Limits{Codes: []breaks.Limit{{Code: "LUNCH", PerTime: 30 * minute, PerDay: time.Hour}}})
	f.agent("anna", model.Ready, "", 0, 600) // ten minutes before the board started
	f.look()
	f.took("anna", 20*minute)
	f.took("anna", 36*minute)
	f.agent("anna", model.NotReady, "LUNCH", 0, 66*60)
	f.look()
	f.after(5 * minute)
	got := f.records("anna")
	if len(got) != 1 {
		t.Fatalf("%d records", len(got))
	}
	r := got[0]
	if r.Breaks != 3 || r.Overruns != 1 || r.Longest != 36*minute || r.Over != 6*minute || r.OverDay != 6*minute || !r.Away || !r.Exceeds() {
		t.Errorf("%+v", r)
	}
}

// TestDayOfAnAgentWhoLoggedOut keeps the breaks and the totals of an agent after the logout, until
// the platform resets its totals.
func TestDayOfAnAgentWhoLoggedOut(t *testing.T) {
	t.Parallel()
	f := newFloor()
	f.agent("anna", model.Ready, "", 0, 0)
	f.look()
	f.took("anna", 10*minute)
	f.store.UserStats.Delete(model.UserStatKey{Username: "anna", Channel: model.Call})
	f.after(minute)
	if got := f.records("anna"); len(got) != 1 || got[0].Breaks != 1 || got[0].Total != model.FigureOf(600) {
		t.Errorf("after the logout: %+v", got)
	}
	f.agent("anna", model.Ready, "", 0, 600)
	f.look()
	if got := f.records("anna"); len(got) != 1 || got[0].Breaks != 1 {
		t.Errorf("after the next login: %+v", got)
	}
	f.agent("anna", model.Ready, "", 0, 0)
	f.look()
	if got := f.records("anna"); len(got) != 0 {
		t.Errorf("after a reset: %+v", got)
	}
}

// TestEndOfABreakIsTheStartOfTheNextState does not depend on when the board sees the change.
func TestEndOfABreakIsTheStartOfTheNextState(t *testing.T) {
	t.Parallel()
	f := newFloor()
	f.agent("anna", model.NotReady, "LUNCH", 0, -1)
	f.look()
	f.after(10 * minute)
	f.now = f.now.Add(25 * time.Second)
	f.agent("anna", model.Ready, "", 20*time.Second, -1)
	f.look()
	if got := f.records("anna"); len(got) != 1 || got[0].Longest != 10*minute+5*time.Second {
		t.Errorf("%+v", got)
	}
}
