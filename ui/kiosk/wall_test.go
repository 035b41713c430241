package kiosk_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/model"
	"wallboard/ui/floorview"
	"wallboard/ui/kiosk"
)

// pages are empty pages.
type pages struct {
	names []string
	at    int
}

func (p *pages) Len() int              { return len(p.names) }
func (p *pages) Current() int          { return p.at }
func (p *pages) Name(page int) string  { return p.names[page] }
func (p *pages) Title(page int) string { return p.names[page] }
func (p *pages) FindPage(name string) (int, bool) {
	at := slices.IndexFunc(p.names, func(s string) bool { return strings.EqualFold(s, name) })
	return max(at, 0), at >= 0
}
func (p *pages) IsStandard(page int, standard string) bool { return p.names[page] == standard }
func (p *pages) Subscriptions(int) []model.Op              { return nil }
func (p *pages) ShowTop(page int)                          { p.at = page }

// clock is a kiosk with its pages and clock.
type clock struct {
	*kiosk.Kiosk
	pages *pages
	floor *floorview.View
}

func start() time.Time { return time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC) }

func hang(o *kiosk.Options, change ...func(*kiosk.Setup)) *clock {
	c := &clock{
		pages: &pages{names: []string{"Overview", "Agents", "History", "Feed", "Wall"}},
		floor: &floorview.View{LocalNow: start(), Channel: model.Call},
	}
	c.Kiosk = kiosk.New(c.setup(o, change...), c.floor, c.pages)
	c.Start()
	return c
}

func (c *clock) setup(o *kiosk.Options, change ...func(*kiosk.Setup)) kiosk.Setup {
	s := kiosk.Setup{Options: o}
	for _, f := range change {
		f(&s)
	}
	return s
}

// pass advances the clock and returns the pages that came to the front.
func (c *clock) pass(seconds int) (turned []string) {
	for range seconds {
		before := c.pages.at
		c.floor.LocalNow = c.floor.LocalNow.Add(time.Second)
		c.Tick(nil, time.UTC)
		if c.pages.at != before {
			turned = append(turned, c.pages.names[c.pages.at])
		}
	}
	return turned
}

// TestRotation starts with the page Wall and skips empty pages.
func TestRotation(t *testing.T) {
	t.Parallel()
	c := hang(&kiosk.Options{Dwell: 5 * time.Second, DwellByPage: map[string]time.Duration{"agents\u200b": 2 * time.Second}},
		func(s *kiosk.Setup) { s.HasNoHistory = true })
	if c.pages.names[c.pages.at] != "Wall" {
		t.Errorf("it begins with %s", c.pages.names[c.pages.at])
	}
	if got, want := c.pass(12), []string{"Overview", "Agents", "Wall"}; !slices.Equal(got, want) {
		t.Errorf("turned to %v, want %v", got, want)
	}
	c.floor.LocalNow = start().Add(-time.Hour) // the clock is set back
	if got := c.pass(5); len(got) != 0 {
		t.Errorf("the clock was set back: turned to %v", got)
	}
	if got := c.pass(1); !slices.Equal(got, []string{"Overview"}) {
		t.Errorf("it does not go on: %v", got)
	}
}

// TestStandardRotation checks that the standard pages in rotation are readable from afar.
func TestStandardRotation(t *testing.T) {
	t.Parallel()
	c := hang(&kiosk.Options{Dwell: 5 * time.Second}, func(s *kiosk.Setup) { s.HasStandardPages, s.StartPage = true, "Overview" })
	if got, want := c.pass(11), []string{"Agents", "Wall"}; c.pages.names[0] != "Overview" || !slices.Equal(got, want) {
		t.Errorf("turned to %v, want %v", got, want)
	}
}

// TestFollowStaysOnThePage checks that the page stays the same when another configuration is applied.
func TestFollowStaysOnThePage(t *testing.T) {
	t.Parallel()
	o := &kiosk.Options{Pages: []string{"overview", "agents", "wall"}, Dwell: 5 * time.Second}
	c := hang(o)
	c.pass(5)
	o.Pages = []string{"wall", "agents", "overview"}
	c.ApplySetup(c.setup(o))
	if c.pages.names[c.pages.at] != "Agents" {
		t.Errorf("it goes to %s", c.pages.names[c.pages.at])
	}
	if got := c.pass(5); !slices.Equal(got, []string{"Overview"}) {
		t.Errorf("then comes %v", got)
	}
	o.Pages = []string{"wall"}
	if c.ApplySetup(c.setup(o)); c.pages.names[c.pages.at] != "Wall" {
		t.Errorf("a page that is none of the rotation stays: %s", c.pages.names[c.pages.at])
	}
}

// TestDarkHours checks that a key wakes a dark screen for a minute.
func TestDarkHours(t *testing.T) {
	t.Parallel()
	c := hang(&kiosk.Options{IsActive: func(t time.Time) bool { return t.Hour() >= 10 }})
	if c.pass(1); !c.IsDark() {
		t.Fatal("it is lit at nine")
	}
	at := c.pages.at
	c.Press(tea.KeyPressMsg{Code: tea.KeyRight})
	if c.IsDark() || c.pages.at != at {
		t.Errorf("dark %t, on page %d after the key that wakes it, want page %d", c.IsDark(), c.pages.at, at)
	}
	if c.pass(59); c.IsDark() {
		t.Error("it is dark before the minute is over")
	}
	if c.pass(1); !c.IsDark() {
		t.Error("it stays lit")
	}
}

// TestAlive checks that a connected but silent feed is not alive.
func TestAlive(t *testing.T) {
	t.Parallel()
	c := hang(&kiosk.Options{})
	if !c.FeedIsAlive() {
		t.Error("nothing has come yet, which is no fault of the board")
	}
	c.floor.SetNewest(model.NewStore().Publish(start(), model.Health{Link: model.Link{State: model.LinkUp}}))
	c.SnapshotArrived(start())
	if c.pass(120); !c.FeedIsAlive() {
		t.Error("two minutes without news do not count as alive")
	}
	if c.pass(1); c.FeedIsAlive() {
		t.Error("a wall without news counts as alive")
	}
}

// TestNoWall calls the methods of a nil Kiosk, as an interactive board does.
func TestNoWall(t *testing.T) {
	t.Parallel()
	var w *kiosk.Kiosk
	if w.ReplacesPage() || w.IsDark() || w.IgnoresMessage(tea.PasteMsg{}) {
		t.Error("a board without a wall behaves like one")
	}
}

// TestShownFromElsewhere checks that a page selected by another viewer stays for two
// minutes.
func TestShownFromElsewhere(t *testing.T) {
	t.Parallel()
	c := hang(&kiosk.Options{Pages: []string{"overview", "agents"}, Dwell: 5 * time.Second})
	c.pass(2)
	if c.ShowPage("nothing") || c.pages.names[c.pages.at] != "Overview" {
		t.Error("a page that there is not is shown")
	}
	if !c.ShowPage("feed") || c.pages.names[c.pages.at] != "Feed" { // this page is not in the rotation
		t.Errorf("it shows %s", c.pages.names[c.pages.at])
	}
	if got := c.pass(119); len(got) != 0 {
		t.Errorf("turned to %v meanwhile", got)
	}
	if got := c.pass(8); !slices.Equal(got, []string{"Agents", "Overview"}) {
		t.Errorf("then comes %v", got)
	}
}
