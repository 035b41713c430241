package ui

import (
	"fmt"
	"strings"
	"testing"

	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/ui/panes"
)

// paged adds a first page with rows of panes.
func paged(rows ...panes.RowSpec) func(*Options) {
	return func(o *Options) {
		o.Pages = append([]panes.PageSpec{{Name: "Mine", Rows: rows}}, DefaultPages()[:4]...)
	}
}

// row is a row of panes.
func row(kinds ...string) panes.RowSpec {
	var r panes.RowSpec
	for _, k := range kinds {
		r.Panes = append(r.Panes, panes.PaneSpec{Kind: k})
	}
	return r
}

// agentMap returns the focused map.
func (b *board) agentMap() *panes.MapPane {
	b.t.Helper()
	page, ok := b.pages.currentPage().(*panes.PanePage)
	if ok && page.FocusedSlot() != nil {
		if held, ok := page.FocusedSlot().Pane.(*panes.MapPane); ok {
			return held
		}
	}
	b.t.Fatalf("no map has the keyboard:\n%s", b.text())
	return nil
}

func TestMapCursor(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40, paged(row("map")))
	m := b.agentMap()
	for _, step := range []struct {
		key  string
		spot int // under the cursor then
	}{
		{"left", 0}, {"left", 0}, {"right", 1}, {"right", 2}, {"end", len(m.Spots) - 1}, {"right", len(m.Spots) - 1}, {"home", 0},
	} {
		if b.press(step.key); b.pages.current != 0 || m.CursorIndex() != step.spot {
			t.Errorf("after %s the cursor is at %d of page %d, want %d", step.key, m.CursorIndex(), b.pages.current, step.spot)
		}
	}
	from := m.Spots[0]
	b.press("down")
	if now := m.Spots[m.CursorIndex()]; now.Y <= from.Y || now.X != from.X {
		t.Errorf("down leads from %+v to %+v", from, now)
	}
	b.press("up")
	who := m.Cursor
	b.shows("Mine", "Talking") // who it is stands above them
	b.press("enter")
	if d, ok := b.pages.currentPage().(*panes.Detail); !ok || d.Key != who {
		t.Errorf("enter does not open %s", who)
	}
	b.press("esc", "esc")
	if m.Cursor != "" || b.pages.current != 0 {
		t.Errorf("esc leaves the cursor on %q", m.Cursor)
	}
	b.press("]")
	if b.pages.current != 1 {
		t.Errorf("] leads to page %d", b.pages.current)
	}
}

// TestMapCursorPassesWhoStandsTwice moves over agents in several groups.
func TestMapCursorPassesWhoStandsTwice(t *testing.T) {
	t.Parallel()
	f := newTestFloor(12)
	for i := range 12 {
		u := *f.Users.Get(agentName(i))
		u.Skillsets = []string{"GRP1", "GRP2", "GRP3"}
		f.Users.Put(&u)
	}
	b := newBoardOn(t, f, 80, 24, paged(panes.RowSpec{Panes: []panes.PaneSpec{{Kind: "map", By: "group"}}}))
	m := b.agentMap()
	if len(m.Spots) != 36 {
		t.Fatalf("%d places", len(m.Spots))
	}
	for i := range m.Spots {
		if b.press("right"); m.CursorIndex() != i {
			t.Fatalf("step %d leads to place %d", i, m.CursorIndex())
		}
	}
}

// TestMapActsOnWhoIsUnderTheCursor presses the keys of actions.
func TestMapActsOnWhoIsUnderTheCursor(t *testing.T) {
	t.Parallel()
	c := newFloorController(resource.Report{Outcome: resource.Confirmed})
	for key, says := range map[string]string{
		"a": "dial a number", "d": "Dial for", "x": "Hang up this call of", "v": "Record", "l": "Calls", "t": "The board has watched since",
	} {
		b := newBoard(t, 120, 40, paged(row("services", "map")), func(o *Options) { o.Controller = controllerOf(c) })
		b.press("tab")
		if b.press(key); key != "t" && b.dialogs.Top() != nil { // of the floor
			t.Errorf("%s acts on nobody", key)
		}
		b.press("esc", "down", "right")
		name := b.scene.floor.AgentName(b.agentMap().Cursor)
		b.shows("a actions")
		b.press(key)
		if b.dialogs.Top() == nil {
			t.Errorf("%s does nothing", key)
		}
		b.says(says, name)
	}
}

// TestMapOfManySaysHowManyMore checks the count of agents that do not fit.
func TestMapOfManySaysHowManyMore(t *testing.T) {
	t.Parallel()
	const agents = 5000
	f := newTestFloor(agents)
	b := newBoardOn(t, f, 80, 24, paged(row("map")))
	m := b.agentMap()
	more := fmt.Sprintf("%d more", agents-len(m.Spots))
	if b.shows(more); len(m.Spots) < 1000 {
		t.Errorf("%d agents are shown", len(m.Spots))
	}
	if len(strings.Split(b.text(), "\n")) != 24 {
		t.Error("the frame does not fit")
	}
	b.press("end", "down", "right")
	if at := m.CursorIndex(); at != len(m.Spots)-1 {
		t.Errorf("the cursor is at %d of %d", at, len(m.Spots))
	}
	f.Users.Delete(m.Cursor)
	f.UserStats.Delete(model.UserStatKey{Username: m.Cursor, Channel: model.Call})
	b.publish()
	b.press("enter") // they have gone: nobody is opened in their place
	if m.CursorIndex() != 0 {
		t.Errorf("the cursor is at %d", m.CursorIndex())
	}
}
