package ui

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"wallboard/model"
	"wallboard/model/resource"
)

func TestCampaignSwitch(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		row  string
		keys []string
		want []any
	}{
		"start":                  {"7001", []string{"d", "y"}, []any{resource.CampaignSwitch{ID: 7001}}},
		"start, clear":           {"7001", []string{"d", "up", "up", "space", "y"}, []any{resource.CampaignSwitch{ID: 7001, ResetStats: true}}},
		"not by enter":           {"7001", []string{"d", "enter"}, nil},
		"stop an idle one":       {"7001", []string{"x", "y"}, []any{resource.CampaignSwitch{ID: 7001}}},
		"stop while they talk":   {"7002", []string{"x", "y"}, []any{resource.CampaignSwitch{ID: 7002}}},
		"no stop by enter":       {"7002", []string{"x", "enter"}, nil},
		"running: stop is first": {"7002", []string{"a", "enter", "y"}, []any{resource.CampaignSwitch{ID: 7002}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newFloorController(done())
			b := newActing(t, c, 80, 24, pageCampaigns)
			b.pages.page().Focused().Table.Select(tt.row)
			b.press(tt.keys...)
			if diff := cmp.Diff(tt.want, c.Did); diff != "" {
				t.Error(diff, b.text())
			}
		})
	}
}

func TestEditCampaignShowsTheChange(t *testing.T) {
	t.Parallel()
	c := newFloorController(done())
	b := newActing(t, c, 100, 40, pageCampaigns)
	b.pages.page().Focused().Table.Select("7002")
	b.press("l")
	b.says("Settings of Survey", "Support Gold", "Spring", "disabled", "priority 2")
	b.press("e")
	b.submit()
	b.shows("Nothing was changed.")
	b.press("tab", "end", "backspace", "8")
	for range 6 {
		b.press("tab")
	}
	b.press("left") // the first list: yes -> not set
	b.submit()
	b.says("priority: 5 → 8", "list 5: enabled: yes → nothing")
	b.press("y")
	want := []resource.FieldChange{{Field: "priority", Old: "5", New: "8"}, {Field: "lists[5].enabled", Old: "yes"}}
	got := did[[]resource.FieldChange](t, c.Desk)
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(resource.FieldChange{}, "Label")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]bool{false}, c.Reset); diff != "" {
		t.Error(diff)
	}
	b.shows("Settings of Survey") // read again
	if n := strings.Count(strings.Join(c.Asked, ","), "campaign 7002"); n != 2 {
		t.Errorf("the campaign was read %d times", n)
	}
}

func TestCreateCampaign(t *testing.T) {
	t.Parallel()
	c := newFloorController(done())
	b := newActing(t, c, 100, 40, pageCampaigns)
	b.press(":")
	b.words("create a campaign")
	b.press("enter")
	b.fill("Summer", "SRV01", "", "yes", "3", "", "", "", "", "", "5 1\n51 2")
	b.submit()
	b.press("y")
	got := did[resource.Campaign](t, c.Desk)
	if got.Name != "Summer" || *got.Priority != 3 || len(got.Lists) != 2 || *got.Lists[1].ListID != 51 {
		t.Errorf("%+v", got)
	}
}

// TestStopIsFoundOnEveryPage stops a campaign by name from the page Services.
func TestStopIsFoundOnEveryPage(t *testing.T) {
	t.Parallel()
	c := newFloorController(done())
	b := newActing(t, c, 100, 30, pageServices)
	b.press(":")
	b.words("stop survey")
	b.press("enter", "y")
	if diff := cmp.Diff([]any{resource.CampaignSwitch{ID: 7002}}, c.Did); diff != "" {
		t.Error(diff, b.text())
	}
}

// TestStopIsNeverByEnterAlone checks that stop has a key of its own, and that enter alone
// stops nothing.
func TestStopIsNeverByEnterAlone(t *testing.T) {
	t.Parallel()
	c := newFloorController(done())
	b := newActing(t, c, 40, 12, pageCampaigns)
	b.pages.page().Focused().Table.Select("7002")
	b.press("x")
	b.says("Contacts are talking", "cut them off")
	b.press("tab", "enter") // only space ticks
	b.hides("[x]")
	b.press("up", "space")
	b.says("▌[x]", "space tick")
	b.press("esc")
	if len(c.Did) != 0 {
		t.Errorf("%v was done", c.Did)
	}
}

func TestStartOfARunningCampaign(t *testing.T) {
	t.Parallel()
	b := newActing(t, newFloorController(done()), 120, 40, pageCampaigns)
	b.pages.page().Focused().Table.Select("7002")
	b.press("d")
	b.shows("is running already. Start it once more?")
	arrive := b.later("y")
	moved := *b.floor.Campaigns.Get(7002)
	moved.StartedCalls = known(moved.StartedCalls.Or(0) + 3)
	b.floor.Campaigns.Put(&moved)
	b.publish() // that is no start
	if got := b.actions.Pending().Campaigns["7002"].Glyph; got != "◌" {
		t.Errorf("the feed has made it %s", got)
	}
	arrive()
	if got := b.actions.Pending().Campaigns["7002"].Glyph; got != "✓" {
		t.Errorf("the platform's word has made it %s", got)
	}
}

// TestFoundCampaignsHaveNames shows a campaign whose name only the configuration service
// has, wherever the board shows campaigns.
func TestFoundCampaignsHaveNames(t *testing.T) {
	t.Parallel()
	f := newTestFloor(12)
	found := *f.Campaigns.Get(7001) // it has no contacts left
	found.CampaignID, found.Name = known(9100), "Autumn offers"
	f.Campaigns.Put(&found)
	b := newBoardOn(t, f, 120, 40)
	b.press("5")
	b.shows("Autumn offers")
	b.pages.page().Focused().Table.Select("9100")
	b.press("enter")
	b.shows("Campaigns › Autumn offers")
	b.shows("Autumn offers (9100)")
	b.press("esc")
	for range 70 {
		b.pass(time.Second)
	}
	b.press("7")
	b.shows("Autumn offers")
	b.press(":")
	b.words("autumn")
	b.shows("campaign Autumn offers (9100)")
}

// TestFailedSearchIsShown lets the search for campaigns fail and succeed.
func TestFailedSearchIsShown(t *testing.T) {
	t.Parallel()
	f := newTestFloor(12)
	f.Health.Search = model.Search{Failed: "401 Unauthorized", Since: startTime().Add(-time.Minute), NextTry: startTime().Add(4 * time.Minute)}
	b := newBoardOn(t, f, 120, 40)
	b.press("9")
	b.shows("The campaigns cannot be listed since 10:41:17: 401")
	b.shows("next try in 4:00")
	f.Health.Search = model.Search{}
	b.publish()
	b.pass(time.Second)
	b.hides("cannot be listed")
}
