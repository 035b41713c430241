package ui

import (
	"testing"
	"time"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/ui/pages"
)

// How long an action is pending on a row, and how long its end is shown.
const (
	patience  = 30 * time.Second
	markLasts = 10 * time.Second
)

func TestMarkFollowsTheFeed(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		report words.ActionReport
		change func(*board)
		wait   time.Duration
		want   string
	}{
		"at once":       {done(), func(*board) {}, 0, " ◌"},
		"shown":         {done(), func(b *board) { b.floor.agentOn(0, model.BusyDNCallOut, b.Now) }, time.Second, " ✓"},
		"another state": {done(), func(b *board) { b.floor.agentOn(0, model.NotReady, b.Now) }, time.Second, " ◌"},
		"a contact":     {done(), func(b *board) { b.floor.agentOn(0, model.Busy, b.Now) }, time.Second, " ✓"},
		"unknown, a contact": {
			unknown(), func(b *board) { b.floor.agentOn(0, model.Busy, b.Now) }, time.Second, " ?",
		},
		"an older call": {done(), func(b *board) { b.floor.agentOn(0, model.BusyDNCallOut, startTime().Add(-time.Minute)) }, time.Second, " ◌"},
		"a slow clock":  {done(), func(b *board) { b.floor.agentOn(0, model.BusyDNCallOut, b.Now.Add(-10*time.Second)) }, time.Second, " ✓"},
		"unknown, before": {
			unknown(), func(b *board) { b.floor.agentOn(0, model.BusyDNCallOut, b.Now.Add(-10*time.Second)) }, time.Second, " ?",
		},
		"never":          {done(), func(*board) {}, patience, " ?"},
		"unknown":        {unknown(), func(*board) {}, time.Second, " ?"},
		"unknown, shown": {unknown(), func(b *board) { b.floor.agentOn(0, model.BusyDNCallOut, b.Now) }, time.Second, " ✓"},
		"rejected":       {words.ActionReport{Outcome: resource.OutcomeRejected, Text: words.Name("No.")}, func(*board) {}, time.Second, " ✗"},
		"faded":          {words.ActionReport{Outcome: resource.OutcomeRejected, Text: words.Name("No.")}, func(*board) {}, markLasts, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newActing(t, newFloorController(tt.report), 120, 40, pages.Agents)
			b.floor.agentOn(0, model.Ready, startTime().Add(-time.Hour))
			b.publish()
			b.pages.CurrentPage().Focused().Table.Select(agentName(0))
			b.press("d")
			b.words("123")
			b.submit()
			b.press("esc") // closes the dialog with the outcome
			b.pass(tt.wait)
			tt.change(b)
			b.publish()
			if tt.want == "" {
				b.hides("dial")
				return
			}
			b.shows(tt.want)
			b.press("enter")
			b.says("Requested", "Dial: requested at 10:42:17")
		})
	}
}

func TestMarksGoAndCostNothing(t *testing.T) {
	t.Parallel()
	b := newActing(t, newFloorController(done()), 120, 40, pages.Agents)
	b.press("v", "y") // the feed does not show recordings, so the outcome determines the mark
	b.shows(" ✓")
	b.pass(markLasts)
	b.hides(" ✓")
	if b.actions.PendingMarks() != nil {
		t.Error("marks are left over")
	}
}

func TestMarkOfACampaign(t *testing.T) {
	t.Parallel()
	b := newActing(t, newFloorController(done()), 120, 40, pages.Campaigns)
	b.pages.CurrentPage().Focused().Table.Select("7001")
	b.press("d", "y")
	b.shows(" ◌")
	moved := *b.floor.Campaigns.Get(7001)
	moved.UsedChannels = known(moved.UsedChannels.Or(0) + 3)
	b.floor.Campaigns.Put(&moved)
	b.publish()
	b.shows(" ✓")
}

// TestMarkOfACampaignThatDrains checks that a stopped campaign with ongoing conversations is not in
// doubt.
func TestMarkOfACampaignThatDrains(t *testing.T) {
	t.Parallel()
	b := newActing(t, newFloorController(done()), 120, 40, pages.Campaigns)
	put := func(allocated, used, talking int64) {
		c := *b.floor.Campaigns.Get(7001)
		c.AllocatedChannels, c.UsedChannels, c.TalkingContacts = known(allocated), known(used), known(talking)
		c.RingingContacts = known(used - talking)
		b.floor.Campaigns.Put(&c)
		b.publish()
	}
	b.pages.CurrentPage().Focused().Table.Select("7001")
	put(8, 5, 0)
	b.press("x", "y")
	put(3, 3, 3)
	b.pass(patience)
	b.shows(" ◌")
	put(8, 3, 3)
	b.pass(time.Second)
	b.shows(" ?")
	put(0, 0, 0)
	b.shows(" ✓")
}

func TestRefusedSecondOrderDoesNotHideTheFirst(t *testing.T) {
	t.Parallel()
	c := newFloorController(done())
	b := newActing(t, c, 120, 40, pages.Agents)
	b.press("d")
	b.words("123")
	b.submit()
	c.Report = words.ActionReport{Outcome: resource.OutcomeRejected, Text: words.Name("Another call for her is already under way.")}
	b.press("x", "y", "esc")
	b.shows(" ◌")
}

func TestLaterStartTakesTheOpenStopAway(t *testing.T) {
	t.Parallel()
	b := newActing(t, newFloorController(done()), 120, 40, pages.Campaigns)
	b.pages.CurrentPage().Focused().Table.Select("7001")
	b.press("x", "y")
	b.press("d")
	b.shows("Stop campaign: requested at 10:42:17, still pending.")
	b.press("esc", "enter")
	b.shows("platform accepted it; calls")
	b.press("esc")
	b.press("d", "y")
	if rows := b.actions.PendingMarks().Campaigns; len(rows) != 1 || rows["7001"].Word != "start" {
		t.Errorf("%+v", rows)
	}
}
