package ui

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"wallboard/ui/kiosk"
)

// emptyShare is the share of a page's body in which there is nothing: of its blocks of
// ten cells in three lines, those without a character.
func emptyShare(lines []string, from, to int) float64 {
	const w, h = 10, 3
	empty, all := 0, 0
	for y := from; y+h <= to; y += h {
		width := len([]rune(lines[y]))
		for x := 0; x+w <= width; x += w {
			text := ""
			for _, l := range lines[y : y+h] {
				if r := []rune(l); x < len(r) {
					text += string(r[x:min(x+w, len(r))])
				}
			}
			all++
			if strings.TrimSpace(text) == "" {
				empty++
			}
		}
	}
	return float64(empty) / float64(max(all, 1))
}

// drawnOn fills what is right of the axis of a chart: where its line is low, it is drawn
// on even so.
func drawnOn(line string) string {
	r := []rune(line)
	for i, c := range r {
		axis := c == '┤' || c == '│' && i > 0 && r[i-1] == ' ' && i+1 < len(r)
		if axis {
			for j := i; j < len(r); j++ {
				if r[j] == ' ' {
					r[j] = '.'
				}
			}
			break
		}
	}
	return string(r)
}

// TestNoEmptyCell has every page use the room that it has while there is something left
// to show.
func TestNoEmptyCell(t *testing.T) {
	t.Parallel()
	const most = 0.25
	check := func(t *testing.T, b *board, name string, top int) {
		t.Helper()
		lines := strings.Split(ansi.Strip(b.View().Content), "\n")
		for i, l := range lines {
			lines[i] = drawnOn(l)
		}
		if share := emptyShare(lines, top, len(lines)-1); share > most {
			t.Errorf("%s at %dx%d: %.0f %% of the page is empty\n%s", name, b.width, b.height, 100*share, b.text())
		}
	}
	for _, size := range [][2]int{{80, 24}, {120, 40}, {160, 45}, {200, 60}} {
		b := newBoard(t, size[0], size[1])
		for range 60 { // the charts have an hour to show
			b.now = b.now.Add(time.Minute)
			b.publish()
		}
		for page, name := range map[string]string{
			"1": "Overview", "2": "Services", "3": "Groups", "4": "Agents", "5": "Campaigns", "7": "Situations", "0": "Wall",
		} {
			b.press(page)
			check(t, b, name, 3)
			if page == "2" || page == "3" || page == "5" { // of an agent there is no more to say
				b.press("enter")
				check(t, b, "what a row of "+name+" opens", 3)
				b.press("esc")
			}
		}
		k := newBoard(t, size[0], size[1], onWall(func(k *kiosk.Options) { k.Pages = []string{"Wall", "Services"} }))
		for range 2 { // that of the agents is colour
			check(t, k, "the kiosk's page "+k.pages.name(k.pages.current), 6)
			k.press("right")
		}
	}
}
