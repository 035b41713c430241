package boarddialogs_test

import (
	"testing"

	"wallboard/ui"
	"wallboard/ui/uitest"
	"wallboard/ui/uitest/boardtest"
)

// newWatched returns a board that has run for twenty minutes, with a gap of five.
func newWatched(t *testing.T, w, h int, change ...func(*ui.Options)) *uitest.Board {
	t.Helper()
	b := boardtest.New(t, 0, 0, change...) // without a size, the board draws nothing
	b.PassTwentyMinutes()
	b.Resize(w, h)
	return b
}
