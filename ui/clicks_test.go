package ui

import (
	"strings"
	"testing"

	"wallboard/ui/pages"
)

// clickOn clicks on the first occurrence of a text on the screen.
func (b *board) clickOn(text string) {
	b.t.Helper()
	for y, line := range strings.Split(b.text(), "\n") {
		if before, _, ok := strings.Cut(line, text); ok {
			b.click(len([]rune(before)), y)
			return
		}
	}
	b.t.Fatalf("%q is not on the screen:\n%s", text, b.text())
}

// TestEverythingCanBeClicked checks clicks on the keys of the footer, the badges of the header, the
// tiles and the legend.
func TestEverythingCanBeClicked(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 160, 45)
	b.clickOn("? help")
	b.shows("╭ Keys ")
	b.press("esc")
	b.clickOn(": commands")
	if b.mode != modePalette {
		t.Error("the palette is not open")
	}
	b.press("esc")
	b.clickOn("p freeze")
	b.clickOn("FROZEN")
	b.hides("FROZEN")
	b.clickOn("▲ 17")
	if b.pages.Current != pages.Situations {
		t.Errorf("the page is %v, want Situations", b.pages.Current)
	}
	b.press("esc")
	b.clickOn("● LIVE")
	if b.pages.Current != pages.Feed {
		t.Errorf("the page is %v, want Feed", b.pages.Current)
	}
	b.press("esc")
	channel := b.scene.floor.Channel
	b.clickOn("Bolzano")
	if b.scene.floor.Channel == channel {
		t.Error("the channel is the same")
	}
	b.press("C")
	b.clickOn("target 80.0 %")
	if b.dialogs.Len() != 1 {
		t.Error("no chart is open")
	}
	b.press("esc")
	b.clickOn("◇ Wrap-up")
	if p := b.pages.CurrentPage().Focused(); b.pages.Current != pages.Agents || p.Filter != "wrap-up" {
		t.Errorf("the page is %v", b.pages.Current)
	}
	b.press("esc", "esc")
	if b.pages.Current != pages.Overview {
		t.Errorf("esc leads to %v", b.pages.Current)
	}
	b.press("2")
	b.clickOn("s sort  w why  c channel") // clicks the first key hint in the footer
	b.shows("Sort by")
}
