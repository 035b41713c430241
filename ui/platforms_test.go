package ui

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/ui/pages"
)

// other is a second platform in addition to the platform of a theatre.
type other struct {
	*testFloor
	live model.SnapshotHolder
}

// newSites returns a viewer of two platforms, Milan (in front) and Rome.
func newSites(t *testing.T, change ...func(milan, rome *Options)) (*theatre, *other) {
	t.Helper()
	o := &other{testFloor: quietFloor()}
	th := newTheatre(t, func(milan *Options) {
		o.Time = time.Now()
		o.Health = liveHealth(o.Time)
		o.live.Put(o.publish())
		rome := Options{Title: "Rome", Source: &o.live, Names: testNames(), Display: Display{Location: time.UTC}}
		milan.Title = "Milan"
		for _, c := range change {
			c(milan, &rome)
		}
		milan.OtherPlatforms = []Options{rome}
	})
	return th, o
}

// show publishes a snapshot with waiting callers on the platform.
func (o *other) show(th *theatre, waits int64) {
	o.Time = time.Now()
	o.Health = liveHealth(o.Time)
	o.wait(model.Call, waits)
	o.live.Put(o.publish())
	th.pass(2 * time.Second)
}

// TestNextPlatform switches platforms by key and by name; the page stays.
func TestNextPlatform(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		th, _ := newSites(t)
		header := func() string { line, _, _ := strings.Cut(th.text(), "\n"); return line }
		if h := header(); !strings.HasPrefix(h, " Milan") || !strings.Contains(h, " Rome ") {
			t.Errorf("header: %q", h)
		}
		th.press("3", `\`)
		if h := header(); !strings.HasPrefix(h, " Rome") || !strings.Contains(h, " Milan ") {
			t.Errorf("header: %q", h)
		}
		if page := th.v.liveFloor.pages.NameOf(th.v.liveFloor.pages.Current); page != "Groups" {
			t.Errorf("on page %s", page)
		}
		th.press(":")
		for _, r := range "platform milan" {
			th.press(string(r))
		}
		th.press("enter")
		if h := header(); !strings.HasPrefix(h, " Milan") {
			t.Errorf("header: %q", h)
		}
		th.press(":")
		for _, r := range "theme light" {
			th.press(string(r))
		}
		th.press("enter", "ctrl+n")
		if name := th.v.liveFloor.scene.look.Theme.Name; name != "light" || th.v.liveFloor.scene.Title != "Rome" {
			t.Errorf("theme %s on %s", name, th.v.liveFloor.scene.Title)
		}
	})
}

// TestSites checks the rows of the page Sites, its situations, and the jump to them.
func TestSites(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		th, rome := newSites(t)
		th.press("f2")
		th.shows("Sites", "Milan", "Rome", "All platforms", "✓ Service on target", "2 platforms")
		th.hides("▲") // no sort arrow, because the tables are sorted by columns without a title
		begun := time.Now()
		for i := range 20 {
			rome.show(th, int64(i+1)*12)
			th.pass(10 * time.Second)
		}
		if th.bells == 0 {
			t.Error("no bell for a critical situation of a hidden platform")
		}
		th.shows("Rome ▲ 1") // the header counts the situations of Rome
		var line, need string
		for _, l := range strings.Split(th.text(), "\n") {
			if strings.Contains(l, "Rome") && strings.Contains(l, "● LIVE") && !strings.HasPrefix(l, " Milan ·") {
				line = l
			}
			if strings.Contains(l, "▲ Sales Italy  ") {
				need = l
			}
		}
		if !strings.Contains(line, "▲ 1") || need == "" {
			t.Errorf("after %v, the text about Rome is %q, and the situations that need action are %q:\n%s", time.Since(begun), line, need, th.text())
		}
		th.press("tab", "tab", "enter") // opens the situation of Rome
		if live := th.v.liveFloor; live.scene.Title != "Rome" || live.pages.TopDetail() == nil || live.pages.TopDetail().Key != "SRV01" {
			t.Fatalf("on %s:\n%s", live.scene.Title, th.text())
		}
		th.press("f2", "up", "enter") // opens the row of Milan
		if live := th.v.liveFloor; live.scene.Title != "Milan" || live.pages.Current != pages.Overview {
			t.Errorf("on %s:\n%s", live.scene.Title, th.text())
		}
	})
}

// TestPlatformsByClick opens a platform by its name in the header, and a service by its row on the page
// Sites.
func TestPlatformsByClick(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		th, rome := newSites(t)
		th.send(tea.WindowSizeMsg{Width: 160, Height: 45})
		rome.show(th, 0)
		// clickOn clicks a text in the first line from the one with the given index that contains it.
		clickOn := func(text string, from int) {
			t.Helper()
			for y, line := range strings.Split(th.text(), "\n") {
				if before, _, ok := strings.Cut(line, text); ok && y >= from {
					th.send(tea.MouseClickMsg{X: ansi.StringWidth(before) + 1, Y: y, Button: tea.MouseLeft})
					th.pass(time.Second)
					return
				}
			}
			t.Fatalf("no %q from line %d in:\n%s", text, from, th.text())
		}
		clickOn("Rome ✓", 0)
		if title := th.v.liveFloor.scene.Title; title != "Rome" {
			t.Fatalf("the click on Rome shows %s", title)
		}
		th.press("f2")
		panel := slices.IndexFunc(strings.Split(th.text(), "\n"), func(l string) bool { return strings.HasPrefix(l, "╭ Milan ─") })
		clickOn("Sales Italy", max(panel, 0))
		if live := th.v.liveFloor; live.scene.Title != "Milan" || live.pages.TopDetail() == nil || live.pages.TopDetail().Key != "SRV01" {
			t.Errorf("on %s:\n%s", live.scene.Title, th.text())
		}
	})
}

// TestSitesStandStill checks that no column of the page moves when an alarm comes, that the
// platform in front is marked, and that opening the row of the totals says why nothing opens.
func TestSitesStandStill(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		th, rome := newSites(t)
		th.press("f2")
		th.shows("›1 Milan", "2 of 2 live")
		head := func() string {
			for _, l := range strings.Split(th.text(), "\n") {
				if strings.Contains(l, "Logged in") && strings.Contains(l, "Feed") {
					return l
				}
			}
			t.Fatalf("no titles in:\n%s", th.text())
			return ""
		}
		calm := head()
		for i := range 20 {
			rome.show(th, int64(i+1)*12)
			th.pass(10 * time.Second)
		}
		th.shows("▲ Sales Italy  ")
		if head() != calm {
			t.Errorf("the columns were\n%s\nand are\n%s", calm, head())
		}
		th.press("end", "enter")
		th.shows("Select a platform to open it.")
		th.press("tab", "tab", "enter", "f2") // afterwards Rome is the platform in front
		th.shows("›2 Rome")
		th.hides("›1 Milan")
	})
}

// TestSilentSite checks that a platform without a feed shows no old figures.
func TestSilentSite(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		th, rome := newSites(t)
		rome.Health.Link.State, rome.Health.Link.Reason = model.LinkBackoff, "refused"
		for i := range rome.Health.Subscriptions {
			rome.Health.Subscriptions[i].State = model.SubBackoff
		}
		rome.live.Put(rome.publish())
		th.press("f2")
		th.pass(2 * time.Second)
		th.shows("▲ RETRYING", "no live data from Rome")
		th.pass(6 * time.Minute)
		for _, l := range strings.Split(th.text(), "\n") {
			if strings.Contains(l, "2  Rome") && strings.Count(l, "–") < 5 {
				t.Errorf("old figures are shown: %q", l)
			}
		}
	})
}

// TestActionsNeverAcross checks that actions run on the platform of the selected record.
func TestActionsNeverAcross(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		milan, rome := newFloorController(done()), newFloorController(done())
		th, _ := newSites(t, func(a, b *Options) {
			a.Actions.Controller, b.Actions.Controller = controllerOf(milan), controllerOf(rome)
		})
		dial := func() { // dial calls an agent on the platform in front
			th.press("4", "d")
			th.shows("╭ " + th.v.liveFloor.scene.Title + ": " + th.v.liveFloor.dialogs.Top().Title() + " ─") // the title of the dialog names the platform
			for _, r := range "100" {
				th.press(string(r))
			}
			th.press("ctrl+s")
			th.pass(time.Second)
		}
		dial()
		if len(milan.Changes) != 1 || len(rome.Changes) != 0 {
			t.Fatalf("Milan %v, Rome %v:\n%s", milan.Changes, rome.Changes, th.text())
		}
		th.press(`\`)
		dial()
		if len(milan.Changes) != 1 || len(rome.Changes) != 1 {
			t.Fatalf("Milan %v, Rome %v:\n%s", milan.Changes, rome.Changes, th.text())
		}
		if _, is := rome.Changes[0].(resource.Dial); !is {
			t.Errorf("Rome was asked for %#v", rome.Changes[0])
		}
		th.press("f2")
		asked := len(milan.Requests) + len(rome.Requests)
		for _, k := range []string{"up", "down"} {
			for _, act := range []string{"d", "a", "x", "v", "l", "e"} {
				th.press(k, act)
				th.shows("Open a platform first")
				if th.v.liveFloor.dialogs.Len() > 0 {
					t.Fatalf("a dialog:\n%s", th.text())
				}
			}
		}
		if len(milan.Changes)+len(rome.Changes) != 2 || len(milan.Requests)+len(rome.Requests) != asked {
			t.Errorf("Milan %v, Rome %v", milan.Changes, rome.Changes)
		}
		th.press("4", "d") // opens a dialog of Rome
		th.press(`\`)
		if th.v.liveFloor.scene.Title != "Rome" || th.v.liveFloor.dialogs.Len() != 1 {
			t.Error("the platform was left with a dialog open")
		}
	})
}

// TestOutcomeElsewhere checks that the outcome of a hidden platform's action is shown, and
// that quitting asks while it is running.
func TestOutcomeElsewhere(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		th, _ := newSites(t)
		milan := th.v.liveFloor
		th.press(`\`)
		th.start(milan.showMessage("The call was made."))
		th.pass(2 * time.Second)
		th.shows("Milan: The call was made.")
		th.press(`\`, "Z")
		th.shows("REWOUND")
		th.press(`\`) // shows the live floor of the other platform
		th.hides("REWOUND")
		th.shows(" Rome")
		if th.v.liveFloor.scene.Title != "Rome" || th.v.shownFloor.replay != nil {
			t.Error("still in the past of the other platform")
		}
		milan.scene.alerts = nil // breaks the floor that is not in front
		th.v.Update(ClockMsg{})
		if th.v.failure == nil {
			t.Error("the failure of a hidden board is not reported")
		}
	})
}

// TestOnePlatform checks that a board of a single platform has neither the page Sites nor the keys to
// switch platforms.
func TestOnePlatform(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		th := newTheatre(t)
		th.press(`\`, "ctrl+n", "f2")
		th.hides("Sites")
		th.shows(" Bolzano", "1 Overview")
		if th.v.liveFloor.keys.NextPlatform.Enabled() {
			t.Error("there is a next platform")
		}
	})
}
