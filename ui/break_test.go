package ui

import (
	"testing"
	"time"

	"wallboard/model"
	"wallboard/situation/breaks"
)

// TestBreakOfAnAgent stands in their details: since when, by how much over what is
// allowed, and when they are likely back.
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
