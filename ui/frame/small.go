package frame

import (
	"strconv"

	"wallboard/internal/words"
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

// TooSmall returns the lines for a screen that is too small for the board, in the language l: the longest
// message that fits.
func TooSmall(w, h int, l *words.Language) []string {
	size, least := sizeText(w, h), sizeText(MinWidth, MinHeight)
	for _, message := range [][]words.Text{
		{words.BadgeTooSmall(), words.BadgeMinimum(least), words.BadgeThisIs(size)},
		{words.BadgeTooSmall(), words.BadgeMinimumShort(least), words.BadgeNow(size)},
		{words.BadgeSmall(), words.Name(least)},
	} {
		lines, fits := make([]string, len(message)), true
		for i, text := range message {
			lines[i] = text.In(l)
			fits = fits && style.Width(lines[i]) <= w
		}
		if fits {
			return style.FitLines(lines, w, h, "")
		}
	}
	return style.FitLines([]string{"!"}, w, h, "")
}

func sizeText(w, h int) string { return strconv.Itoa(w) + "x" + strconv.Itoa(h) }
