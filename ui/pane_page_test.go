package ui

import (
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"wallboard/ui/frame"
	"wallboard/ui/panes"
)

// focusedKind returns the kind of the focused pane.
func (b *board) focusedKind() string {
	b.t.Helper()
	if page, ok := b.pages.currentPage().(*panes.PanePage); ok && page.FocusedSlot() != nil {
		return page.FocusedSlot().Spec.Kind
	}
	return ""
}

func TestTabGoesFromPaneToPane(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 200, 60, paged(row("tiles"), row("services", "map"), row("clock", "chart", "groups")))
	order := []string{"services", "map", "chart", "groups", "services"}
	for i, want := range order {
		if got := b.focusedKind(); got != want {
			t.Errorf("after %d tabs %s has the keyboard, want %s", i, got, want)
		}
		b.press("tab")
	}
	b.press("shift+tab")
	slices.Reverse(order)
	for i, want := range order {
		if got := b.focusedKind(); got != want {
			t.Errorf("after %d shift+tabs %s has the keyboard, want %s", i, got, want)
		}
		b.press("shift+tab")
	}
	if b.pages.current != 0 {
		t.Error("tab leads to another page")
	}
}

// TestTabPassesPanesWithoutRoom checks tab on a screen smaller than the page.
func TestTabPassesPanesWithoutRoom(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40, paged(row("services"), row("groups"), row("agents"), row("campaigns"), row("operators")))
	b.press("shift+tab")
	if got := b.focusedKind(); got != "operators" {
		t.Fatalf("%s has the keyboard", got)
	}
	b.send(windowSize(80, 14))
	b.shows("panes need a larger screen")
	page := b.pages.currentPage().(*panes.PanePage) //nolint:forcetypeassert // the first page is one
	for range 6 {
		if c := page.FocusedSlot(); c == nil || !c.Shown {
			t.Fatalf("a pane that nobody sees has the keyboard:\n%s", b.text())
		}
		b.press("tab")
	}
}

func TestPanesByMouse(t *testing.T) {
	t.Parallel()
	for name, size := range map[string][2]int{"under headings": {120, 40}, "in frames": {160, 45}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			panesByMouse(t, size[0], size[1])
		})
	}
}

func panesByMouse(t *testing.T, w, h int) {
	t.Helper()
	b := newBoard(t, w, h, paged(row("services", "agents"), row("map", "chart")))
	page := b.pages.currentPage().(*panes.PanePage) //nolint:forcetypeassert // the first page is one
	place := func(kind string) frame.Area {
		at := slices.IndexFunc(page.All, func(c *panes.Slot) bool { return c.Spec.Kind == kind })
		return page.All[at].Area
	}
	at := place("agents")
	b.click(at.X+4, at.Y+3)
	third := b.selected()
	if got := b.focusedKind(); got != "agents" || third == "" {
		t.Errorf("the click selects %q of %s", third, got)
	}
	if l := strings.Split(b.text(), "\n")[at.Y+3]; !strings.Contains(l, b.scene.floor.AgentName(third)) {
		t.Errorf("the click on %q selects %q", l, third)
	}
	top := func() string { return page.Focused().Table.HitTest(1, 1).Key }
	before := top()
	wheel := tea.MouseWheelMsg{X: at.X + 4, Y: at.Y + 3, Button: tea.MouseWheelDown}
	b.press("shift+tab") // the wheel turns what is under it, whoever has the keyboard
	b.send(wheel)
	b.press("tab")
	if top() == before {
		t.Errorf("the wheel leaves %q at the top", before)
	}
	at = place("map")
	b.click(at.X+1, at.Y)
	who := b.agentMap().Cursor
	b.click(at.X+1, at.Y)
	if d, ok := b.pages.currentPage().(*panes.Detail); !ok || d.Key != who || who == "" {
		t.Errorf("two clicks on %q do not open them", who)
	}
	b.press("esc")
	at = place("chart")
	b.click(at.X+at.W/2, at.Y+3)
	b.shows("at 10:")
	b.send(tea.MouseWheelMsg{X: at.X + 4, Y: at.Y + 3, Button: tea.MouseWheelDown})
	b.shows("every minute")
}
