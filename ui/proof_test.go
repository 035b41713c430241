package ui

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/model"
	"wallboard/ui/floorview"
	"wallboard/ui/panes"
)

func TestHeaderProvesTheFigures(t *testing.T) {
	t.Parallel()
	for w, want := range map[int]string{
		80: "verified 20 s ago", 120: "verified 20 s ago", 200: "verified 20 s ago",
	} {
		b := newBoard(t, w, 40)
		b.floor.Health.Healed, b.floor.Health.Cuts = 36, 37
		b.publish()
		b.send(tea.WindowSizeMsg{Width: w, Height: 41}) // draws the frame again
		b.shows(want)
		b.floor.Health.Subscriptions[0].VerifiedAt = time.Time{}
		b.publish()
		b.pass(time.Second)
		b.hides("verified")
	}
}

func TestDriftIsNews(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 80, 24)
	s := b.floor.Health.Subscription(model.OpGroups)
	s.Drift.Value, s.DriftAt = 3, b.Now
	b.publish()
	b.pass(time.Second)
	b.shows("3 corrected")
}

func TestOldFiguresAreNotShown(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40)
	b.press("2")
	const figures = "4     1:32  96.5 %"
	b.link(func(l *model.Link) { l.State = model.LinkBackoff })
	b.shows("◇ Stale")
	b.pass(4 * time.Minute)
	if now, _ := b.row("Billing"); !strings.Contains(now, figures) {
		t.Errorf("figures of 4 minutes ago are gone: %s", now)
	}
	b.pass(time.Minute)
	now, _ := b.row("Billing")
	if strings.ContainsAny(now, "0123456789") || !strings.Contains(now, "–") {
		t.Errorf("figures of 5 minutes ago are there: %s", now)
	}
	b.shows("o shows the last figures")
	b.press("1")
	if l, _ := b.row("Waiting"); strings.ContainsAny(l, "0123456789") {
		t.Errorf("a tile has a figure: %s", l)
	}
	b.press("2", "o")
	if now, _ := b.row("Billing"); !strings.Contains(now, figures) {
		t.Errorf("the last figures are not shown again: %s", now)
	}
	b.link(func(l *model.Link) { l.State, l.LastFrame = model.LinkUp, b.Now })
	b.hides("◇ Stale")
}

func TestOldFiguresLeaveNamesAsTheyAre(t *testing.T) {
	t.Parallel()
	for keys, want := range map[string]string{
		"2 enter": "Orders (SRV08)", "3 enter": "Billing (GRP5)", "1": "7003 ",
	} {
		b := newBoard(t, 120, 40)
		b.press(strings.Fields(keys)...)
		b.link(func(l *model.Link) { l.State = model.LinkBackoff })
		b.pass(floorview.BlankAfter + time.Second)
		b.shows(want)
		for _, figure := range []string{"Waiting ", "Talking", "Ready", "Answered"} {
			if l, _ := b.row(figure); strings.ContainsAny(l, "0123456789") {
				t.Errorf("after %q: %s", keys, l)
			}
		}
	}
}

func TestUnwellPlatformHasABanner(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 80, 24)
	for status, unwell := range map[string]bool{
		"UP": false, "OK": false, "healthy": false, "DOWN": true, "OUT_OF_SERVICE": true, "degraded": true, "UNKNOWN": false,
	} {
		b.floor.Health.Server.Status = model.ScalarText(status)
		b.publish()
		if unwell {
			b.shows("The platform reports a problem: " + status)
		} else {
			b.hides("not well")
		}
	}
}

// TestEveryPaneForgetsOldFigures checks panes without rows of figures.
func TestEveryPaneForgetsOldFigures(t *testing.T) {
	t.Parallel()
	for kind, c := range map[string]struct{ fresh, old string }{
		"map":       {"Talking", "Unknown –"},
		"agents":    {"Talking", ""},
		"campaigns": {"Running", ""},
		"tiles":     {"Waiting", "▀▀▀"},
		"chart":     {"Waiting", "Waiting –"},
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			b := newBoard(t, 120, 40, paged(panes.RowSpec{Panes: []panes.PaneSpec{{Kind: kind, Digits: "normal"}}}))
			b.shows(c.fresh)
			faded := func() bool {
				for l := range strings.SplitSeq(b.View().Content, "\n") {
					if strings.Contains(l, c.fresh) && strings.Contains(l, b.scene.look.Base()+b.scene.look.StaleSGR) {
						return true
					}
				}
				return false
			}
			b.link(func(l *model.Link) { l.State = model.LinkBackoff })
			if b.pass(floorview.FadeAfter - 2*time.Second); faded() {
				t.Error("it looks old too early")
			}
			if b.pass(2 * time.Second); !faded() {
				t.Error("it does not look old")
			}
			b.shows(c.fresh)
			if b.pass(floorview.BlankAfter); c.old == "" {
				b.hides(c.fresh)
			} else {
				b.shows(c.old)
			}
			if b.press("o"); kind != "chart" { // a chart of the past does not change
				b.shows(c.fresh)
			}
		})
	}
}

func TestOldStatesAreForgottenInDetails(t *testing.T) {
	t.Parallel()
	for keys, state := range map[string]string{"4": "▷ Call out", "5": "● Running"} {
		b := newBoard(t, 120, 40)
		b.press(keys)
		b.pages.CurrentPage().Focused().SortBy("name", false)
		b.press("g", "enter")
		b.link(func(l *model.Link) { l.State = model.LinkBackoff })
		b.shows(state)
		b.pass(floorview.BlankAfter + time.Second)
		b.hides(state)
	}
}

// TestFiguresAreNoYoungerAfterACut checks a subscription that was stale before the
// connection was lost.
func TestFiguresAreNoYoungerAfterACut(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40)
	b.press("3")
	groups := b.floor.Health.Subscription(model.OpGroups)
	groups.State, groups.FreshUntil, groups.LastData = model.SubStale, b.Now.Add(-floorview.BlankAfter), b.Now
	b.publish()
	b.shows("STALE 5:00") // updates do not make the other figures newer
	b.link(func(l *model.Link) { l.State, l.LastFrame = model.LinkBackoff, b.Now })
	b.shows("STALE 5:00", "o shows the last figures")
	b.press("2") // these figures were current until the connection was lost
	b.shows("STALE 0:00")
}

func TestOldestFiguresCount(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40)
	for name, age := range map[model.Op]time.Duration{model.OpServices: time.Minute, model.OpUserStats: floorview.BlankAfter} {
		s := b.floor.Health.Subscription(name)
		s.State, s.FreshUntil = model.SubSyncing, b.Now.Add(-age)
	}
	b.publish()
	b.shows("STALE 5:00", "agents being fetched")
}
