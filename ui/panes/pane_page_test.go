package panes_test

import (
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"wallboard/ui/frame"
	"wallboard/ui/panes"
	"wallboard/ui/uitest"
)

// focusedKind returns the kind of the focused pane.
func focusedKind(b *uitest.Board) string {
	b.T.Helper()
	if page, ok := b.Page().(*panes.PanePage); ok && page.FocusedSlot() != nil {
		return page.FocusedSlot().Spec.Kind
	}
	return ""
}

func TestTabGoesFromPaneToPane(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 200, 60, paged(row("tiles"), row("services", "map"), row("clock", "chart", "groups")))
	first := b.Page()
	order := []string{"services", "map", "chart", "groups", "services"}
	for i, want := range order {
		if got := focusedKind(b); got != want {
			t.Errorf("after %d tabs %s has the keyboard, want %s", i, got, want)
		}
		b.Press("tab")
	}
	b.Press("shift+tab")
	slices.Reverse(order)
	for i, want := range order {
		if got := focusedKind(b); got != want {
			t.Errorf("after %d shift+tabs %s has the keyboard, want %s", i, got, want)
		}
		b.Press("shift+tab")
	}
	if b.Page() != first {
		t.Error("tab leads to another page")
	}
}

// TestTabPassesPanesWithoutRoom checks tab on a screen smaller than the page.
func TestTabPassesPanesWithoutRoom(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40, paged(row("services"), row("groups"), row("agents"), row("campaigns"), row("operators")))
	b.Press("shift+tab")
	if got := focusedKind(b); got != "operators" {
		t.Fatalf("%s has the keyboard", got)
	}
	b.Resize(80, 14)
	b.CheckShows("3 more panes: enlarge the window")
	page := b.Page().(*panes.PanePage) //nolint:forcetypeassert // the first page is one
	for range 6 {
		if c := page.FocusedSlot(); c == nil || !c.Shown {
			t.Fatalf("a hidden pane has the keyboard focus:\n%s", b.Text())
		}
		b.Press("tab")
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
	page := b.Page().(*panes.PanePage) //nolint:forcetypeassert // the first page is one
	place := func(kind string) frame.Area {
		at := slices.IndexFunc(page.Slots, func(c *panes.Slot) bool { return c.Spec.Kind == kind })
		return page.Slots[at].Area
	}
	at := place("agents")
	b.Click(at.X+4, at.Y+3)
	third := b.Selected()
	if got := focusedKind(b); got != "agents" || third == "" {
		t.Errorf("the click selects %q of %s", third, got)
	}
	if l := strings.Split(b.Text(), "\n")[at.Y+3]; !strings.Contains(l, displayName(b, third)) {
		t.Errorf("the click on %q selects %q", l, third)
	}
	top := func() string { return page.Focused().Table.HitTest(1, 1).Key }
	before := top()
	wheel := tea.MouseWheelMsg{X: at.X + 4, Y: at.Y + 3, Button: tea.MouseWheelDown}
	b.Press("shift+tab") // the wheel scrolls the pane under the mouse, regardless of the keyboard focus
	b.Send(wheel)
	b.Press("tab")
	if top() == before {
		t.Errorf("the wheel leaves %q at the top", before)
	}
	at = place("map")
	b.Click(at.X+1, at.Y)
	who := agentMap(b).Cursor
	b.Click(at.X+1, at.Y)
	if d, ok := b.Page().(*panes.Detail); !ok || d.Key != who || who == "" {
		t.Errorf("two clicks on %q do not open them", who)
	}
	b.Press("esc")
	at = place("chart")
	b.Click(at.X+at.W/2, at.Y+3)
	b.CheckShows("at 10:")
	b.Send(tea.MouseWheelMsg{X: at.X + 4, Y: at.Y + 3, Button: tea.MouseWheelDown})
	b.CheckShows("every minute")
}
