package panes_test

import (
	"strings"
	"testing"

	"wallboard/ui/uitest"
)

// TestPreviewBesideTheTable checks that the preview is beside the table on a wide screen,
// unless the chosen columns need the space, and below it on a narrow one.
func TestPreviewBesideTheTable(t *testing.T) {
	t.Parallel()
	beside := func(b *uitest.Board) bool {
		b.Press("2", "down")
		titles, _, _ := strings.Cut(b.Text()[strings.Index(b.Text(), "Waiting"):], "\n")
		return strings.Count(titles, "│") > 1 // the second frame is that of the preview
	}
	for size, want := range map[[2]int]bool{{120, 40}: false, {140, 40}: true, {160, 45}: true, {200, 60}: true} {
		b := newBoard(t, size[0], size[1])
		if got := beside(b); got != want {
			t.Errorf("at %dx%d the preview stands beside the table: %v\n%s", size[0], size[1], got, b.Text())
		}
	}
}

// TestDetailsHaveAgentsAtTheRight checks the layout of a service's details.
func TestDetailsHaveAgentsAtTheRight(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{120, 40}, {160, 45}, {200, 60}} {
		b := newBoard(t, size[0], size[1])
		b.Press("2", "enter")
		agents, trend := -1, -1
		for _, l := range strings.Split(b.Text(), "\n") {
			if i := strings.Index(l, " 4 Agents ━"); i >= 0 && agents < 0 {
				agents = len([]rune(l[:i]))
			}
			if i := strings.Index(l, " Over time ─"); i >= 0 {
				trend = len([]rune(l[:i]))
			}
		}
		if trend < 0 || trend > 2 || agents < size[0]/3 {
			t.Errorf("at %dx%d the trend begins at %d, the agents at %d\n%s", size[0], size[1], trend, agents, b.Text())
		}
	}
}
