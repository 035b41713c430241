package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"
	"pgregory.net/rapid"

	"wallboard/ui/look"
)

// TestLayoutCoversNoCellTwice lays out any page on any screen: no pane is outside
// of it or on another, and what is shown has the room that it needs, but for the
// last one.
func TestLayoutCoversNoCellTwice(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w, h := rapid.IntRange(20, 500).Draw(t, "w"), rapid.IntRange(5, 200).Draw(t, "h")
		rows := make([]strip, rapid.IntRange(1, 6).Draw(t, "rows"))
		needs := make([][]room, len(rows))
		for i := range rows {
			rows[i] = strip{weight: rapid.IntRange(0, 9).Draw(t, "weight"), head: rapid.IntRange(0, 1).Draw(t, "head")}
			for range rapid.IntRange(1, 5).Draw(t, "panes") {
				r := room{width: rapid.IntRange(1, 60).Draw(t, "width"), least: rapid.IntRange(1, 20).Draw(t, "least")}
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
		areas := layout(rows, w, h, func(row, at, _ int) room { return needs[row][at] })
		shown := covers(t, areas, w, h)
		for i := range areas {
			for j, a := range areas[i] {
				if n := needs[i][j]; shown > 1 && a.h > 0 && (a.h < n.least || a.w < n.width) {
					t.Fatalf("pane %d,%d needs %+v and has %+v", i, j, n, a)
				}
			}
		}
	})
}

// covers fails if a pane is outside of the screen or on another, or if there is
// none, and returns how many there are.
func covers(t *rapid.T, areas [][]area, w, h int) int {
	used := make([]bool, w*h)
	shown := 0
	for i, a := range slices.Concat(areas...) {
		if a.w < 0 || a.h < 0 || a.x < 0 || a.y < 0 || a.x+a.w > w || a.y+a.h > h {
			t.Fatalf("pane %d is at %+v of %dx%d", i, a, w, h)
		}
		if a.w == 0 || a.h == 0 {
			continue
		}
		shown++
		for y := a.y; y < a.y+a.h; y++ {
			for x := a.x; x < a.x+a.w; x++ {
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

// everyPane is a page with every kind of pane.
func everyPane() []PageSpec {
	rows := []RowSpec{
		{Panes: []PaneSpec{{Kind: "tiles", Weight: 2}, {Kind: "clock", Zone: time.UTC}}},
		{Panes: []PaneSpec{{Kind: "services", Channel: "CHAT", Columns: []string{"name", "waiting"}}, {Kind: "groups"}, {Kind: "map", By: "group", Priority: 2}}},
		{Panes: []PaneSpec{{Kind: "agents", Filter: "ready", Priority: 3}, {Kind: "campaigns", Priority: 4}}},
		{Panes: []PaneSpec{{Kind: "attendants", Priority: 5}, {Kind: "operators", Priority: 5}, {Kind: "chart", Priority: 6}}},
		{Panes: []PaneSpec{{Kind: "alerts", Priority: 7}, {Kind: "feed", Priority: 7}}},
		{Panes: []PaneSpec{{Kind: "text", Text: strings.Repeat("Fire drill at three. ", 20)}}},
	}
	return []PageSpec{{Name: "All", Rows: rows}}
}

func TestGoldenPanes(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}} {
		for _, ascii := range []bool{false, true} {
			t.Run(fmt.Sprintf("%dx%d/ascii=%v", size[0], size[1], ascii), func(t *testing.T) {
				t.Parallel()
				b := newBoard(t, size[0], size[1], func(o *Options) { o.Pages, o.ASCII, o.Flash = everyPane(), ascii, false })
				for _, l := range strings.Split(b.text(), "\n") {
					if look.Width(l) != size[0] {
						t.Errorf("a line is %d cells wide: %q", look.Width(l), l)
					}
				}
				golden.RequireEqual(t, b.text())
			})
		}
	}
}

// TestGoldenPaneAlone holds every kind of pane as it goes to the terminal when it
// has a page to itself.
func TestGoldenPaneAlone(t *testing.T) {
	t.Parallel()
	if raceEnabled {
		t.Skip("one goroutine draws")
	}
	for _, row := range everyPane()[0].Rows {
		for _, pane := range row.Panes {
			for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}} {
				for look, theme := range map[string]string{"dark": "dark", "monochrome": "monochrome", "ascii": "monochrome"} {
					t.Run(fmt.Sprintf("%s/%dx%d/%s", pane.Kind, size[0], size[1], look), func(t *testing.T) {
						t.Parallel()
						b := newBoard(t, size[0], size[1], func(o *Options) {
							o.Pages = []PageSpec{{Name: "One", Rows: []RowSpec{{Panes: []PaneSpec{pane}}}}}
							o.Theme, o.ASCII, o.Flash = mustTheme(t, theme), look == "ascii", false
						})
						golden.RequireEqual(t, b.View().Content)
					})
				}
			}
		}
	}
}

// TestWallIsReadFromAfar: six figures have large digits on a screen of 120x40.
func TestWallIsReadFromAfar(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40)
	b.press("0")
	b.shows("██  ██", "██████")
	if best := arrangements(mainTiles, 120, tileBig); best[len(best)-1].columns != 3 {
		t.Errorf("six tiles stand as %+v", best)
	}
}
