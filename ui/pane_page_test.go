package ui

import (
	"slices"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// focusedKind is what the pane with the keyboard shows.
func (b *board) focusedKind() string {
	b.t.Helper()
	if page, ok := b.page().(*panePage); ok && page.holder() != nil {
		return page.holder().spec.Kind
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
	if b.current != 0 {
		t.Error("tab leads to another page")
	}
}

// TestTabPassesPanesWithoutRoom makes the screen smaller than the page.
func TestTabPassesPanesWithoutRoom(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40, paged(row("services"), row("groups"), row("agents"), row("campaigns"), row("operators")))
	b.press("shift+tab")
	if got := b.focusedKind(); got != "operators" {
		t.Fatalf("%s has the keyboard", got)
	}
	b.send(windowSize(80, 14))
	b.shows("panes need a larger screen")
	page := b.page().(*panePage) //nolint:forcetypeassert // the first page is one
	for range 6 {
		if c := page.holder(); c == nil || !c.shown {
			t.Fatalf("a pane that nobody sees has the keyboard:\n%s", b.text())
		}
		b.press("tab")
	}
}

func TestPanesByMouse(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40, paged(row("services", "agents"), row("map", "chart")))
	page := b.page().(*panePage) //nolint:forcetypeassert // the first page is one
	place := func(kind string) area {
		at := slices.IndexFunc(page.all, func(c *slot) bool { return c.spec.Kind == kind })
		return page.all[at].area
	}
	at := place("agents")
	b.click(at.x+4, at.y+3)
	third := b.selected()
	if got := b.focusedKind(); got != "agents" || third == "" {
		t.Errorf("the click selects %q of %s", third, got)
	}
	top := func() string { return page.focused().table.HitTest(1, 1).Key }
	before := top()
	wheel := tea.MouseWheelMsg{X: at.x + 4, Y: at.y + 3, Button: tea.MouseWheelDown}
	b.press("shift+tab") // the wheel turns what is under it, whoever has the keyboard
	b.send(wheel)
	b.press("tab")
	if top() == before {
		t.Errorf("the wheel leaves %q at the top", before)
	}
	at = place("map")
	b.click(at.x+1, at.y)
	who := b.agentMap().cursor
	b.click(at.x+1, at.y)
	if d, ok := b.page().(*detail); !ok || d.key != who || who == "" {
		t.Errorf("two clicks on %q do not open him", who)
	}
	b.press("esc")
	at = place("chart")
	b.click(at.x+at.w-10, at.y+3)
	b.shows("at 10:")
	b.send(tea.MouseWheelMsg{X: at.x + 4, Y: at.y + 3, Button: tea.MouseWheelDown})
	b.shows("the last 8 hours")
}
