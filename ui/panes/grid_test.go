package panes

import (
	"testing"

	"pgregory.net/rapid"
)

// TestCardsHaveRoom gives cards a grid in which all of them have room for their figures.
func TestCardsHaveRoom(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n, w, h := rapid.IntRange(1, 60).Draw(t, "n"), rapid.IntRange(20, 300).Draw(t, "w"), rapid.IntRange(3, 80).Draw(t, "h")
		g, ok := gridOf(n, w, h)
		if !ok {
			if columns := w / leastCard; columns > 0 && (n+columns-1)/columns*smallCard <= h {
				t.Fatalf("no grid for %d cards in %dx%d", n, w, h)
			}
			return
		}
		if g.columns*g.rows < n || g.columns*g.w > w || g.rows*g.h > h || g.w < leastCard || g.h < smallCard {
			t.Fatalf("%d cards in %dx%d stand in %+v", n, w, h, g)
		}
	})
}

// TestBlocksHaveRoom has all agents stand on the screen where a form is found, and
// finds one where there is more room.
func TestBlocksHaveRoom(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n, w, h := rapid.IntRange(1, 400).Draw(t, "n"), rapid.IntRange(20, 300).Draw(t, "w"), rapid.IntRange(1, 80).Draw(t, "h")
		b, ok := blocksFor(n, w, h)
		if !ok {
			return
		}
		if columns := (w - 1) / b.w; columns*(h/b.h) < n {
			t.Fatalf("%d agents in %dx%d as %+v", n, w, h, b)
		}
		if _, ok := blocksFor(n, w+w/2, h+h/2); !ok {
			t.Fatalf("%+v in %dx%d, and none in more room", b, w, h)
		}
	})
}

// TestInitials are as short as a block, and tell hidden names apart.
func TestInitials(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"Becker Katrin": "BK", "Agent 12": "12", "Øystein": "Ø", "": "", "García Márquez Lucía": "GM", "王 Wei": "W",
	} {
		if got := initials(name); got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
}
