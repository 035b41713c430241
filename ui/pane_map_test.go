package ui

import (
	"fmt"
	"strings"
	"testing"

	"wallboard/model"
	"wallboard/model/resource"
)

// paged returns the change of options that makes a page of some rows of panes
// the first one.
func paged(rows ...RowSpec) func(*Options) {
	return func(o *Options) { o.Pages = append([]PageSpec{{Name: "Mine", Rows: rows}}, DefaultPages()[:4]...) }
}

// row is a row of panes of some kinds.
func row(kinds ...string) RowSpec {
	var r RowSpec
	for _, k := range kinds {
		r.Panes = append(r.Panes, PaneSpec{Kind: k})
	}
	return r
}

// agentMap returns the map that has the keyboard.
func (b *board) agentMap() *mapPane {
	b.t.Helper()
	page, ok := b.page().(*panePage)
	if ok && page.holder() != nil {
		if held, ok := page.holder().pane.(*mapPane); ok {
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
		{"left", 0}, {"left", 0}, {"right", 1}, {"right", 2}, {"end", len(m.spots) - 1}, {"right", len(m.spots) - 1}, {"home", 0},
	} {
		if b.press(step.key); b.current != 0 || m.here() != step.spot {
			t.Errorf("after %s the cursor is at %d of page %d, want %d", step.key, m.here(), b.current, step.spot)
		}
	}
	from := m.spots[0]
	b.press("down")
	if now := m.spots[m.here()]; now.y != from.y+1 || now.x != from.x {
		t.Errorf("down leads from %+v to %+v", from, now)
	}
	b.press("up")
	who := m.cursor
	b.shows("Mine", "Talking") // who it is stands above him
	b.press("enter")
	if d, ok := b.page().(*detail); !ok || d.key != who {
		t.Errorf("enter does not open %s", who)
	}
	b.press("esc", "esc")
	if m.cursor != "" || b.current != 0 {
		t.Errorf("esc leaves the cursor on %q", m.cursor)
	}
	b.press("tab")
	if b.current != 1 {
		t.Errorf("tab leads to page %d", b.current)
	}
}

// TestMapCursorPassesWhoStandsTwice walks over agents who serve several groups.
func TestMapCursorPassesWhoStandsTwice(t *testing.T) {
	t.Parallel()
	f := newTestFloor(12)
	for i := range 12 {
		u := *f.Users.Get(agentName(i))
		u.Skillsets = []string{"GRP1", "GRP2", "GRP3"}
		f.Users.Put(&u)
	}
	b := newBoardOn(t, f, 80, 24, paged(RowSpec{Panes: []PaneSpec{{Kind: "map", By: "group"}}}))
	m := b.agentMap()
	if len(m.spots) != 36 {
		t.Fatalf("%d places", len(m.spots))
	}
	for i := range m.spots {
		if b.press("right"); m.here() != i {
			t.Fatalf("step %d leads to place %d", i, m.here())
		}
	}
}

// TestMapActsOnWhoIsUnderTheCursor presses the keys of actions.
func TestMapActsOnWhoIsUnderTheCursor(t *testing.T) {
	t.Parallel()
	c := newFloorController(resource.Report{Outcome: resource.Confirmed})
	for key, says := range map[string]string{
		"a": "dial a number", "d": "Dial for", "x": "Hang up this call of", "v": "Record", "l": "Calls", "T": "figures of agents",
	} {
		b := newBoard(t, 120, 40, paged(row("services", "map")), func(o *Options) { o.Controller = c })
		b.press("tab")
		if b.press(key); key != "T" && b.dialogs.Top() != nil { // of the floor
			t.Errorf("%s acts on nobody", key)
		}
		b.press("esc", "down", "right")
		name := b.scene.floor.AgentName(b.agentMap().cursor)
		b.shows("a actions")
		b.press(key)
		if b.dialogs.Top() == nil {
			t.Errorf("%s does nothing", key)
		}
		b.says(says, name)
	}
}

// TestMapOfManySaysHowManyMore holds a floor of thousands to what it shows.
func TestMapOfManySaysHowManyMore(t *testing.T) {
	t.Parallel()
	const agents = 5000
	f := newTestFloor(agents)
	b := newBoardOn(t, f, 80, 24, paged(row("map")))
	m := b.agentMap()
	more := fmt.Sprintf("%d more", agents-len(m.spots))
	if b.shows(more); len(m.spots) < 1000 {
		t.Errorf("%d agents are shown", len(m.spots))
	}
	if len(strings.Split(b.text(), "\n")) != 24 {
		t.Error("the frame does not fit")
	}
	b.press("end", "down", "right")
	if at := m.here(); at != len(m.spots)-1 {
		t.Errorf("the cursor is at %d of %d", at, len(m.spots))
	}
	f.Users.Delete(m.cursor)
	f.UserStats.Delete(model.UserStatKey{Username: m.cursor, Channel: model.Call})
	b.publish()
	b.press("enter") // he has gone: nobody is opened in his place
	if m.here() != 0 {
		t.Errorf("the cursor is at %d", m.here())
	}
}
