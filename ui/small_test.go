package ui

import (
	"fmt"
	"strings"
	"testing"

	"wallboard/model"
)

// TestSmallOverviews checks that screens of unusual sizes show services and no heads without
// rows, no tile alone on a line, and no empty lines below the tables.
func TestSmallOverviews(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{60, 20}, {100, 20}, {100, 30}, {80, 24}, {80, 30}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			t.Parallel()
			b := newBoard(t, size[0], size[1])
			lines := strings.Split(b.text(), "\n")
			services, campaigns := 0, 0
			for i := range 12 {
				if strings.Contains(b.text(), b.scene.floor.Names.Of(model.NameService, serviceCode(i))) {
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
				t.Log("\n" + b.text())
			}
		})
	}
}

// TestTileIsNotAlone checks that the last line of small tiles has more than one.
func TestTileIsNotAlone(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 100, 40)
	if lines := strings.Split(b.text(), "\n"); !strings.Contains(b.text(), "Occupancy") {
		t.Errorf("the last tile is left out:\n%s", b.text())
	} else {
		for _, l := range lines {
			if strings.Contains(l, "Occupancy") && len(strings.Fields(l)) < 4 {
				t.Errorf("the last tile is alone: %q", l)
			}
		}
	}
}

// TestSmallAgentsHaveTimes checks that an agent's name yields to the state and its time.
func TestSmallAgentsHaveTimes(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 40, 12)
	b.press("4")
	b.shows("Agent", "State", "Time")
}

// TestMoreTabs checks that tabs that do not fit end with a sign, and that the sign covers none.
func TestMoreTabs(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		w    int
		keys []string
		want string
	}{{40, nil, " › "}, {60, nil, " › "}, {40, []string{"5"}, "‹›"}, {40, []string{"0"}, " ‹ "}} {
		b := newBoard(t, tt.w, 24)
		b.press(tt.keys...)
		line := strings.Split(b.text(), "\n")[1] + " "
		if !strings.HasSuffix(strings.TrimRight(line, " ")+" ", strings.TrimLeft(tt.want, " ")) && !strings.Contains(line, tt.want) {
			t.Errorf("the tabs of %v in %d cells end without a sign: %q", tt.keys, tt.w, line)
		}
		tabs := b.pages.tabs().Layout(b.scene.look, tt.w)
		if last := tabs[len(tabs)-1].To; last > tt.w-3 {
			t.Errorf("the last tab ends at %d of %d", last, tt.w)
		}
	}
	if line := strings.Split(newBoard(t, 200, 24).text(), "\n")[1]; strings.ContainsAny(line, "‹›") {
		t.Errorf("all tabs fit, and yet there is a sign: %q", line)
	}
}
