package chart

import "unicode/utf8"

// A Braille cell has two columns and four rows of dots.
const (
	dotColumns = 2
	dotRows    = 4
)

// dots is the set of raised dots of one Braille cell, a bit each, in the order of Unicode.
type dots uint8

// raise raises the dot at column x (0 or 1) and row y, from the top (0 to 3).
func (d *dots) raise(x, y int) {
	if y == dotRows-1 {
		*d |= 0x40 << x // the fourth row was added later to the standard, so it has the highest bits
		return
	}
	*d |= 1 << (y + 3*x)
}

// append appends the cell to dst. A cell without raised dots becomes a blank, because some fonts
// draw the empty pattern as small circles.
func (d dots) append(dst []byte) []byte {
	if d == 0 {
		return append(dst, ' ')
	}
	return utf8.AppendRune(dst, 0x2800+rune(d))
}
