package panes_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"wallboard/model"
	"wallboard/ui"
	"wallboard/ui/uitest"
)

// TestSmallOverviews checks that screens of unusual sizes show services. They must not show a heading
// without rows, a single tile on a line, or empty lines below the tables.
func TestSmallOverviews(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{60, 20}, {100, 20}, {100, 30}, {80, 24}, {80, 30}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			t.Parallel()
			b := newBoard(t, size[0], size[1])
			lines := strings.Split(b.Text(), "\n")
			services, campaigns := 0, 0
			for i := range 12 {
				if strings.Contains(b.Text(), uitest.Names().NameOf(model.NameService, uitest.ServiceCode(i))) {
					services++
				}
			}
			if services < 4 {
				t.Errorf("%d services are listed", services)
			}
			for i, l := range lines {
				if strings.HasPrefix(l, "─ Campaigns") {
					campaigns = i
				}
			}
			if campaigns > 0 && campaigns+3 >= len(lines) {
				t.Errorf("line %d is the head of no campaign", campaigns)
			}
			if blank := lines[len(lines)-2]; strings.TrimSpace(blank) == "" {
				t.Error("the last line of the page is empty")
			}
			if t.Failed() {
				t.Log("\n" + b.Text())
			}
		})
	}
}

// TestTileIsNotAlone checks that the last line of small tiles contains more than one tile.
func TestTileIsNotAlone(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 100, 40)
	if lines := strings.Split(b.Text(), "\n"); !strings.Contains(b.Text(), "Occupancy") {
		t.Errorf("the last tile is left out:\n%s", b.Text())
	} else {
		for _, l := range lines {
			if strings.Contains(l, "Occupancy") && len(strings.Fields(l)) < 4 {
				t.Errorf("the last tile is alone: %q", l)
			}
		}
	}
}

// TestSmallAgentsHaveTimes checks that an agent's name is cut before the state and its time.
func TestSmallAgentsHaveTimes(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 40, 12)
	b.Press("4")
	b.CheckShows("Agent", "State", "Time")
}

// TestVerdictIsCompleteOnSmallScreens checks that the first line names the worst queue in full, with
// the number of waiting callers and the longest wait.
func TestVerdictIsCompleteOnSmallScreens(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{40, 12}, {60, 20}} {
		b := newBoardOn(t, uitest.NewOverloadedFloor(1), size[0], size[1], func(o *ui.Options) {
			o.Names = model.Names{model.NameService: {"S00000": "Technical Support"}}
		})
		b.AdvanceClock(time.Second)
		lines := strings.Split(b.Text(), "\n")
		if want := "▲ Technical Support: "; !strings.Contains(lines[3], want) || !strings.Contains(lines[3], "3 ") || !strings.Contains(lines[3], "1:10") || strings.Contains(lines[3], "…") {
			t.Errorf("%v: the verdict is %q", size, lines[3])
		}
	}
}
