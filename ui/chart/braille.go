package chart

import "unicode/utf8"

// Numbers of columns and rows of dots in a Braille cell.
const (
	dotColumns = 2
	dotRows    = 4
)

// dots is the set of raised dots of a Braille cell, one bit per dot, in Unicode's bit order.
type dots uint8

// set raises a dot. The column x is 0 or 1. The row y is between 0, at the top, and 3.
func (d *dots) set(x, y int) {
	if y == dotRows-1 {
		*d |= 0x40 << x // the fourth row was added to Unicode later, so it has the highest bits
		return
	}
	*d |= 1 << (y + 3*x)
}

// append appends the character of the cell to dst. A cell without raised dots is a space, because
// some fonts draw the empty Braille pattern as small circles.
func (d dots) append(dst []byte) []byte {
	if d == 0 {
		return append(dst, ' ')
	}
	return utf8.AppendRune(dst, 0x2800+rune(d))
}
