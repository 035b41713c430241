package panes_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"wallboard/internal/alert/breaks"
	"wallboard/model"
	"wallboard/ui"
	"wallboard/ui/floorview"
	"wallboard/ui/panes"
	"wallboard/ui/table"
	"wallboard/ui/uitest"
)

// late returns a floor with one agent over the limit for wrap-up and the user name of that agent. All
// other agents are ready.
func late(t *testing.T) (*uitest.Floor, string) {
	t.Helper()
	f := uitest.NewQuietFloor()
	for i := range 12 {
		f.PutAgent(i, 0)
	}
	for _, r := range f.UserStats.Rows() {
		one := *r
		one.Status, one.TimeInState = model.Ready, model.InstantOf(uitest.StartTime())
		f.UserStats.Put(&one)
	}
	r := *f.UserStats.Rows()[3]
	r.Status, r.TimeInState = model.WNR, model.InstantOf(uitest.StartTime().Add(-5*time.Minute))
	f.UserStats.Put(&r)
	return f, r.Username.String()
}

func wrapUpLimit(o *ui.Options) {
	o.Targets.Breaks = breaks.Limits{States: map[model.UserStatus]time.Duration{model.WNR: 2 * time.Minute, model.Ready: time.Hour}}
}

// TestLimitOfTheAgentsOfAService checks that the limit is shown beside the time at 80x24.
func TestLimitOfTheAgentsOfAService(t *testing.T) {
	t.Parallel()
	for name, size := range map[string][2]int{"120": {120, 40}, "160": {160, 45}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, who := late(t)
			b := newBoardOn(t, f, size[0], size[1], wrapUpLimit)
			b.AdvanceClock(time.Second)
			b.Send(panes.OpenMsg{Kind: floorview.Service, Key: f.Users.Get(who).Services[0]})
			table := b.Page().Focused()
			if got := table.Table.VisibleColumns(); !strings.Contains(strings.Join(got, " "), "limit") {
				t.Errorf("the columns are %v", got)
			}
			b.CheckShows("3m over")
		})
	}
}

// TestGoldenUrgency compares the agents' page with limits with a golden file.
func TestGoldenUrgency(t *testing.T) {
	t.Parallel()
	for _, ascii := range []bool{false, true} {
		for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}} {
			t.Run(fmt.Sprintf("%dx%d/ascii=%t", size[0], size[1], ascii), func(t *testing.T) {
				t.Parallel()
				f, _ := late(t)
				b := newBoardOn(t, f, size[0], size[1], wrapUpLimit, func(o *ui.Options) { o.Display.ASCII = ascii })
				b.AdvanceClock(time.Second)
				b.Press("4")
				golden.RequireEqual(t, b.Text())
			})
		}
	}
}

// TestOnlyAlerts checks the restriction to agents over a limit, combined with a filter; esc
// removes one after the other.
func TestOnlyAlerts(t *testing.T) {
	t.Parallel()
	f, who := late(t)
	b := newBoardOn(t, f, 120, 40, wrapUpLimit)
	b.AdvanceClock(time.Second)
	rows := func() (n int) {
		_, n, _ = b.Page().Focused().Table.Position()
		return n
	}
	b.Press("4")
	all := rows()
	b.Press("!")
	if got := rows(); got != 1 || b.Selected() != who {
		t.Fatalf("%d agents, the cursor at %s; want %s alone", got, b.Selected(), who)
	}
	b.CheckShows("rows with an alert: 1 of ")
	b.Press("/")
	b.Type("nobody")
	b.Press("enter")
	b.CheckShows(`No match with an alert for "nobody"`)
	b.Press("esc")
	b.CheckShows("rows with an alert: 1 of ")
	b.Press("enter", "esc") // the viewer has opened the row, so the cursor stays on it
	r := *f.UserStats.Get(model.UserStatKey{Username: who, Channel: model.Call})
	r.Status, r.TimeInState = model.Ready, model.InstantOf(b.Now)
	f.UserStats.Put(&r)
	b.Publish()
	b.AdvanceClock(time.Second)
	b.CheckShows("this one left the rows with an alert: 0 of ")
	b.Press("esc")
	if got := rows(); got != all || b.Selected() != who {
		t.Errorf("%d of %d agents are back, the cursor is at %s", got, all, b.Selected())
	}
	b.Press("6", "!")
	b.CheckShows("There are no alerts about attendants.")
}

// TestGravestComesIntoView checks that the worst row scrolls into view while the viewer has
// not selected another.
func TestGravestComesIntoView(t *testing.T) {
	t.Parallel()
	f, who := late(t)
	over := func(name string, since time.Duration) {
		r := *f.UserStats.Get(model.UserStatKey{Username: name, Channel: model.Call})
		r.Status, r.TimeInState = model.WNR, model.InstantOf(uitest.StartTime().Add(-since))
		if since == 0 {
			r.Status = model.Ready // this state has no limit
		}
		f.UserStats.Put(&r)
	}
	over(who, 0)
	b := newBoardOn(t, f, 80, 12, wrapUpLimit)
	b.AdvanceClock(time.Second)
	b.Press("4")
	first := b.Selected()
	if first == who {
		t.Fatalf("%s is the first already", who)
	}
	over(who, 5*time.Minute)
	b.Publish()
	b.AdvanceClock(time.Second)
	if got := b.Selected(); got != who {
		t.Errorf("the cursor is at %s, want the one over their limit, %s", got, who)
	}
	b.CheckHides("out of view")
	b.CheckHides("more above")

	b.Press("w", "esc") // the viewer has asked about this row
	over(first, 20*time.Minute)
	b.Publish()
	b.AdvanceClock(time.Second)
	if got := b.Selected(); got != who {
		t.Errorf("the cursor moved from the agent of the question, %s, to %s", who, got)
	}
	b.Press("home")
	over(who, 40*time.Minute)
	b.Publish()
	b.AdvanceClock(time.Second)
	if got := b.Selected(); got != who {
		t.Errorf("after home the cursor is at %s, want the first, %s", got, who)
	}

	// If another agent has just become the first, a key still applies to the previous one.
	over(first, 60*time.Minute)
	b.Publish()
	b.AdvanceClock(table.ReactionTime / 2)
	if got := b.Selected(); got != first {
		t.Errorf("the cursor is at %s, want the first, %s", got, first)
	}
	if b.Press("w", "esc"); b.Selected() != who {
		t.Errorf("the question is about %s, want the agent who was first a moment ago, %s", b.Selected(), who)
	}
}
