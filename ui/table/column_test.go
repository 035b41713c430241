package table

import (
	"strings"
	"testing"

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
	tests := map[int][]int{ // widths by width
		3:   {3},
		8:   {8},
		13:  {13}, // one cell short of both, so the name has it all
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
		for _, p := range layout(cols, width, 0, false, 0) {
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
		scroll := rapid.Bool().Draw(t, "scroll")
		x := left
		for i, p := range layout(cols, width, left, scroll, rapid.IntRange(0, 9).Draw(t, "offset")) {
			if i > 0 {
				x += gap
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

func TestScrollSideways(t *testing.T) {
	t.Parallel()
	m := New(WithColumns(
		Column{ID: "name", Min: 6, Pin: true}, Column{ID: "a", Min: 6}, Column{ID: "b", Min: 6},
		Column{ID: "c", Min: 6}, Column{ID: "d", Min: 6},
	))
	m.SetSize(22, 5)
	want := func(ids string) {
		t.Helper()
		if got := strings.Join(m.VisibleColumns(), " "); got != ids {
			t.Errorf("columns %q, want %q", got, ids)
		}
	}
	press(m, "right")
	want("name a b") // not asked for: the others are dropped
	m.SetSideways(true)
	press(m, "right")
	want("name b c")
	press(m, "right", "right", "right", "right")
	want("name c d")
	press(m, "left", "left", "left")
	want("name a b")
	m.SetSize(50, 5)
	want("name a b c d")
}
