package ui

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/ui/pages"
	"wallboard/ui/uitest"
)

// switchController is a platform that rejects the start and stop of some campaigns.
type switchController struct {
	*floorController

	rejects map[int]bool
}

func (c *switchController) StopCampaign(_ context.Context, s resource.CampaignSwitch) words.ActionReport {
	if r := c.Act(s); !c.rejects[s.ID] {
		return r
	}
	return words.ActionReport{Outcome: resource.OutcomeRejected, Text: words.Name(tooLate)}
}

func (c *switchController) StartCampaign(ctx context.Context, s resource.CampaignSwitch) words.ActionReport {
	return c.StopCampaign(ctx, s)
}

// ids returns the campaigns that were started or stopped.
func (c *switchController) ids() (out []int) {
	for _, r := range c.Changes {
		if s, ok := r.(resource.CampaignSwitch); ok {
			out = append(out, s.ID)
		}
	}
	slices.Sort(out)
	return out
}

// newSwitching opens the page Campaigns with five campaigns named One to Five, of which
// the first four run.
func newSwitching(t *testing.T, w, h int, rejected ...int) (*board, *switchController) {
	t.Helper()
	c := &switchController{newFloorController(done()), make(map[int]bool)}
	for _, id := range rejected {
		c.rejects[id] = true
	}
	b := newActing(t, c, w, h, pages.Campaigns)
	for i, name := range []string{"One", "Two", "Three", "Four", "Five"} {
		r := &model.Campaign{CampaignID: known(int64(9001 + i)), Name: name, ToDoContacts: known(10), UsedChannels: known(0), AllocatedChannels: known(0)}
		if i < 4 {
			r.UsedChannels, r.AllocatedChannels, r.RingingContacts = known(2), known(4), known(1)
		}
		b.floor.Campaigns.Put(r)
	}
	for r := range b.scene.floor.Newest.Campaigns.All() {
		if r.Key() < 9000 {
			b.floor.Campaigns.Delete(r.Key())
		}
	}
	b.publish()
	b.pass(time.Second)
	return b, c
}

// mark marks rows of the focused table.
func (b *board) mark(rows ...string) {
	b.t.Helper()
	for _, row := range rows {
		if !b.pages.CurrentPage().Focused().Table.Select(row) {
			b.t.Fatal("no row", row, b.text())
		}
		b.press("space")
	}
}

// TestMarkedCampaignsAreStopped stops five marked campaigns after one question; each has
// an outcome of its own.
func TestMarkedCampaignsAreStopped(t *testing.T) {
	t.Parallel()
	b, c := newSwitching(t, 120, 40, 9003)
	b.mark("9001", "9002", "9003", "9004", "9005")
	b.says("5 marked", "esc clear 5 marks")
	b.press("x")
	b.says("Stop 5 campaigns?", "Five, Four, One, Three, Two")
	if len(c.Changes) > 0 {
		t.Fatalf("stopped without an answer: %v", c.Changes)
	}
	b.press("y")
	if got := len(c.ids()); got != 5 {
		t.Errorf("%d campaigns were asked to stop: %v", got, c.ids())
	}
	b.says("4 confirmed, 1 rejected: Three", "✗ Three: rejected. "+tooLate, "✓ One: confirmed")
	b.press("esc")
	b.hides("marked")
	b.press("i")
	if n := strings.Count(b.text(), "Stop campaign"); n < 5 {
		t.Errorf("the log has %d actions\n%s", n, b.text())
	}
}

func TestAllConfirmedClosesTheOutcomes(t *testing.T) {
	t.Parallel()
	b, c := newSwitching(t, 120, 40)
	b.mark("9001", "9002")
	b.press("a")
	b.says("2 marked campaigns", "d  start", "x  stop")
	b.press("x", "y")
	if diff := cmp.Diff([]int{9001, 9002}, c.ids()); diff != "" {
		t.Error(diff)
	}
	if b.dialogs.Top() != nil {
		t.Error("a dialog is open\n", b.text())
	}
	b.shows("Stop campaign: 2 confirmed")
}

// TestMarksStayOnTheirRecords sorts, turns pages and filters while rows are marked.
func TestMarksStayOnTheirRecords(t *testing.T) {
	t.Parallel()
	b, _ := newSwitching(t, 120, 40)
	b.mark("9002")
	check := func(when string) {
		t.Helper()
		line, _ := b.row("Two")
		if !strings.Contains(line, "■") || strings.Count(b.text(), "■") != 1 {
			t.Errorf("%s: the mark is not on its row\n%s", when, b.text())
		}
	}
	check("marked")
	b.press("S")
	check("reversed")
	b.press("s")
	check("sorted")
	b.press("1", "5")
	check("page turned")
	b.press("/")
	b.words("five")
	b.shows("1 marked")
	b.press("esc")
	check("filter cleared")
	b.press("esc")
	b.hides("■")
	b.hides("marked")
}

// TestMarkVanishesWithItsRecord deletes a marked campaign before the question, and another
// one while the question is open.
func TestMarkVanishesWithItsRecord(t *testing.T) {
	t.Parallel()
	b, c := newSwitching(t, 120, 40)
	b.mark("9001", "9002", "9003")
	b.floor.Campaigns.Delete(9001)
	b.publish()
	b.pass(time.Second)
	b.shows("2 marked")
	b.press("x")
	b.says("Stop 2 campaigns?", "Left out: One has disappeared since it was marked.")
	b.floor.Campaigns.Delete(9002)
	b.publish()
	b.pass(time.Second)
	b.says("Left out: The platform no longer sends figures for Two.")
	b.press("y")
	if diff := cmp.Diff([]int{9003}, c.ids()); diff != "" {
		t.Error(diff)
	}
	b.says("1 confirmed, 1 not sent: Two")
}

// TestRenamedCampaignIsRefused gives the id of a marked campaign to another one.
func TestRenamedCampaignIsRefused(t *testing.T) {
	t.Parallel()
	b, c := newSwitching(t, 120, 40)
	b.mark("9001", "9002")
	renamed := *b.floor.Campaigns.Get(9001)
	renamed.Name = "Another"
	b.floor.Campaigns.Put(&renamed)
	b.publish()
	b.pass(time.Second)
	b.press("x")
	b.says("Stop 1 campaign?", "Left out: One is called Another now.")
	b.press("y")
	if diff := cmp.Diff([]int{9002}, c.ids()); diff != "" {
		t.Error(diff)
	}
}

// TestMarksNeedTheRightToAct marks rows on a read-only board, and acts without a permission.
func TestMarksNeedTheRightToAct(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40)
	b.press("5", "space")
	b.shows("This board is read-only")
	b.hides("marked")

	acting, c := newSwitching(t, 120, 40)
	c.Refused = "Your profile may not start or stop campaigns."
	acting.mark("9001", "9002")
	acting.press("x")
	acting.says("Your profile may not start or stop campaigns.")
	if len(c.Changes) > 0 {
		t.Error(c.Changes)
	}
}

func TestOnlyRowsWithActionsAreMarked(t *testing.T) {
	t.Parallel()
	b, c := newSwitching(t, 120, 40)
	b.press("9", "space")
	b.shows("This row cannot be marked: it has no actions and no alert.")
	b.press("5")
	b.mark("9001", "9002")
	b.press("e")
	b.shows("This works on one row at a time; esc clears the marks.")
	if b.dialogs.Top() != nil || len(c.Changes) > 0 {
		t.Error("an action began", b.text())
	}
}

// TestRecordMarkedAgents records the calls of marked agents; an agent without a call is
// left out, and so is a call that has ended.
func TestRecordMarkedAgents(t *testing.T) {
	t.Parallel()
	c := newFloorController(done())
	c.CallsText = strings.TrimSuffix(uitest.OneCallJSON, "]") + `,{"uniqueId":"call-0","start":"2026-03-02T10:31:00Z","end":"2026-03-02T10:40:00Z"}]`
	b := newActing(t, c, 120, 40, pages.Agents)
	var onCall, free string
	for r := range b.scene.floor.Newest.UserStats.All() {
		switch {
		case r.Channel != model.Call:
		case r.Status == model.Busy:
			onCall = r.Username.String()
		case r.Status == model.Ready:
			free = r.Username.String()
		}
	}
	b.mark(onCall, free)
	b.press("v")
	b.says("Record 1 agent?", "is not on a call.")
	b.press("y")
	if diff := cmp.Diff([]any{resource.Recording{Username: onCall, CallID: "call-1"}}, c.Changes); diff != "" {
		t.Error(diff, b.text())
	}
}

// TestMarksAmongManyAgents marks some of 5,000 agents. Then all agents but one vanish.
func TestMarksAmongManyAgents(t *testing.T) {
	t.Parallel()
	f := newTestFloor(5000)
	c := newFloorController(done())
	b := newBoardOn(t, f, 120, 40, func(o *Options) { o.Actions.Controller = controllerOf(c) })
	b.press("4")
	table := b.pages.CurrentPage().Focused().Table
	for range 40 {
		b.press("space")
	}
	b.shows("40 marked")
	kept := table.Marks.All()[0].Key
	for r := range b.scene.floor.Newest.UserStats.All() {
		if r.Username.String() != kept {
			f.UserStats.Delete(r.Key())
		}
	}
	for u := range b.scene.floor.Newest.Users.All() {
		if u.Key() != kept {
			f.Users.Delete(u.Key())
		}
	}
	b.publish()
	b.pass(time.Second)
	b.shows("1 marked")
	if n := len(table.Marks.Vanished()); n != 39 {
		t.Error(n, "marks vanished")
	}
}

// TestStopAllCampaigns stops and starts all campaigns from the palette of another page.
func TestStopAllCampaigns(t *testing.T) {
	t.Parallel()
	for line, tt := range map[string]struct {
		question string
		want     []int
	}{
		"stop all campaigns":  {"Stop 4 campaigns?", []int{9001, 9002, 9003, 9004}},
		"stop all":            {"Stop 4 campaigns?", []int{9001, 9002, 9003, 9004}},
		"start all campaigns": {"Start 1 campaign?", []int{9005}},
	} {
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			b, c := newSwitching(t, 120, 40)
			b.press("2", ":")
			b.words(line)
			b.press("enter")
			b.shows(tt.question)
			b.press("y")
			if diff := cmp.Diff(tt.want, c.ids()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestNoCampaignToStop(t *testing.T) {
	t.Parallel()
	b, c := newSwitching(t, 120, 40)
	for i := range 4 {
		b.floor.Campaigns.Delete(int64(9001 + i))
	}
	b.publish()
	b.pass(time.Second)
	b.press(":")
	b.words("stop all")
	b.press("enter")
	b.shows("No campaign is running.")
	if len(c.Changes) > 0 {
		t.Error(c.Changes)
	}
}

// TestMarkedAlertsAreTakenOver takes over the alerts of marked rows with one note, on the
// page Services and on the page Situations of a read-only board.
func TestMarkedAlertsAreTakenOver(t *testing.T) {
	t.Parallel()
	for _, page := range []string{"2", "7"} {
		b := newBoard(t, 120, 40, func(o *Options) { o.Actions.User = "anna" })
		b.press(page, "space", "space")
		b.shows("clear 2 marks")
		want := len(b.pages.Selection().MarkedAlerts(b.scene.paneScene(), b.scene.alerts))
		if want < 2 {
			t.Fatalf("page %s: %d alerts are marked\n%s", page, want, b.text())
		}
		b.press("m")
		b.shows(strconv.Itoa(want) + " alerts. Each goes below the others")
		b.press("ctrl+s")
		b.shows(strconv.Itoa(want) + " alerts taken by anna")
		taken := 0
		for _, a := range b.scene.Alerts.Active() {
			if a.Ack.By == "anna" {
				taken++
			}
		}
		if taken != want {
			t.Errorf("page %s: %d alerts are taken, want %d", page, taken, want)
		}
		b.hides("clear 2 marks")
	}
}

// TestMarkedRowsTakeNoActionOfOthers checks that keys of actions on agents and campaigns do nothing while
// services are marked.
func TestMarkedRowsTakeNoActionOfOthers(t *testing.T) {
	t.Parallel()
	b := newActing(t, newFloorController(done()), 120, 40, pages.Situations)
	b.press("space", "x")
	b.shows("No action applies to several of these rows; esc clears the marks.")
	if b.dialogs.Top() != nil {
		t.Error("a dialog is open\n", b.text())
	}
}
