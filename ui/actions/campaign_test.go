package actions_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/ui/uitest"
	"wallboard/ui/uitest/boardtest"
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
			c := uitest.NewController(done())
			b := newActing(t, c, 80, 24, pageCampaigns)
			b.Page().Focused().Table.Select(tt.row)
			b.Press(tt.keys...)
			if diff := cmp.Diff(tt.want, c.Changes); diff != "" {
				t.Error(diff, b.Text())
			}
		})
	}
}

func TestEditCampaignShowsTheChange(t *testing.T) {
	t.Parallel()
	c := uitest.NewController(done())
	b := newActing(t, c, 100, 40, pageCampaigns)
	b.Page().Focused().Table.Select("7002")
	b.Press("l")
	b.CheckShowsAll("Settings: Survey", "Support Gold", "Spring", "disabled", "priority 2")
	b.Press("e")
	submit(b)
	b.CheckShows("Nothing was changed.")
	b.Press("tab", "end", "backspace", "8")
	for range 6 {
		b.Press("tab")
	}
	b.Press("left") // sets the first list from yes to "not set"
	submit(b)
	b.CheckShowsAll("Priority: 5 → 8", "List 5 enabled: yes → none")
	b.Press("y")
	want := []resource.FieldChange{{Field: "priority", Old: "5", New: "8"}, {Field: "lists[5].enabled", Old: "yes"}}
	got := did[[]resource.FieldChange](t, c.FakePlatform)
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(resource.FieldChange{}, "Label")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]bool{false}, c.ResetFlags); diff != "" {
		t.Error(diff)
	}
	b.CheckShows("Settings: Survey") // the campaign is read again
	if n := strings.Count(strings.Join(c.Requests, ","), "campaign 7002"); n != 2 {
		t.Errorf("the campaign was read %d times", n)
	}
}

func TestCreateCampaign(t *testing.T) {
	t.Parallel()
	c := uitest.NewController(done())
	b := newActing(t, c, 100, 40, pageCampaigns)
	b.Press(":")
	b.Type("create a campaign")
	b.Press("enter")
	b.Fill("Summer", "SRV01", "", "yes", "3", "", "", "", "", "", "5 1\n51 2")
	submit(b)
	b.Press("y")
	got := did[resource.Campaign](t, c.FakePlatform)
	if got.Name != "Summer" || *got.Priority != 3 || len(got.Lists) != 2 || *got.Lists[1].ListID != 51 {
		t.Errorf("%+v", got)
	}
}

// TestStopIsFoundOnEveryPage stops a campaign by name from the page Services.
func TestStopIsFoundOnEveryPage(t *testing.T) {
	t.Parallel()
	c := uitest.NewController(done())
	b := newActing(t, c, 100, 30, pageServices)
	b.Press(":")
	b.Type("stop survey")
	b.Press("enter", "y")
	if diff := cmp.Diff([]any{resource.CampaignSwitch{ID: 7002}}, c.Changes); diff != "" {
		t.Error(diff, b.Text())
	}
}

// TestStopIsNeverByEnterAlone checks that stop has a key of its own, and that enter alone
// stops nothing.
func TestStopIsNeverByEnterAlone(t *testing.T) {
	t.Parallel()
	c := uitest.NewController(done())
	b := newActing(t, c, 40, 12, pageCampaigns)
	b.Page().Focused().Table.Select("7002")
	b.Press("x")
	b.CheckShowsAll("Contacts are on a call", "cut them off")
	b.Press("tab", "enter") // only space ticks
	b.CheckHides("[x]")
	b.Press("up", "space")
	b.CheckShowsAll("▌[x]", "space tick")
	b.Press("esc")
	if len(c.Changes) != 0 {
		t.Errorf("%v was done", c.Changes)
	}
}

// TestFoundCampaignsHaveNames shows a campaign whose name only the configuration service
// has, wherever the board shows campaigns.
func TestFoundCampaignsHaveNames(t *testing.T) {
	t.Parallel()
	f := uitest.NewFloor(12)
	found := *f.Campaigns.Get(7001) // campaign 7001 has no contacts left
	found.CampaignID, found.Name = uitest.KnownInt(9100), "Autumn offers"
	f.Campaigns.Put(&found)
	b := boardtest.NewWithFloor(t, f, 120, 40)
	b.Press("5")
	b.CheckShows("Autumn offers")
	b.Page().Focused().Table.Select("9100")
	b.Press("enter")
	b.CheckShows("Campaigns › Autumn offers")
	b.CheckShows("Autumn offers (9100)")
	b.Press("esc")
	for range 70 {
		b.AdvanceClock(time.Second)
	}
	b.Press("7")
	b.CheckShows("Autumn offers")
	b.Press(":")
	b.Type("autumn")
	b.CheckShows("campaign Autumn offers (9100)")
}

// TestFailedSearchIsShown checks the message after a failed search for campaigns, and the result after a
// successful one.
func TestFailedSearchIsShown(t *testing.T) {
	t.Parallel()
	f := uitest.NewFloor(12)
	f.Health.Search = model.CampaignSearch{Failed: "401 Unauthorized", Since: uitest.StartTime().Add(-time.Minute), NextTry: uitest.StartTime().Add(4 * time.Minute)}
	b := boardtest.NewWithFloor(t, f, 120, 40)
	b.Press("9")
	b.CheckShows("cannot be listed since 10:41:17: 401")
	b.CheckShows("next try in 4:00")
	f.Health.Search = model.CampaignSearch{}
	b.Publish()
	b.AdvanceClock(time.Second)
	b.CheckHides("cannot be listed")
}
