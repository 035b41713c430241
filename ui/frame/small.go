package frame

import (
	"strconv"

	"wallboard/ui/style"
)

// MinWidth and MinHeight are the minimum size, in cells and lines, of a screen on which a board is
// drawn.
const (
	MinWidth  = 40
	MinHeight = 12
)

// Fits reports whether a board can be drawn on a screen of w cells and h lines.
func Fits(w, h int) bool { return w >= MinWidth && h >= MinHeight }

// TooSmall returns the lines for a screen that is too small for the board: the longest message that
// fits.
func TooSmall(w, h int) []string {
	size := strconv.Itoa(w) + "x" + strconv.Itoa(h)
	for _, text := range [][]string{
		{"Too small", "40x12 at least;", "this is " + size},
		{"Too small", "min 40x12", "now " + size},
		{"Small", "40x12"},
	} {
		fits := true
		for _, l := range text {
			fits = fits && len(l) <= w
		}
		if fits {
			return style.FitLines(text, w, h, "")
		}
	}
	return style.FitLines([]string{"!"}, w, h, "")
}
