package breaks_test

import (
	"testing"
	"time"

	"wallboard/internal/alert/breaks"
	"wallboard/model"
)

// records returns the records of an agent.
func (f *floor) records(name string) (out []breaks.DayTotal) {
	for _, r := range f.DayTotals(f.now) {
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
	f.SetLimits(breaks.Limits{Codes: []breaks.Limit{{Code: "LUNCH", PerBreak: 30 * minute, PerDay: time.Hour}}})
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
	if r.Breaks != 3 || r.Overruns != 1 || r.Longest != 36*minute || r.LongestOverrun != 6*minute || r.OverDayLimit != 6*minute || !r.OnBreak || !r.ExceedsLimit() {
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
	f.agent("anna", model.NotReady, "LUNCH", 0, -1) // the platform has no totals of the new login yet
	f.look()
	if got := f.records("anna"); len(got) != 1 || got[0].Total != model.FigureOf(600) || !got[0].OnBreak {
		t.Errorf("on a break after the next login: %+v", got)
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

// TestEndOfABreakIsTheStartOfTheNextState checks that a break ends when the next state begins, whenever the
// board sees the change.
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

// TestDayEndsAtMidnight drops the breaks of yesterday, also those of agents who have logged out.
func TestDayEndsAtMidnight(t *testing.T) {
	t.Parallel()
	f := newFloor()
	f.now = time.Date(2026, 3, 2, 23, 30, 0, 0, time.Local)
	f.agent("anna", model.Ready, "", 0, -1)
	f.look()
	f.took("anna", 10*minute)
	f.store.UserStats.Delete(model.UserStatKey{Username: "anna", Channel: model.Call})
	f.after(minute)
	if got := f.records("anna"); len(got) != 1 {
		t.Errorf("before midnight: %+v", got)
	}
	f.after(time.Hour)
	if got := f.records("anna"); len(got) != 0 {
		t.Errorf("after midnight: %+v", got)
	}
}

// TestTotalsOfAnotherChannelAreNoReset keeps the breaks of an agent who logs in to calls, whose record
// has smaller totals than that of chats.
func TestTotalsOfAnotherChannelAreNoReset(t *testing.T) {
	t.Parallel()
	f := newFloor()
	f.agent("anna", model.Ready, "", 0, 0)
	f.look()
	f.took("anna", 10*minute)
	chat := *f.store.UserStats.Get(model.UserStatKey{Username: "anna", Channel: model.Call})
	chat.Channel = model.Chat
	f.store.UserStats.Delete(model.UserStatKey{Username: "anna", Channel: model.Call})
	chat.TimeInActivityCode = []model.ActivityTime{{ActivityCode: "LUNCH", TotalTime: model.IntOf(30)}}
	f.store.UserStats.Put(&chat)
	f.after(minute)
	if got := f.records("anna"); len(got) != 1 || got[0].Breaks != 1 {
		t.Errorf("%+v", got)
	}
}

// TestRememberTakesOverTheDay takes over the breaks, totals and names of another tracker, but not of
// another day.
func TestRememberTakesOverTheDay(t *testing.T) {
	t.Parallel()
	past := newFloor()
	past.agent("anna", model.Ready, "", 0, 0)
	past.look()
	past.took("anna", 10*minute)
	past.store.UserStats.Delete(model.UserStatKey{Username: "anna", Channel: model.Call})
	past.after(minute)
	for _, later := range []time.Duration{time.Hour, 24 * time.Hour} {
		f := newFloor()
		f.now = past.now.Add(later)
		f.agent("ben", model.Ready, "", 0, 0)
		f.look()
		f.MergeHistory(&past.Tracker)
		got := f.records("anna")
		if later > time.Hour && len(got) > 0 || later == time.Hour && (len(got) != 1 || got[0].Breaks != 1 || got[0].Total != model.FigureOf(600)) {
			t.Errorf("%v later: %+v", later, got)
		}
	}
}

// TestObserved checks that breaks that the platform counted before the tracker observed them are unknown.
func TestObserved(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		r    breaks.DayTotal
		want bool
	}{
		{breaks.DayTotal{Breaks: 1}, true},
		{breaks.DayTotal{Total: model.FigureOf(0)}, true},
		{breaks.DayTotal{Total: model.FigureOf(60)}, false},
		{breaks.DayTotal{}, false},
	} {
		if got := tt.r.WasObserved(); got != tt.want {
			t.Errorf("%+v: %v", tt.r, got)
		}
	}
}
