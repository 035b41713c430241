package ui

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"wallboard/model"
	"wallboard/ui/kiosk"
	"wallboard/ui/pages"
)

// emptyShare returns the share of blocks without a character (ten cells by three lines) in
// a page's body.
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

// drawnOn fills the part of a line to the right of a chart's axis, because that part counts as used.
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

// TestNoEmptyCell checks that pages use their space while there is more to show.
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
	for _, size := range [][2]int{{40, 12}, {80, 24}, {120, 40}, {160, 45}, {200, 60}, {300, 80}} {
		b := newHistoryBoard(t, &fakeHistory{}, size[0], size[1])
		for range 60 { // so that the charts show an hour
			b.Now = b.Now.Add(time.Minute)
			b.publish()
		}
		for p := range pages.StandardCount {
			b.press(pageKey(p))
			if p != pages.Feed { // the page Feed has nothing more to show
				check(t, b, p.String(), 3)
			}
			switch p { //nolint:exhaustive // of the others nothing is opened
			case pages.Services, pages.Groups, pages.Agents, pages.Campaigns, pages.Situations:
				b.press("enter")
				check(t, b, "what a row of "+p.String()+" opens", 3)
				b.press("t")
				check(t, b, "the chart of it", 3)
				b.press("esc", "esc")
			}
		}
		k := newBoard(t, size[0], size[1], onWall(func(k *kiosk.Options) { k.Pages = []string{"Wall", "Services"} }))
		for range 2 { // the page Agents is not checked, because its blocks are only color
			check(t, k, "the kiosk's page "+k.pages.NameOf(k.pages.Current), 6)
			k.press("right")
		}
	}
}

// TestTwelveRowsLeaveRoomOnASmallScreen checks that the lines below a short table show
// details of the selection at 80x24.
func TestTwelveRowsLeaveRoomOnASmallScreen(t *testing.T) {
	t.Parallel()
	const services = 12
	f := newTestFloor(40)
	for i := 0; ; i++ {
		n := 0
		for _, r := range f.Services.Rows() {
			if r.Channel == model.Call {
				n++
			}
		}
		if n >= services {
			break
		}
		f.putService(i, model.Call, 0)
	}
	b := newBoardOn(t, f, 80, 24)
	b.press("2")
	b.shows("row 1 of 12")
	b.shows("Longest wait")
}
