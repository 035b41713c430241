package pages_test

import (
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/breaks"
	"wallboard/model"
	"wallboard/ui"
	"wallboard/ui/floorview"
	"wallboard/ui/kiosk"
	"wallboard/ui/uitest"
	"wallboard/ui/uitest/boardtest"
)

// TestBreakOfAnAgent checks the agent's details: start of the break, overrun and expected
// return.
func TestBreakOfAnAgent(t *testing.T) {
	t.Parallel()
	f := uitest.NewQuietFloor()
	r := *f.UserStats.Rows()[0]
	r.Status, r.ActivityCode, r.TimeInState = model.NotReady, model.TextOf("LUNCH"), model.InstantOf(uitest.StartTime().Add(-20*time.Minute))
	r.TimeInActivityCode = []model.ActivityTime{{ActivityCode: "LUNCH", TotalTime: uitest.KnownInt(2760)}}
	f.UserStats.Put(&r)
	limits := []breaks.Limit{{Code: "LUNCH", PerDay: 45 * time.Minute, PerBreak: 30 * time.Minute}}
	b := boardtest.NewWithFloor(t, f, 120, 40, func(o *ui.Options) { o.Targets.Breaks = breaks.Limits{Codes: limits} })
	b.AdvanceClock(time.Second)
	b.Press("4", "enter")
	b.CheckShows("On LUNCH since 10:22, for 20 min.")
	b.CheckShows("Today 46 min: 1 min over the allowance of 45 min.")
	b.CheckShows("Likely back about 10:52, based on the allowance.")
	back := r
	back.Status, back.ActivityCode = model.Ready, model.Text{}
	f.UserStats.Put(&back)
	b.Publish()
	b.AdvanceClock(time.Second)
	b.CheckHides("Likely back")
}

// TestKindOfABreak checks that the limit of a break and its source are shown in the details
// and in the explanation.
func TestKindOfABreak(t *testing.T) {
	t.Parallel()
	f := uitest.NewQuietFloor()
	r := *f.UserStats.Rows()[0]
	r.Status, r.ActivityCode, r.TimeInState = model.NotReady, model.TextOf("LUNCH"), model.InstantOf(uitest.StartTime().Add(-time.Hour+5*time.Second))
	f.UserStats.Put(&r)
	book := breaks.NewAllowances(nil, nil)
	b := boardtest.NewWithFloor(t, f, 120, 40, func(o *ui.Options) {
		o.Targets.Breaks = breaks.Limits{Kinds: book}
		o.Archive.Engine = func() (*alert.Engine, error) {
			return alert.New(alert.Options{Rules: alert.DefaultRules(), Goal: alert.DefaultGoal(), Breaks: book})
		}
	})
	b.AdvanceClock(time.Second)
	b.Press("4", "enter")
	b.CheckShows("Allowance 1 h 00 min (lunch, assumed from the name).")
	b.Press("w")
	b.CheckHides("1:00:00 allowed")
	b.AdvanceClock(10 * time.Second)
	b.Press("w")
	b.CheckShows("1:00:00 allowed: lunch, assumed from the name")
	b.Press("f")
	b.CheckShows("kind of break")
	b.CheckShows("warning from")
}

// TestBreaksPage checks the page about breaks: the agents on a break, the breaks over a limit, the breaks
// of the day after the return and after the logout, and that enter opens the agent.
func TestBreaksPage(t *testing.T) {
	t.Parallel()
	f := uitest.NewQuietFloor()
	away := *f.UserStats.Rows()[0]
	away.Status, away.ActivityCode, away.TimeInState = model.NotReady, model.TextOf("LUNCH"), model.InstantOf(uitest.StartTime().Add(-20*time.Minute))
	away.TimeInActivityCode = []model.ActivityTime{{ActivityCode: "LUNCH", TotalTime: uitest.KnownInt(2760)}}
	f.UserStats.Put(&away)
	limits := []breaks.Limit{{Code: "LUNCH", PerDay: 45 * time.Minute, PerBreak: 15 * time.Minute}}
	b := boardtest.NewWithFloor(t, f, 120, 40, func(o *ui.Options) { o.Targets.Breaks = breaks.Limits{Codes: limits} })
	b.AdvanceClock(time.Second)
	b.Press("B")
	b.CheckShows("1 agent is on a break", "1 over a limit")
	name := away.Surname.String() + " " + away.Name.String()
	b.CheckShows(name, "LUNCH", "10:22", "20:01", "15:00", "5:01", "46:00", "45:00")
	b.CheckShows("LUNCH, now")
	b.Press("enter")
	b.CheckShows("On LUNCH since 10:22")
	b.Press("esc")
	back := away
	back.Status, back.ActivityCode, back.TimeInState = model.Ready, model.Text{}, model.InstantOf(uitest.StartTime())
	f.UserStats.Put(&back)
	b.Publish()
	b.AdvanceClock(2 * time.Second)
	b.CheckShows("No one is on a break.")
	b.CheckHides("LUNCH, now")
	b.CheckShows(name, "20:00")
	f.UserStats.Delete(back.Key())
	b.Publish()
	b.AdvanceClock(2 * time.Second)
	b.CheckShows(name, "20:00")
}

// TestBreaksPageWithoutLimits checks that the page has no column about limits per day if there are
// none, and shows the platform's count of breaks that were not observed.
func TestBreaksPageWithoutLimits(t *testing.T) {
	t.Parallel()
	b := boardtest.NewWithFloor(t, uitest.NewQuietFloor(), 120, 40)
	b.Press("B")
	b.CheckHides("Per day", "Agent▲")
	b.CheckShows("No one is on a break.")
	for _, frame := range []string{"┏ B Breaks ━", "╭ Release planner ─", "╭ Who can leave ─", "╭ Today ─"} {
		b.CheckShows(frame)
	}
	b.Resize(119, 40)
	b.CheckShows("─ B Breaks ─")
	b.CheckHides("╭", "┏")
	b.Resize(120, 40)
	b.AdvanceClock(2 * time.Second)
	b.CheckShows("Müller Jürgen", "Break", "10:11")
}

// TestBreaksPageOnSmallScreens checks that each part of the page can be reached on a small screen, by a
// key and from the palette.
func TestBreaksPageOnSmallScreens(t *testing.T) {
	t.Parallel()
	b := boardtest.NewWithFloor(t, uitest.NewOverloadedFloor(20), 80, 18)
	b.AdvanceClock(2 * time.Second)
	b.Press("B")
	b.CheckShows("Release planner", "tab: who can leave, today")
	b.Press("tab")
	b.CheckShows("Waiting", "Next free")
	b.CheckHides("Release planner")
	b.Press("tab")
	b.CheckShows("Breaks", "Longest")
	b.Press("tab")
	b.CheckShows("Release planner")
	b.Resize(160, 45)
	b.CheckShows("Release planner")
	b.CheckHides("tab: who can leave")
	b.Resize(80, 18)
	b.CheckShows("Release planner", "tab: who can leave, today")
	b.Resize(120, 45)
	b.CheckHides("tab: who can leave")
	b.Resize(80, 18)
	for words, title := range map[string]string{"who can go": "Who can leave", "release": "Release planner"} {
		b.Press("1")
		b.Press(":")
		for _, r := range words {
			b.Press(string(r))
		}
		b.Press("enter")
		b.CheckShows(title)
	}
}

// TestBreaksPageOnSmallWall checks that a small wall shows the breaks of the day and names no keys,
// because nobody can press one.
func TestBreaksPageOnSmallWall(t *testing.T) {
	t.Parallel()
	b := boardtest.NewWithFloor(t, uitest.NewOverloadedFloor(20), 80, 18, func(o *ui.Options) {
		o.Kiosk = &kiosk.Options{Pages: []string{"Breaks"}, Dwell: 20 * time.Second}
	})
	b.AdvanceClock(2 * time.Second)
	b.CheckShows("Today", "as counted by the platform")
	b.CheckHides("tab:")
	b.CheckHides("Release planner")
}

// TestBreaksPageOpensServices checks that a row of the services that can spare agents stands for the
// service, not for an agent of that name.
func TestBreaksPageOpensServices(t *testing.T) {
	t.Parallel()
	b := boardtest.NewWithFloor(t, uitest.NewFloor(40), 120, 40)
	b.AdvanceClock(time.Second)
	b.Press("B", "tab")
	if kind, key, _, ok := b.Page().RecordUnderCursor(); !ok || kind != floorview.Service || b.Floor.Services.Get(model.ServiceKey{Code: key, Channel: model.Call}) == nil {
		t.Errorf("it points at %v %q", kind, key)
	}
	b.Press("enter")
	b.CheckShows("Service level on Calls")
}

// TestReleasePlannerSaysWhyNot checks that a board without shared observations says why there is no
// plan, and that the planner's keys do nothing there.
func TestReleasePlannerSaysWhyNot(t *testing.T) {
	t.Parallel()
	b := boardtest.NewWithFloor(t, uitest.NewQuietFloor(), 80, 24)
	b.Press("B")
	b.AdvanceClock(2 * time.Second)
	b.CheckShows("Release planner")
	b.CheckShows("No plan. It needs the live board.")
	b.Press("+", "-", "-")
	b.CheckShows("No plan. It needs the live board.")
}
