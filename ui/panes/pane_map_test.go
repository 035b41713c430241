package panes_test

import (
	"fmt"
	"strings"
	"testing"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/ui"
	"wallboard/ui/pages"
	"wallboard/ui/panes"
	"wallboard/ui/uitest"
)

// paged adds a first page with rows of panes.
func paged(rows ...panes.RowSpec) func(*ui.Options) {
	return func(o *ui.Options) {
		o.Navigation.Pages = append([]panes.PageSpec{{Name: "Mine", Rows: rows}}, pages.DefaultSpecs()[:4]...)
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
func agentMap(b *uitest.Board) *panes.AgentMapPane {
	b.T.Helper()
	page, ok := b.Page().(*panes.PanePage)
	if ok && page.FocusedSlot() != nil {
		if held, ok := page.FocusedSlot().Pane.(*panes.AgentMapPane); ok {
			return held
		}
	}
	b.T.Fatalf("no map has the keyboard:\n%s", b.Text())
	return nil
}

func TestMapCursor(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40, paged(row("map")))
	m, first := agentMap(b), b.Page()
	for _, step := range []struct {
		key  string
		spot int // expected position of the cursor afterwards
	}{
		{"left", 0}, {"left", 0}, {"right", 1}, {"right", 2}, {"end", len(m.AgentPositions) - 1}, {"right", len(m.AgentPositions) - 1}, {"home", 0},
	} {
		if b.Press(step.key); b.Page() != first || m.CursorIndex() != step.spot {
			t.Errorf("after %s the cursor is at %d of %T, want %d", step.key, m.CursorIndex(), b.Page(), step.spot)
		}
	}
	from := m.AgentPositions[0]
	b.Press("down")
	if now := m.AgentPositions[m.CursorIndex()]; now.Y <= from.Y || now.X != from.X {
		t.Errorf("down leads from %+v to %+v", from, now)
	}
	b.Press("up")
	who := m.Cursor
	b.CheckShows("Mine", "Talking") // the heading shows the agent under the cursor
	b.Press("enter")
	if d, ok := b.Page().(*panes.Detail); !ok || d.Key != who {
		t.Errorf("enter does not open %s", who)
	}
	b.Press("esc", "esc")
	if m.Cursor != "" || b.Page() != first {
		t.Errorf("esc leaves the cursor on %q", m.Cursor)
	}
	b.Press("]")
	if b.Page() == first {
		t.Error("] leads nowhere")
	}
}

// TestMapCursorPassesWhoStandsTwice moves the cursor over agents who are in several groups.
func TestMapCursorPassesWhoStandsTwice(t *testing.T) {
	t.Parallel()
	f := uitest.NewFloor(12)
	for i := range 12 {
		u := *f.Users.Get(uitest.AgentName(i))
		u.Skillsets = []string{"GRP1", "GRP2", "GRP3"}
		f.Users.Put(&u)
	}
	b := newBoardOn(t, f, 80, 24, paged(panes.RowSpec{Panes: []panes.PaneSpec{{Kind: "map", GroupBy: "group"}}}))
	m := agentMap(b)
	if len(m.AgentPositions) != 36 {
		t.Fatalf("%d places", len(m.AgentPositions))
	}
	for i := range m.AgentPositions {
		if b.Press("right"); m.CursorIndex() != i {
			t.Fatalf("step %d leads to place %d", i, m.CursorIndex())
		}
	}
}

// TestMapActsOnWhoIsUnderTheCursor checks that keys of actions apply to the agent under the cursor.
func TestMapActsOnWhoIsUnderTheCursor(t *testing.T) {
	t.Parallel()
	c := uitest.NewController(words.ActionReport{Outcome: resource.OutcomeConfirmed})
	for key, says := range map[string]string{
		"a": "dial a number", "d": "Dial for", "x": "'s call?", "v": "Record", "l": "'s calls", "t": "Recorded since",
	} {
		b := newBoard(t, 120, 40, paged(row("services", "map")), func(o *ui.Options) { o.Actions.Controller = uitest.ControllerOf(c) })
		b.Press("tab")
		if b.Press(key); key != "t" { // the chart is about the floor
			b.CheckHides(says)
		}
		b.Press("esc", "down", "right")
		name := displayName(b, agentMap(b).Cursor)
		b.CheckShows("a actions")
		b.Press(key)
		b.CheckShowsAll(says, name)
	}
}

// TestMapOfManySaysHowManyMore checks the count of agents that do not fit.
func TestMapOfManySaysHowManyMore(t *testing.T) {
	t.Parallel()
	const agents = 5000
	f := uitest.NewFloor(agents)
	b := newBoardOn(t, f, 80, 24, paged(row("map")))
	m := agentMap(b)
	more := fmt.Sprintf("%d more", agents-len(m.AgentPositions))
	if b.CheckShows(more); len(m.AgentPositions) < 1000 {
		t.Errorf("%d agents are shown", len(m.AgentPositions))
	}
	if len(strings.Split(b.Text(), "\n")) != 24 {
		t.Error("the frame does not fit")
	}
	b.Press("end", "down", "right")
	if at := m.CursorIndex(); at != len(m.AgentPositions)-1 {
		t.Errorf("the cursor is at %d of %d", at, len(m.AgentPositions))
	}
	f.Users.Delete(m.Cursor)
	f.UserStats.Delete(model.UserStatKey{Username: m.Cursor, Channel: model.Call})
	b.Publish()
	b.Press("enter") // the agent has gone, and no other agent is opened instead
	if m.CursorIndex() != 0 {
		t.Errorf("the cursor is at %d", m.CursorIndex())
	}
}
