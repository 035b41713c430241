package frame_test

import (
	"testing"

	"pgregory.net/rapid"

	"wallboard/ui/chart"
	"wallboard/ui/frame"
)

// TestCardsHaveRoom checks that the figures of all cards fit.
func TestCardsHaveRoom(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n, w, h := rapid.IntRange(1, 60).Draw(t, "n"), rapid.IntRange(20, 300).Draw(t, "w"), rapid.IntRange(3, 80).Draw(t, "h")
		g, ok := frame.FitGrid(n, w, h)
		if !ok {
			if columns := w / frame.MinCardWidth; columns > 0 && (n+columns-1)/columns*frame.SmallCardHeight <= h {
				t.Fatalf("no grid for %d cards in %dx%d", n, w, h)
			}
			return
		}
		if g.Columns*g.Rows < n || g.Columns*g.W > w || g.Rows*g.H > h || g.W < frame.MinCardWidth || g.H < frame.SmallCardHeight {
			t.Fatalf("%d cards in %dx%d are in %+v", n, w, h, g)
		}
	})
}

// TestDigitsGrowFirst checks that digits grow on a large screen before the charts below
// them.
func TestDigitsGrowFirst(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ w, h, dot int }{{296, 70, 4}, {156, 36, 0}} {
		g, ok := frame.FitGrid(12, tt.w, tt.h)
		if got := g.DotSize(chart.Blocks); !ok || got != tt.dot {
			t.Errorf("12 cards in %dx%d have dots of %d in %+v, want %d", tt.w, tt.h, got, g, tt.dot)
		}
	}
}

// TestDeck checks that the first cards are at least twice as large as the others, and that all parts
// fit.
func TestDeck(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n, w, h := rapid.IntRange(1, 90).Draw(t, "n"), rapid.IntRange(30, 300).Draw(t, "w"), rapid.IntRange(8, 80).Draw(t, "h")
		first := rapid.IntRange(1, n).Draw(t, "first")
		d, large := frame.FitMixedCards(first, n, w, h)
		if large == 0 {
			return
		}
		if large > first || d.LargeCards.Columns*d.LargeCards.Rows < large || d.LargeCards.Rows*d.LargeCards.H > d.LargeLines {
			t.Fatalf("%d of %d cards in %dx%d are in %+v", large, first, w, h, d)
		}
		switch {
		case d.SmallCards.Rows > 0:
			if d.LargeCards.W*d.LargeCards.H < 2*d.SmallCards.W*d.SmallCards.H || d.LargeLines+d.SmallCards.Rows*d.SmallCards.H > h {
				t.Fatalf("%d and %d cards in %dx%d are in %+v", large, n-large, w, h, d)
			}
		case n > large:
			if d.CellStrip.H < 1 || d.LargeLines+d.CellStrip.Rows*d.CellStrip.H != h {
				t.Fatalf("the strip of %d cards in %dx%d is in %+v", n-large, w, h, d)
			}
		}
		drawn := d.LargeCards.Draw(large, w, d.LargeLines, func(_, _, _ int) []string { return nil })
		if len(drawn) != d.LargeLines {
			t.Fatalf("%d lines of large cards, want %d", len(drawn), d.LargeLines)
		}
	})
}
