package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"wallboard/internal/alert/breaks"
	"wallboard/model"
	"wallboard/ui/panes"
	"wallboard/ui/snapshot"
	"wallboard/ui/table"
)

// late returns a floor with one agent over the limit of wrap-up; all others are ready.
func late(t *testing.T) (*testFloor, string) {
	t.Helper()
	f := quietFloor()
	for i := range 12 {
		f.putAgent(i, 0)
	}
	for _, r := range f.UserStats.Rows() {
		one := *r
		one.Status, one.TimeInState = model.Ready, model.InstantOf(startTime())
		f.UserStats.Put(&one)
	}
	r := *f.UserStats.Rows()[3]
	r.Status, r.TimeInState = model.WNR, model.InstantOf(startTime().Add(-5*time.Minute))
	f.UserStats.Put(&r)
	return f, r.Username.String()
}

func wrapUpLimit(o *Options) {
	o.Breaks = breaks.Limits{States: map[model.UserStatus]time.Duration{model.WNR: 2 * time.Minute, model.Ready: time.Hour}}
}

// TestLimitOfTheAgentsOfAService checks that the limit is shown beside the time at 80x24.
func TestLimitOfTheAgentsOfAService(t *testing.T) {
	t.Parallel()
	for name, size := range map[string][2]int{"120": {120, 40}, "160": {160, 45}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, who := late(t)
			b := newBoardOn(t, f, size[0], size[1], wrapUpLimit)
			b.pass(time.Second)
			b.send(panes.OpenMsg{Kind: snapshot.Service, Key: f.Users.Get(who).Services[0]})
			table := b.pages.page().Focused()
			if got := table.Table.VisibleColumns(); !strings.Contains(strings.Join(got, " "), "limit") {
				t.Errorf("the columns are %v", got)
			}
			b.shows("+3:01")
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
				b := newBoardOn(t, f, size[0], size[1], wrapUpLimit, func(o *Options) { o.ASCII = ascii })
				b.pass(time.Second)
				b.press("4")
				golden.RequireEqual(t, b.text())
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
	b.pass(time.Second)
	rows := func() (n int) {
		_, n, _ = b.pages.page().Focused().Table.Position()
		return n
	}
	b.press("4")
	all := rows()
	b.press("!")
	if got := rows(); got != 1 || b.selected() != who {
		t.Fatalf("%d agents, the cursor at %s; want %s alone", got, b.selected(), who)
	}
	b.shows("rows with an alert: 1 of ")
	b.press("/")
	b.words("nobody")
	b.press("enter")
	b.shows(`Nothing with an alert matches "nobody"`)
	b.press("esc")
	b.shows("rows with an alert: 1 of ")
	b.press("enter", "esc") // was looked at: the cursor stays with it
	r := *f.UserStats.Get(model.UserStatKey{Username: who, Channel: model.Call})
	r.Status, r.TimeInState = model.Ready, model.InstantOf(b.Now)
	f.UserStats.Put(&r)
	b.publish()
	b.pass(time.Second)
	b.shows("this one left the rows with an alert: 0 of ")
	b.press("esc")
	if got := rows(); got != all || b.selected() != who {
		t.Errorf("%d of %d agents are back, the cursor is at %s", got, all, b.selected())
	}
	b.press("6", "!")
	b.shows("There are no alerts about attendants.")
}

// TestGravestComesIntoView checks that the worst row scrolls into view while the viewer has
// not selected another.
func TestGravestComesIntoView(t *testing.T) {
	t.Parallel()
	f, who := late(t)
	over := func(name string, since time.Duration) {
		r := *f.UserStats.Get(model.UserStatKey{Username: name, Channel: model.Call})
		r.Status, r.TimeInState = model.WNR, model.InstantOf(startTime().Add(-since))
		if since == 0 {
			r.Status = model.Ready // without a limit
		}
		f.UserStats.Put(&r)
	}
	over(who, 0)
	b := newBoardOn(t, f, 80, 12, wrapUpLimit)
	b.pass(time.Second)
	b.press("4")
	first := b.selected()
	if first == who {
		t.Fatalf("%s is the first already", who)
	}
	over(who, 5*time.Minute)
	b.publish()
	b.pass(time.Second)
	if got := b.selected(); got != who {
		t.Errorf("the cursor is at %s, want the one over their limit, %s", got, who)
	}
	b.hides("out of view")
	b.hides("more above")

	b.press("w", "esc") // was asked about
	over(first, 20*time.Minute)
	b.publish()
	b.pass(time.Second)
	if got := b.selected(); got != who {
		t.Errorf("the cursor went from who was asked about, %s, to %s", who, got)
	}
	b.press("home")
	over(who, 40*time.Minute)
	b.publish()
	b.pass(time.Second)
	if got := b.selected(); got != who {
		t.Errorf("after home the cursor is at %s, want the first, %s", got, who)
	}

	// Another agent has just become first: the key was meant for the previous one.
	over(first, 60*time.Minute)
	b.publish()
	b.pass(table.ReactionTime / 2)
	if got := b.selected(); got != first {
		t.Errorf("the cursor is at %s, want the first, %s", got, first)
	}
	if b.press("w", "esc"); b.selected() != who {
		t.Errorf("asked about %s, want who was first until a moment ago, %s", b.selected(), who)
	}
}
