package ui

import (
	"strings"
	"testing"

	"wallboard/ui/dialog"
	"wallboard/ui/pages"
)

// TestPaletteKnowsTheTrade types words that contact centers use. The first command must be the one that a
// supervisor means, and enter must run it.
func TestPaletteKnowsTheTrade(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]string{
		"break": "page Breaks", "lunch": "page Breaks", "pause": "page Breaks", "queue": "page Services",
		"target": "page Overview", "sla": "page Services", "wall": "page Wall", "forecast": "page Overview",
		"mute": "snooze Orders", "tell": "tell needs a server", "dialer": "page Campaigns",
		"yesterday": "page History", "stop": "stop all campaigns", "note": "note for the shift",
	} {
		b := newActing(t, newFloorController(done()), 120, 40, pages.Services)
		b.press(":")
		b.words(word)
		line := ""
		for _, l := range strings.Split(b.text(), "\n") {
			if strings.Contains(l, b.scene.look.Glyphs.Pointer+" ") {
				line = l
			}
		}
		if !strings.Contains(line, want) {
			t.Errorf("%q offers %q, want %q\n%s", word, line, want, b.text())
		}
	}
}

func TestTellWithoutServer(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40)
	b.press(":")
	b.words("tell")
	b.press("enter")
	b.shows("start one with wallboard serve")
}

// TestCommandsThatActAreMarked checks that the palette knows all commands that change
// something on the platform.
func TestCommandsThatActAreMarked(t *testing.T) {
	t.Parallel()
	b := newActing(t, newFloorController(done()), 120, 40, pages.Campaigns)
	acts := func(c dialog.Command) bool {
		for _, verb := range []string{"stop ", "start ", "reset ", "delete ", ": stop", ": start", ": edit"} {
			if strings.Contains(" "+c.Name, " "+verb) || strings.Contains(c.Name, verb) && verb[0] == ':' {
				return true
			}
		}
		return false
	}
	n := 0
	for _, c := range b.commands() {
		if acts(c) {
			n++
			if !c.AffectsOthers {
				t.Errorf("%q does not say that it acts", c.Name)
			}
		}
	}
	if n < 8 {
		t.Errorf("only %d commands act", n)
	}
}
