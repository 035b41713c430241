package ui

import (
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/breaks"
	"wallboard/model"
	"wallboard/ui/snapshot"
)

// TestBreakOfAnAgent checks the agent's details: start of the break, overrun and expected
// return.
func TestBreakOfAnAgent(t *testing.T) {
	t.Parallel()
	f := quietFloor()
	r := *f.UserStats.Rows()[0]
	r.Status, r.ActivityCode, r.TimeInState = model.NotReady, model.TextOf("LUNCH"), model.InstantOf(startTime().Add(-20*time.Minute))
	r.TimeInActivityCode = []model.ActivityTime{{ActivityCode: "LUNCH", TotalTime: known(2760)}}
	f.UserStats.Put(&r)
	limits := []breaks.Limit{{Code: "LUNCH", PerDay: 45 * time.Minute, PerTime: 30 * time.Minute}}
	b := newBoardOn(t, f, 120, 40, func(o *Options) { o.Breaks = breaks.Limits{Codes: limits} })
	b.pass(time.Second)
	b.press("4", "enter")
	b.shows("On LUNCH since 10:22, for 20 min.")
	b.shows("Today 46 min: 1 min more than the 45 min")
	b.shows("Likely back about 10:52, by what is allowed.")
	back := r
	back.Status, back.ActivityCode = model.Ready, model.Text{}
	f.UserStats.Put(&back)
	b.publish()
	b.pass(time.Second)
	b.hides("Likely back")
}

// TestKindOfABreak checks that the limit of a break and its source are shown in the details
// and in the explanation.
func TestKindOfABreak(t *testing.T) {
	t.Parallel()
	f := quietFloor()
	r := *f.UserStats.Rows()[0]
	r.Status, r.ActivityCode, r.TimeInState = model.NotReady, model.TextOf("LUNCH"), model.InstantOf(startTime().Add(-time.Hour+5*time.Second))
	f.UserStats.Put(&r)
	book := breaks.NewAllowances(nil, nil)
	b := newBoardOn(t, f, 120, 40, func(o *Options) {
		o.Breaks = breaks.Limits{Kinds: book}
		engine, err := alert.New(alert.Options{Rules: alert.DefaultRules(), Goal: alert.DefaultGoal(), Breaks: book})
		if err != nil {
			t.Fatal(err)
		}
		o.Alerts = engine
	})
	b.pass(time.Second)
	b.press("4", "enter")
	b.shows("Allowed: 1 h 00 min (lunch, guessed from the name).")
	b.press("w")
	b.hides("1:00:00 allowed")
	b.pass(10 * time.Second)
	b.press("w")
	b.shows("1:00:00 allowed: lunch, guessed from the name")
	b.press("f")
	b.shows("kind of break")
	b.shows("warning from")
}

// TestBreaksPage checks the page about breaks: who is on one, what exceeds a limit, the breaks of the
// day after the return and after the logout, and that enter opens the agent.
func TestBreaksPage(t *testing.T) {
	t.Parallel()
	f := quietFloor()
	away := *f.UserStats.Rows()[0]
	away.Status, away.ActivityCode, away.TimeInState = model.NotReady, model.TextOf("LUNCH"), model.InstantOf(startTime().Add(-20*time.Minute))
	away.TimeInActivityCode = []model.ActivityTime{{ActivityCode: "LUNCH", TotalTime: known(2760)}}
	f.UserStats.Put(&away)
	limits := []breaks.Limit{{Code: "LUNCH", PerDay: 45 * time.Minute, PerTime: 15 * time.Minute}}
	b := newBoardOn(t, f, 120, 40, func(o *Options) { o.Breaks = breaks.Limits{Codes: limits} })
	b.pass(time.Second)
	b.press("B")
	b.shows("1 agent is on a break", "1 over a limit")
	name := away.Surname.String() + " " + away.Name.String()
	b.shows(name, "LUNCH", "10:22", "20:01", "15:00", "5:01", "46:00", "45:00")
	b.shows("LUNCH, now")
	b.press("enter")
	b.shows("On LUNCH since 10:22")
	b.press("esc")
	back := away
	back.Status, back.ActivityCode, back.TimeInState = model.Ready, model.Text{}, model.InstantOf(startTime())
	f.UserStats.Put(&back)
	b.publish()
	b.pass(2 * time.Second)
	b.shows("No agent is on a break.")
	b.hides("LUNCH, now")
	b.shows(name, "20:00")
	f.UserStats.Delete(back.Key())
	b.publish()
	b.pass(2 * time.Second)
	b.shows(name, "20:00")
}

// TestBreaksPageWithoutLimits checks that the page has no column about limits per day if there are
// none, and shows the platform's count of breaks that were not observed.
func TestBreaksPageWithoutLimits(t *testing.T) {
	t.Parallel()
	b := newBoardOn(t, quietFloor(), 120, 40)
	b.press("B")
	b.hides("Per day")
	b.shows("No agent is on a break.")
	b.pass(2 * time.Second)
	b.shows("Müller Jürgen", "Break", "10:11")
}

// TestBreaksPageOpensServices checks that a row of the services that can spare agents stands for the
// service, not for an agent of that name.
func TestBreaksPageOpensServices(t *testing.T) {
	t.Parallel()
	b := newBoardOn(t, newTestFloor(40), 120, 40)
	b.pass(time.Second)
	b.press("B", "tab")
	if kind, key, _, ok := b.pages.currentPage().PointedRecord(); !ok || kind != snapshot.Service || b.floor.Services.Get(model.ServiceKey{Code: key, Channel: model.Call}) == nil {
		t.Errorf("it points at %v %q", kind, key)
	}
	b.press("enter")
	b.shows("Service level on Calls")
}
