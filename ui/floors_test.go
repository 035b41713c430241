package ui

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"wallboard/internal/alert"
	"wallboard/internal/hub"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/floorview"
)

// fragileSource is a source that fails while it is broken.
type fragileSource struct {
	floorview.Source
	broken atomic.Bool
}

func (s *fragileSource) Wait(ctx context.Context, after uint64) (*model.Snapshot, error) {
	if s.broken.Load() {
		return nil, errors.New("the store is closed")
	}
	return s.Source.Wait(ctx, after)
}

// TestHiddenSourceFails breaks the source of a platform while another one is on the screen. The
// board names the platform, shows its new figures when the source works again, and goes on showing
// those of the other platform meanwhile.
func TestHiddenSourceFails(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		source := &fragileSource{}
		th, rome := newSites(t, func(_, rome *Options) { source.Source, rome.Source = rome.Source, source })
		source.broken.Store(true)
		rome.show(th, 0) // the board now receives the error, because its wait for a snapshot ends
		th.shows(" Milan", "Rome: No data from the platform: the store is closed")
		th.press("2")
		th.floor.Time = time.Now()
		th.floor.Health = liveHealth(th.floor.Time)
		th.floor.wait(model.Call, 754)
		th.live.Put(th.floor.publish())
		th.pass(3 * time.Second)
		th.shows("LIVE", "12:3") // start of the longest wait in Milan
		rome.show(th, 500)
		source.broken.Store(false)
		th.pass(3 * time.Second)
		th.shows("Rome ▲ 1")
		if th.bells == 0 {
			t.Error("no bell for a situation that has become critical meanwhile")
		}
	})
}

// TestHiddenFloorsHaveTheLook checks that the colors of the terminal and a chosen theme apply to the
// platform that is not on the screen, whose figures are on the page Sites, and to a replay.
func TestHiddenFloorsHaveTheLook(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		th, _ := newSites(t)
		th.send(tea.ColorProfileMsg{Profile: colorprofile.ANSI256})
		th.types("theme light")
		for _, f := range th.v.floors() {
			if o := f.scene.look.Options; o.Depth != themes.Depth256 || o.Theme.Name != "light" {
				t.Errorf("%s: theme %s, depth %v", f.scene.Title, o.Theme.Name, o.Depth)
			}
		}
		th.press("Z")
		if o := th.v.shownFloor.scene.look.Options; !th.v.isReplaying() || o.Depth != themes.Depth256 || o.Theme.Name != "light" {
			t.Errorf("replay: theme %s, depth %v", o.Theme.Name, o.Depth)
		}
	})
}

// TestReloadDuringReplay changes the configuration while the board is rewound. The replay goes on at
// its instant. The replay and the live floor have the new title, rules and theme.
func TestReloadDuringReplay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		reloads := make(chan Reload)
		th := newTheatre(t, func(o *Options) { o.Process.Reloads = reloads })
		th.press("Z", "space")
		th.pass(time.Second)
		at, alerts := th.film.At(), len(th.v.shownFloor.scene.Alerts.Active())
		th.press("2", "p")
		th.pass(time.Second)
		th.shows("FROZEN")
		shown, frozenAt := th.v.shownFloor.scene.floor.Shown, th.v.shownFloor.scene.floor.FrozenAt
		th.v.shownFloor.pages.Selection().Marks().Toggle("SRV01", "Sales")
		light, err := themes.LoadEmbedded("light")
		if err != nil {
			t.Fatal(err)
		}
		o := *th.v.liveFloor.scene.Options
		o.Title, o.Display.Theme, o.Alerts = "Trento", light, nil
		o.Archive.Engine = func() (*alert.Engine, error) {
			rule := alert.Rule{Name: "agents", Scope: alert.Service, When: "queuedCalls >= 0", Severity: alert.Warning}
			missed := alert.KPI{Name: "missed", Title: "Missed", Scope: alert.Service, Expr: "receivedCalls - answeredCalls"} // another KPI makes the board create its pages again
			return alert.New(alert.Options{KPIs: []alert.KPI{missed}, Rules: []alert.Rule{rule}, Goal: alert.DefaultGoal()})
		}
		applied := false
		reloads <- Reload{Options: o, Notice: words.AppConfigApplied(), OnApplied: func() { applied = true }}
		th.pass(time.Second)
		th.shows("REWOUND", "paused", "Now: The changed configuration is now in use.")
		if !applied || !th.film.At().Equal(at) {
			t.Errorf("applied: %v; the replay is at %v, was at %v", applied, th.film.At(), at)
		}
		if sc := th.v.shownFloor.scene; len(sc.Alerts.Active()) <= alerts || sc.Title != "Trento" || sc.look.Theme.Name != "light" {
			t.Errorf("replay: title %q, theme %s, %d alerts, had %d", sc.Title, sc.look.Theme.Name, len(sc.Alerts.Active()), alerts)
		}
		th.pass(time.Minute) // the snapshots before the instant are evaluated, too
		th.shows("FROZEN")
		if f := &th.v.shownFloor.scene.floor; f.Shown != shown || !f.FrozenAt.Equal(frozenAt) {
			t.Errorf("the replay is frozen at %v, was at %v", f.FrozenAt, frozenAt)
		}
		if n := th.v.shownFloor.pages.Selection().Marks().Len(); n != 1 {
			t.Errorf("%d rows are marked", n)
		}
		th.press("p")
		th.hides("FROZEN")
		reloads <- Reload{Problem: words.Name("line 3: ui.page is empty")}
		th.pass(time.Second)
		th.press("<", "Z")
		th.shows("Trento", "LIVE", "line 3: ui.page is empty")
		if name := th.v.shownFloor.scene.look.Theme.Name; name != "light" {
			t.Errorf("the theme is %s", name)
		}
		reloads <- Reload{Unchanged: true}
		th.pass(time.Second)
		th.hides("line 3")
	})
}

// TestPlatformRemovedWhileShown removes the platform on the screen from the configuration, which
// takes effect only after a restart. The board shows the platform and its problem until then, and
// the problem is not one of the other platform.
func TestPlatformRemovedWhileShown(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		changes := [2]chan Reload{make(chan Reload), make(chan Reload)}
		th, rome := newSites(t, func(milan, rome *Options) { milan.Process.Reloads, rome.Process.Reloads = changes[0], changes[1] })
		th.press("2", `\`)
		o := *th.v.platforms.floors[0].scene.Options
		o.OtherPlatforms = nil
		changes[0] <- Reload{Options: o, Notice: words.AppConfigAppliedRestart()}
		changes[1] <- Reload{Problem: words.Name("There is no platform Rome.")}
		th.pass(time.Second)
		th.shows(" Rome", "There is no platform Rome.", "Milan: The changed configuration is now in use, except")
		rome.show(th, 754)
		th.shows("12:3")
		th.press(`\`)
		th.shows(" Milan", " Rome ▲ 1")
		th.hides("There is no platform Rome.")
		th.press("f2")
		th.shows("2 platforms")
		th.press(`\`)
		th.shows("There is no platform Rome.")
	})
}

// TestRoleReducedInSession takes the right to act from a viewer who has just filled in a form, and
// from one who looks at the past. Neither acts on the platform afterwards.
func TestRoleReducedInSession(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for _, open := range [][]string{{"4", "d", "1", "0", "0"}, {"4", "x"}, {"Z"}} {
			rewound := open[0] == "Z"
			c := newFloorController(done())
			th := newTheatre(t, func(o *Options) { o.Actions.Controller = controllerOf(c) })
			th.press(open...)
			if th.pass(time.Second); !rewound && th.v.Dialog() == nil {
				t.Fatalf("no dialog:\n%s", th.text())
			}
			o := *th.v.liveFloor.scene.Options
			o.Actions.Controller, o.Alerts = nil, nil
			th.send(reloadMsg{Reload{Options: o}, floorTarget{th.v.liveFloor}})
			if rewound {
				th.press("Z")
				th.shows("LIVE")
				th.press("4", "d")
				th.shows("This board is read-only: it cannot act on the platform.")
			}
			th.press("ctrl+s", "r", "enter", "y")
			th.pass(time.Second)
			if len(c.Changes) > 0 {
				t.Errorf("after %v: did %v\n%s", open, c.Changes, th.text())
			}
		}
	})
}

// TestOneOfManyViewersRewinds lets one of 500 viewers of an engine rewind. The engine of the others
// raises alerts as before, all of them see the same, and the viewer has missed nothing after the
// return.
func TestOneOfManyViewersRewinds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		engines := 0
		var h *hub.Hub
		viewer := func(o *Options) {
			v, err := h.NewViewer(hub.Visibility{Names: model.NamesFull}, 0, 0)
			if err != nil {
				t.Fatal(err)
			}
			o.Source, o.Alerts = v, v
		}
		th := newTheatre(t, func(o *Options) {
			var err error
			if h, err = hub.New(hub.Options{Source: o.Source, Names: testNames(), Salt: "s", Engine: func(model.FloorPart) (*alert.Engine, error) {
				engines++
				return alert.New(alert.Options{Rules: alert.DefaultRules(), Goal: alert.DefaultGoal(), Names: testNames()})
			}}); err != nil {
				t.Fatal(err)
			}
			viewer(o)
		})
		others := make([]*Model, 500)
		update := func() {
			for _, m := range others {
				m.Update(SnapshotMsg{Snapshot: m.liveFloor.scene.Source.Latest()})
				m.Update(ClockMsg{})
			}
		}
		for i := range others {
			o := *th.v.liveFloor.scene.Options
			viewer(&o)
			others[i] = New(o)
			others[i].Update(tea.WindowSizeMsg{Width: 120, Height: 40})
		}
		update()
		before := string(others[0].Frame())
		th.press("Z", "space", "<", "<", "<", "<", "<")
		th.pass(time.Second)
		if update(); string(others[0].Frame()) == before {
			t.Error("the clock of another viewer stands still")
		}
		th.floor.Time = time.Now()
		th.floor.Health = liveHealth(th.floor.Time)
		th.floor.wait(model.Call, 500)
		th.live.Put(th.floor.publish())
		update() // evaluates the snapshot before the rewound board does
		th.pass(2 * time.Second)
		th.press("<", ">")
		th.shows("REWOUND", "Now: ▲ Sales Italy")
		update()
		th.press("Z")
		update()
		for i, m := range others {
			if m.failure != nil || string(m.Frame()) != string(others[0].Frame()) {
				t.Fatalf("viewer %d (%v) sees\n%s\nwant\n%s", i, m.failure, m.Frame(), others[0].Frame())
			}
		}
		want := others[0].shownFloor.scene
		if got := th.v.shownFloor.scene; !got.alerts.Alarms().Situations.EqualContent(want.alerts.Alarms().Situations) || got.floor.Shown != want.floor.Shown {
			t.Errorf("after the return:\n%s\nthe others:\n%s", th.text(), others[0].Frame())
		}
		if engines != 1 || th.bells == 0 {
			t.Errorf("%d engines, %d bells", engines, th.bells)
		}
	})
}
