package frame_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"wallboard/ui/frame"
)

// TestLayoutCoversNoCellTwice lays out any page on any screen: panes are on the screen
// and do not overlap, and have the room that they need, except for the last one.
func TestLayoutCoversNoCellTwice(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w, h := rapid.IntRange(20, 500).Draw(t, "w"), rapid.IntRange(5, 200).Draw(t, "h")
		rows := make([]frame.Row, rapid.IntRange(1, 6).Draw(t, "rows"))
		needs := make([][]frame.SizeHint, len(rows))
		for i := range rows {
			rows[i] = frame.Row{Weight: rapid.IntRange(0, 9).Draw(t, "weight"), HeadLines: rapid.IntRange(0, 1).Draw(t, "head")}
			for range rapid.IntRange(1, 5).Draw(t, "panes") {
				r := frame.SizeHint{MinWidth: rapid.IntRange(1, 60).Draw(t, "width"), MinHeight: rapid.IntRange(1, 20).Draw(t, "least")}
				r.WantedHeight = r.MinHeight + rapid.IntRange(0, 9).Draw(t, "more")
				if rapid.Bool().Draw(t, "steps") {
					r.UsefulHeights = []int{r.MinHeight, r.MinHeight + 3, r.MinHeight + 9}
				}
				needs[i] = append(needs[i], r)
				rows[i].Blocks = append(rows[i].Blocks, frame.PaneLayout{
					Weight: rapid.IntRange(0, 9).Draw(t, "weight"), DropPriority: rapid.IntRange(1, 4).Draw(t, "priority"),
				})
			}
		}
		got := frame.SplitPanes(rows, w, h, func(row, at, _ int) frame.SizeHint { return needs[row][at] })
		shown := covers(t, got, w, h)
		for i := range got {
			for j, a := range got[i] {
				if n := needs[i][j]; shown > 1 && a.H > 0 && (a.H < n.MinHeight || a.W < n.MinWidth) {
					t.Fatalf("pane %d,%d needs %+v and has %+v", i, j, n, a)
				}
			}
		}
	})
}

// covers returns the number of panes. It fails if there is none, or if a pane is off the screen or
// overlaps another pane.
func covers(t *rapid.T, got [][]frame.Area, w, h int) int {
	used := make([]bool, w*h)
	shown := 0
	for i, a := range slices.Concat(got...) {
		if a.W < 0 || a.H < 0 || a.X < 0 || a.Y < 0 || a.X+a.W > w || a.Y+a.H > h {
			t.Fatalf("pane %d is at %+v of %dx%d", i, a, w, h)
		}
		if a.W == 0 || a.H == 0 {
			continue
		}
		shown++
		for y := a.Y; y < a.Y+a.H; y++ {
			for x := a.X; x < a.X+a.W; x++ {
				if used[y*w+x] {
					t.Fatalf("pane %d overlaps another at %d,%d: %+v", i, x, y, got)
				}
				used[y*w+x] = true
			}
		}
	}
	if shown == 0 {
		t.Fatal("nothing is shown")
	}
	return shown
}

// TestLowPaneReplacesHighPane checks that a pane with little need of room is shown where a more
// important one is too high.
func TestLowPaneReplacesHighPane(t *testing.T) {
	t.Parallel()
	heights := []int{4, 6, 3, 20}
	rows := make([]frame.Row, len(heights))
	for i := range rows {
		rows[i].Blocks = []frame.PaneLayout{{DropPriority: i + 1}}
	}
	got := frame.SplitPanes(rows, 40, 9, func(row, _, _ int) frame.SizeHint {
		return frame.SizeHint{MinWidth: 20, MinHeight: heights[row], WantedHeight: heights[row]}
	})
	for i, want := range []bool{true, false, true, false} {
		if a := got[i][0]; a.H > 0 != want {
			t.Errorf("pane %d is at %+v", i, a)
		}
	}
}
