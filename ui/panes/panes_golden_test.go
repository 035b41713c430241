package panes_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"wallboard/internal/lib/testkit"
	"wallboard/ui"
	"wallboard/ui/panes"
	"wallboard/ui/style"
	"wallboard/ui/uitest"
	"wallboard/ui/widgets"
)

// everyPane returns a page with every kind of pane.
func everyPane() []panes.PageSpec {
	rows := []panes.RowSpec{
		{Panes: []panes.PaneSpec{{Kind: "tiles", Weight: 2}, {Kind: "clock", Zone: time.UTC}}},
		{Panes: []panes.PaneSpec{{Kind: "services", Channel: "CHAT", Columns: []string{"name", "waiting"}}, {Kind: "groups"}, {Kind: "map", GroupBy: "group", Priority: 2}}},
		{Panes: []panes.PaneSpec{{Kind: "agents", Filter: "ready", Priority: 3}, {Kind: "campaigns", Priority: 4}}},
		{Panes: []panes.PaneSpec{{Kind: "attendants", Priority: 5}, {Kind: "operators", Priority: 5}, {Kind: "chart", Priority: 6}}},
		{Panes: []panes.PaneSpec{{Kind: "alerts", Priority: 7}, {Kind: "feed", Priority: 7}}},
		{Panes: []panes.PaneSpec{{Kind: "text", Text: strings.Repeat("Fire drill at three. ", 20)}}},
	}
	return []panes.PageSpec{{Name: "All", Rows: rows}}
}

func TestGoldenPanes(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}} {
		for _, ascii := range []bool{false, true} {
			t.Run(fmt.Sprintf("%dx%d/ascii=%v", size[0], size[1], ascii), func(t *testing.T) {
				t.Parallel()
				b := newBoard(t, size[0], size[1], func(o *ui.Options) { o.Navigation.Pages, o.Display.ASCII, o.Display.Flash = everyPane(), ascii, false })
				for _, l := range strings.Split(b.Text(), "\n") {
					if style.Width(l) != size[0] {
						t.Errorf("a line is %d cells wide: %q", style.Width(l), l)
					}
				}
				golden.RequireEqual(t, b.Text())
			})
		}
	}
}

// TestGoldenPaneAlone compares every kind of pane on a page of its own with golden files.
func TestGoldenPaneAlone(t *testing.T) {
	t.Parallel()
	if testkit.Race {
		t.Skip("one goroutine draws")
	}
	for _, row := range everyPane()[0].Rows {
		for _, pane := range row.Panes {
			for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}} {
				for look, theme := range map[string]string{"dark": "dark", "monochrome": "monochrome", "ascii": "monochrome"} {
					t.Run(fmt.Sprintf("%s/%dx%d/%s", pane.Kind, size[0], size[1], look), func(t *testing.T) {
						t.Parallel()
						b := newBoard(t, size[0], size[1], func(o *ui.Options) {
							o.Navigation.Pages = []panes.PageSpec{{Name: "One", Rows: []panes.RowSpec{{Panes: []panes.PaneSpec{pane}}}}}
							o.Display.Theme, o.Display.ASCII, o.Display.Flash = uitest.Theme(t, theme), look == "ascii", false
						})
						golden.RequireEqual(t, b.View().Content)
					})
				}
			}
		}
	}
}

// TestWallIsReadFromAfar checks that six figures have large digits at 120x40.
func TestWallIsReadFromAfar(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40)
	b.Press("0")
	b.CheckShows("██  ██", "██████")
	if best := widgets.TileLayouts(panes.MainTileCount, 120, widgets.TileLargeWithTrend); best[len(best)-1].Columns != 3 {
		t.Errorf("six tiles stand as %+v", best)
	}
}
