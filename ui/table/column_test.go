package table

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestLayout(t *testing.T) {
	t.Parallel()
	cols := []Column{
		{ID: "name", Min: 8, Ideal: 12, Weight: 3, Priority: 10},
		{ID: "state", Min: 5, Ideal: 9, Max: 14, Weight: 1, Priority: 9},
		{ID: "calls", Min: 4, Priority: 5},
		{ID: "note", Min: 6, Priority: 5},
	}
	tests := map[int][]int{ // widths of the columns, by width of the table
		3:   {3},
		8:   {8},
		13:  {13}, // one cell too narrow for two columns, so the name gets all cells
		14:  {8, 5},
		19:  {8, 5, 4},
		23:  {10, 7, 4},
		26:  {8, 5, 4, 6},
		34:  {12, 9, 4, 6},
		42:  {18, 11, 4, 6},
		100: {73, 14, 4, 6},
	}
	for width, want := range tests {
		var got []int
		for _, p := range layoutColumns(cols, make([]int, len(cols)), width, 0) {
			got = append(got, p.width)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("in %d cells (-want +got):\n%s", width, diff)
		}
	}
}

func TestLayoutStaysInside(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		cols := drawColumns(t)
		width, left := rapid.IntRange(-1, 300).Draw(t, "width"), rapid.IntRange(0, 3).Draw(t, "left")
		x := left
		held := rapid.SliceOfN(rapid.IntRange(0, 50), len(cols), len(cols)).Draw(t, "held")
		for i, p := range layoutColumns(cols, held, width, left) {
			if i > 0 {
				x += columnGap
			}
			if p.x != x || p.width < 1 {
				t.Fatalf("column %d is at %d with width %d, want it at %d", p.col, p.x, p.width, x)
			}
			x += p.width
		}
		if width > 0 && x > left+width {
			t.Fatalf("columns end at %d, the table at %d", x, left+width)
		}
	})
}

// TestColumnsWidenForWhatTheyHold checks that words are not cut while there is room beside them: the
// columns move once, together with the flashes of their cells, and do not move back when the long text
// disappears.
func TestColumnsWidenForWhatTheyHold(t *testing.T) {
	t.Parallel()
	l := list{
		{key: "a", cells: []string{"Anna", "IDLE", "1"}},
		{key: "b", cells: []string{"Bo", "IDLE", "2"}},
	}
	m := New(WithStyles(Styles{Flash: flashStyle}), WithColumns(
		Column{ID: "name", Title: "Name", Min: 4, Ideal: 20, Weight: 1},
		Column{ID: "state", Title: "State", Min: 4, Ideal: 6, Max: 16, Weight: 1},
		Column{ID: "n", Title: "N", Min: 3, Align: Right},
	))
	m.SetSize(40, 3)
	start := time.Unix(1000, 0)
	want := func(ms int, marked string, rows ...string) {
		t.Helper()
		m.SetTime(start.Add(time.Duration(ms) * time.Millisecond))
		m.SetSource(l)
		if diff := cmp.Diff(rows, lines(m)); diff != "" {
			t.Errorf("after %d ms (-want +got):\n%s", ms, diff)
		}
		if got := flashed(m); got != marked {
			t.Errorf("marked after %d ms: %q, want %q", ms, got, marked)
		}
	}
	m.SetSource(l)
	press(m, "end")
	narrow := []string{
		" Name                     State        N",
		" Anna                     IDLE         1",
		"▌Bo                       IDLE         2",
	}
	want(0, "", narrow...) // the selected row never flashes
	l = l.with("b", "Bo", "IDLE", "77")
	want(100, "", narrow[0], narrow[1], "▌Bo                       IDLE        77")
	l = l.with("a", "Anna", "TRAINING / SALES", "1")
	want(200, "TRAINING / SALES",
		" Name               State              N",
		" Anna               TRAINING / SALES   1",
		"▌Bo                 IDLE              77")
	want(850, "TRAINING / SALES",
		" Name               State              N",
		" Anna               TRAINING / SALES   1",
		"▌Bo                 IDLE              77")
	l = l.with("a", "Anna", "A STATE OF 18 CELL", "1") // longer than the maximum width of the column
	l = l.with("b", "Bo", "IDLE", "2")
	want(2000, "A STATE OF 18 C…",
		" Name               State              N",
		" Anna               A STATE OF 18 C…   1",
		"▌Bo                 IDLE               2")
	l = l.with("a", "Anna", "IDLE", "1")
	want(4000, "IDLE",
		" Name               State              N",
		" Anna               IDLE               1",
		"▌Bo                 IDLE               2")
	m.SetSize(41, 3)
	m.SetSize(40, 3)
	want(6000, "", narrow...)
}

// fitted is a source that shortens the text of its second column itself, as the column of alarms does.
type fitted struct{ list }

func (f fitted) Cell(i, col int, dst *Cell) {
	f.list.Cell(i, col, dst)
	if full := len(dst.Text); col == 1 {
		dst.WantedWidth = full
		if full > dst.Width {
			dst.Text = append(dst.Text[:0], "+2"...)
		}
	}
}

// TestRoomMarksNothing checks that a text that a source writes in full because its column has become
// wider does not flash.
func TestRoomMarksNothing(t *testing.T) {
	t.Parallel()
	l := list{
		{key: "a", cells: []string{"Anna", "wait nobody", "1"}},
		{key: "b", cells: []string{"Bo", "x", "2"}},
	}
	m := New(WithStyles(Styles{Flash: flashStyle}), WithColumns(
		Column{ID: "name", Title: "N", Min: 4, Weight: 1},
		Column{ID: "alarm", Title: "A", Min: 4, Weight: 1},
		Column{ID: "n", Title: "N", Min: 3, Align: Right},
	))
	want := func(ms int, marked string, row string) {
		t.Helper()
		m.SetTime(time.Unix(1000, int64(ms)*int64(time.Millisecond)))
		m.SetSource(fitted{l})
		if got := flashed(m); got != marked {
			t.Errorf("marked after %d ms: %q, want %q", ms, got, marked)
		}
		if got := lines(m)[1]; got != row {
			t.Errorf("after %d ms: %q, want %q", ms, got, row)
		}
	}
	m.SetSize(25, 4)
	want(0, "", "▌Anna   wait nobody     1")
	l = l.with("b", "Bo", "wait longer still", "2") // longer than the available width
	want(100, "+2", "▌Anna wait nobody       1")
	m.SetSize(28, 4)
	want(2000, "", "▌Anna  wait nobody         1")
	if got := lines(m)[2]; got != " Bo    wait longer still   2" {
		t.Errorf("the row that was short is %q", got)
	}
}

// TestHeightMovesNoColumns checks that a table that loses a line to a banner, or is hidden for a moment,
// keeps its column widths.
func TestHeightMovesNoColumns(t *testing.T) {
	t.Parallel()
	l := numbered(20)
	l[19].cells = []string{"a name that is long", "3"}
	m := New(WithColumns(
		Column{ID: "name", Title: "Name", Min: 6, Ideal: 6, Weight: 1},
		Column{ID: "n", Title: "N", Min: 4, Ideal: 4, Weight: 1},
	))
	m.SetSize(32, 6)
	m.SetSource(l)
	before := lines(m)[0]
	m.SetSource(l)
	press(m, "end")
	wide := lines(m)[0]
	if wide == before {
		t.Fatalf("the columns did not move for a long name:\n%s", m.View())
	}
	press(m, "home")
	m.SetSize(32, 5)
	m.View()
	m.SetSize(0, 0)
	m.View()
	m.SetSize(32, 6)
	if got := lines(m)[0]; got != wide {
		t.Errorf("the head is %q, was %q", got, wide)
	}
	m.SetSize(33, 6)
	m.View()
	m.SetSize(32, 6)
	if got := lines(m)[0]; got != before {
		t.Errorf("the head is %q on a new width, want %q", got, before)
	}
}

// TestBeforeLesserColumns widens a column at the expense of columns with a priority below DropBelow only.
func TestBeforeLesserColumns(t *testing.T) {
	t.Parallel()
	cols := []Column{
		{ID: "name", Min: 8, Priority: 100},
		{ID: "alarm", Min: 6, Ideal: 14, Weight: 1, Priority: 90, DropBelow: 50},
		{ID: "waiting", Min: 5, Priority: 80},
		{ID: "short", Min: 5, Priority: 40},
	}
	for width, want := range map[int][]int{
		36: {0, 1, 2, 3}, // all at their ideal width
		32: {0, 1, 2},    // the last column is dropped so that the alarm keeps its ideal width
		21: {0, 1, 2},    // a more important column is not dropped for that
		20: {0, 1},
	} {
		if got := fittingColumns(cols, width); !slices.Equal(got, want) {
			t.Errorf("in %d cells: %v, want %v", width, got, want)
		}
	}
}
