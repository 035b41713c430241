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
