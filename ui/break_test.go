package ui

import (
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/breaks"
	"wallboard/model"
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
