package table

import (
	"testing"
	"time"
)

// cellCounter counts the cells that are drawn.
type cellCounter struct {
	agents
	cells *int
}

func (c cellCounter) Cell(i, col int, dst *Cell) {
	*c.cells++
	c.agents.Cell(i, col, dst)
}

// TestHiddenForAMoment hides a table and shows it again in the same frame: only the row
// that has changed is drawn again, and it does not flash. Later all rows are drawn.
func TestHiddenForAMoment(t *testing.T) {
	t.Parallel()
	drawn := 0
	a := newAgents(20)
	m := benchModel(a)
	m.SetSource(cellCounter{a, &drawn})
	m.View()
	frame := func(second int64, changed ...int) (view string) {
		a = a.change(changed, 1)
		m.SetTime(time.Unix(second, 0))
		m.SetSource(cellCounter{a, &drawn})
		m.SetSize(0, 0)
		if m.HitTest(0, 1).Area == HitRow {
			t.Error("a hidden table can be clicked")
		}
		m.SetTime(time.Unix(second, 0))
		drawn = 0
		m.SetSize(200, 56)
		return m.View()
	}
	view := frame(1, 3)
	if drawn != benchColumns {
		t.Errorf("%d cells are drawn, want %d", drawn, benchColumns)
	}
	fresh := benchModel(a)
	if want := fresh.View(); view != want {
		t.Errorf("the table is\n%s\nwant\n%s", view, want)
	}
	m.SetSize(0, 0)
	m.SetTime(time.Unix(2, 0))
	drawn = 0
	m.SetSize(200, 56)
	if m.View(); drawn != 20*benchColumns {
		t.Errorf("%d cells are drawn after a second, want %d", drawn, 20*benchColumns)
	}
}
