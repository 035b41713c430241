package ui

import (
	"strings"
	"testing"
	"time"

	"wallboard/ui/panes"
)

// ticker is a page with a table and a text below it.
func ticker(text string, speed time.Duration) func(*Options) {
	return paged(row("services"), panes.RowSpec{Panes: []panes.PaneSpec{{Kind: "text", Text: text, ScrollInterval: speed}}})
}

// moves runs two seconds and returns by how many cells the text moved in each step of 50
// ms.
func (b *board) moves() []int {
	b.t.Helper()
	last := func() string {
		lines := strings.Split(b.text(), "\n")
		return lines[len(lines)-2]
	}
	var out []int
	before := last()
	for range 40 {
		b.Now = b.Now.Add(50 * time.Millisecond)
		b.send(animateMsg{})
		now, by := last(), 0
		for by < 5 && !strings.HasPrefix(before[by:], now[:40]) {
			by++
		}
		out, before = append(out, by), now
	}
	return out
}

// longText is too long for any small screen.
func longText() string {
	return strings.Repeat("Fire drill at three: take the stairs, leave your headset, and meet at the gate. ", 20)
}

func TestTextMovesACellAtATime(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		text  string
		speed time.Duration
		flash bool
		want  int // cells in two seconds
	}{
		{"fastest", longText(), 0, true, 8},
		{"too fast", longText(), time.Millisecond, true, 8},
		{"slow", longText(), time.Second, true, 2},
		{"still", longText(), 0, false, 0},
		{"short", "Fire drill at three", 0, true, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := newBoard(t, 80, 24, ticker(tt.text, tt.speed), func(o *Options) { o.Display.Flash = tt.flash })
			sum := 0
			for i, n := range b.moves() {
				if sum += n; n > 1 {
					t.Errorf("step %d moves by %d cells", i, n)
				}
			}
			if sum != tt.want {
				t.Errorf("it moved by %d cells, want %d", sum, tt.want)
			}
			page, ok := b.pages.CurrentPage().(*panes.PanePage)
			if !ok {
				t.Fatal("no page of panes")
			}
			if moving := page.ScrollInterval() > 0; moving != (tt.want > 0) {
				t.Errorf("it asks to be moved: %v", moving)
			}
			if !tt.flash {
				b.shows("…")
			}
		})
	}
}

// TestTextAsksForNoTicksUnseen checks that a hidden text causes no ticks.
func TestTextAsksForNoTicksUnseen(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 80, 24, ticker(longText(), 0))
	asks := func() bool {
		b.redrawTimer.NextFrame = time.Time{}
		return b.redrawTimer.Schedule(b.pages.CurrentPage(), b.Now) > 0
	}
	if !asks() {
		t.Fatal("it does not move")
	}
	if b.redrawTimer.Schedule(b.pages.CurrentPage(), b.Now) > 0 {
		t.Error("it asks twice")
	}
	b.press("2")
	if asks() {
		t.Error("it moves on another page")
	}
	b.press("1", "enter")
	if asks() {
		t.Error("the text moves while a dialog is open")
	}
	b.press("esc")
	if !asks() {
		t.Error("it does not move on")
	}
	b.send(windowSize(200, 60))
	if asks() {
		t.Error("it moves where it fits")
	}
}
