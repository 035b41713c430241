package panes

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestLayoutCoversNoCellTwice lays out any page on any screen: no pane is outside
// of it or on another, and what is shown has the room that it needs, but for the
// last one.
func TestLayoutCoversNoCellTwice(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w, h := rapid.IntRange(20, 500).Draw(t, "w"), rapid.IntRange(5, 200).Draw(t, "h")
		rows := make([]strip, rapid.IntRange(1, 6).Draw(t, "rows"))
		needs := make([][]Room, len(rows))
		for i := range rows {
			rows[i] = strip{weight: rapid.IntRange(0, 9).Draw(t, "weight"), head: rapid.IntRange(0, 1).Draw(t, "head")}
			for range rapid.IntRange(1, 5).Draw(t, "panes") {
				r := Room{width: rapid.IntRange(1, 60).Draw(t, "width"), least: rapid.IntRange(1, 20).Draw(t, "least")}
				r.wanted = r.least + rapid.IntRange(0, 9).Draw(t, "more")
				if rapid.Bool().Draw(t, "steps") {
					r.steps = []int{r.least, r.least + 3, r.least + 9}
				}
				needs[i] = append(needs[i], r)
				rows[i].blocks = append(rows[i].blocks, block{
					weight: rapid.IntRange(0, 9).Draw(t, "weight"), priority: rapid.IntRange(1, 4).Draw(t, "priority"),
				})
			}
		}
		areas := layout(rows, w, h, func(row, at, _ int) Room { return needs[row][at] })
		shown := covers(t, areas, w, h)
		for i := range areas {
			for j, a := range areas[i] {
				if n := needs[i][j]; shown > 1 && a.h > 0 && (a.h < n.least || a.W < n.width) {
					t.Fatalf("pane %d,%d needs %+v and has %+v", i, j, n, a)
				}
			}
		}
	})
}

// covers fails if a pane is outside of the screen or on another, or if there is
// none, and returns how many there are.
func covers(t *rapid.T, areas [][]Area, w, h int) int {
	used := make([]bool, w*h)
	shown := 0
	for i, a := range slices.Concat(areas...) {
		if a.W < 0 || a.h < 0 || a.X < 0 || a.Y < 0 || a.X+a.W > w || a.Y+a.h > h {
			t.Fatalf("pane %d is at %+v of %dx%d", i, a, w, h)
		}
		if a.W == 0 || a.h == 0 {
			continue
		}
		shown++
		for y := a.Y; y < a.Y+a.h; y++ {
			for x := a.X; x < a.X+a.W; x++ {
				if used[y*w+x] {
					t.Fatalf("pane %d is on another at %d,%d: %+v", i, x, y, areas)
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
