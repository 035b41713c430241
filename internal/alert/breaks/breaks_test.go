package breaks_test

import (
	"strings"
	"testing"
	"time"

	"wallboard/internal/alert/breaks"
	"wallboard/internal/words"
	"wallboard/model"
)

// floor is a floor whose agents take breaks.
type floor struct {
	breaks.Tracker
	store *model.Store
	now   time.Time
	sub   model.SubState
}

func newFloor() *floor {
	return &floor{store: model.NewStore(), now: time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC), sub: model.SubLive}
}

// agent sets the state of an agent with its duration and today's seconds of LUNCH; -1
// is unknown.
func (f *floor) agent(name string, is model.UserStatus, code string, since time.Duration, used int64) {
	r := &model.UserStat{Username: model.TextOf(name)}
	r.Channel, r.Status = model.Call, is
	if code != "" {
		r.ActivityCode = model.TextOf(code)
	}
	if since >= 0 {
		r.TimeInState = model.InstantOf(f.now.Add(-since))
	}
	if used >= 0 {
		r.TimeInActivityCode = []model.ActivityTime{{ActivityCode: "LUNCH", TotalTime: model.IntOf(used)}}
	}
	f.store.UserStats.Put(r)
}

func (f *floor) look() {
	f.Update(f.store.Publish(f.now, model.Health{
		Link:          model.Link{State: model.LinkUp},
		Subscriptions: []model.Subscription{{Name: model.OpUserStats, State: f.sub}},
	}), f.now)
}

func (f *floor) after(d time.Duration) {
	const step = 10 * time.Second
	for ; d > 0; d -= step {
		f.now = f.now.Add(min(step, d))
		f.look()
	}
}

// took makes an agent take a break.
func (f *floor) took(name string, length time.Duration) {
	f.agent(name, model.NotReady, "LUNCH", 0, -1)
	f.look()
	f.after(length)
	f.agent(name, model.Ready, "", 0, int64(length.Seconds()))
	f.look()
}

const minute = time.Minute

func (f *floor) back(t *testing.T, name string) breaks.ExpectedReturn {
	t.Helper()
	a, ok := f.BreakOf(name, f.now)
	if !ok {
		t.Fatalf("%s is on no break", name)
	}
	return a.Return
}

// TestLikelyBack uses the observed breaks that took longer than this one.
func TestLikelyBack(t *testing.T) {
	t.Parallel()
	f := newFloor()
	f.agent("z", model.Ready, "", 0, -1)
	f.look()
	for _, m := range []time.Duration{20, 30, 40} {
		f.took("a", m*minute)
	}
	f.agent("b", model.NotReady, "LUNCH", 10*minute, -1)
	f.look()
	at := func(m time.Duration) time.Time { return f.now.Add((m - 10) * minute) }
	if b := f.back(t, "b"); !b.Likely.Equal(at(30)) || b.Basis.In(nil) != "the last 3 breaks" {
		t.Errorf("after 10 min: %+v", b)
	}
	begin := f.now.Add(-10 * minute)
	f.after(15 * minute)
	if b := f.back(t, "b"); !b.Likely.Equal(begin.Add(40*minute)) || b.Likely.Before(f.now) {
		t.Errorf("after 25 min, longer than one of three: %+v", b)
	}
	f.after(20 * minute)
	if b := f.back(t, "b"); !b.IsOverdue || !b.Likely.IsZero() {
		t.Errorf("after 45 min, longer than all: %+v", b)
	}
}

// TestWhatOthersUsed uses the daily totals of others if no breaks were observed, or
// else the limit.
func TestWhatOthersUsed(t *testing.T) {
	t.Parallel()
	f := newFloor()
	f.agent("b", model.NotReady, "LUNCH", 10*minute, 600)
	f.look()
	if b := f.back(t, "b"); !b.Likely.IsZero() || b.IsOverdue || !b.Basis.IsZero() {
		t.Errorf("nothing is known, and they are back %+v", b)
	}
	f.SetLimits(breaks.Limits{Codes: []breaks.Limit{{Code: "LUNCH", PerDay: 45 * minute, PerBreak: 30 * minute}}})
	if b := f.back(t, "b"); !b.Likely.Equal(f.now.Add(20*minute)) || b.Basis.In(nil) != "the allowance" {
		t.Errorf("by the limit: %+v", b)
	}
	for i, used := range []int64{1500, 1800, 2100, 0} {
		f.agent(string(rune('c'+i)), model.Ready, "", minute, used)
	}
	f.look()
	if b := f.back(t, "b"); !b.Likely.Equal(f.now.Add(20*minute)) || b.Basis.In(nil) != "what 3 others took today in total" {
		t.Errorf("by the totals of others: %+v", b)
	}
}

// TestOverTheLimit checks the limits per break and per day; unknown values do not
// exceed them.
func TestOverTheLimit(t *testing.T) {
	t.Parallel()
	f := newFloor()
	f.SetLimits(breaks.Limits{Codes: []breaks.Limit{{Code: "LUNCH", PerDay: 45 * minute, PerBreak: 30 * minute}}})
	f.agent("over", model.NotReady, "LUNCH", 31*minute, 2760)
	f.agent("fine", model.NotReady, "LUNCH", 29*minute, 2700)
	f.agent("on a call before lunch", model.NotReadyBusy, "LUNCH", 31*minute, 2760)
	f.agent("unknown", model.NotReady, "LUNCH", -1, -1)
	f.agent("busy", model.Busy, "LUNCH", time.Hour, 9000)
	f.look()
	over, _ := f.BreakOf("over", f.now)
	if over.OverBreakLimit != minute || over.OverDayLimit != minute {
		t.Errorf("over: %+v", over)
	}
	if call, is := f.BreakOf("on a call before lunch", f.now); is {
		t.Errorf("an agent on a call is on a break: %+v", call)
	}
	if fine, _ := f.BreakOf("fine", f.now); fine.OverBreakLimit != 0 || fine.OverDayLimit != 0 {
		t.Errorf("fine: %+v", fine)
	}
	unknown, ok := f.BreakOf("unknown", f.now)
	if !ok || unknown.OverBreakLimit != 0 || unknown.OverDayLimit != 0 || !unknown.Since.IsZero() || unknown.UsedToday.Known() || !unknown.Return.Likely.IsZero() || unknown.Return.IsOverdue {
		t.Errorf("unknown: %+v", unknown)
	}
	var order []string
	for _, a := range f.AgentsOnBreak(f.now) {
		order = append(order, a.Username)
	}
	if got := strings.Join(order, " "); got != "fine unknown over" {
		t.Errorf("the list is %s", got)
	}
	got := strings.Join(words.AllIn(over.Lines("Lunch", f.now, time.UTC), nil), " ")
	want := "On Lunch since 11:29, for 31 min: 1 min longer than allowed. Today 46 min: 1 min over the allowance of 45 min. " +
		"Return time unknown: too few such breaks seen so far."
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestWhatIsNoLength checks that no length is recorded after a logout, a gap or a stale
// feed, or if the clock was set back.
func TestWhatIsNoLength(t *testing.T) {
	t.Parallel()
	for name, ends := range map[string]func(*floor){
		"logged out": func(f *floor) { f.store.UserStats.Delete(model.UserStatKey{Username: "a", Channel: model.Call}) },
		"a gap":      func(f *floor) { f.now = f.now.Add(time.Hour); f.agent("a", model.Ready, "", 0, -1) },
		"stale":      func(f *floor) { f.sub = model.SubStale; f.agent("a", model.Ready, "", 0, -1) },
		"set back":   func(f *floor) { f.now = f.now.Add(-time.Hour); f.agent("a", model.Ready, "", 0, -1) },
	} {
		f := newFloor()
		f.look()
		for range 4 {
			f.sub = model.SubLive
			f.agent("a", model.NotReady, "LUNCH", 0, -1)
			f.look()
			f.after(10 * minute)
			ends(f)
			f.look()
		}
		f.sub = model.SubLive
		f.agent("b", model.NotReady, "LUNCH", minute, -1)
		f.look()
		if b := f.back(t, "b"); !b.Likely.IsZero() || b.IsOverdue || !b.Basis.IsZero() {
			t.Errorf("%s makes a usual length: %+v", name, b)
		}
	}
}

// TestAnotherCodeInTheSameState checks that a changed code begins when it was observed,
// because the start of the state belongs to the previous code.
func TestAnotherCodeInTheSameState(t *testing.T) {
	t.Parallel()
	f := newFloor()
	f.agent("a", model.NotReady, "MEETING", 40*minute, -1)
	f.look()
	f.after(10 * time.Second)
	f.agent("a", model.NotReady, "LUNCH", 40*minute, -1)
	f.look()
	if a, _ := f.BreakOf("a", f.now); a.Code != "LUNCH" || !a.Since.Equal(f.now) {
		t.Errorf("the break is %+v", a)
	}
}
