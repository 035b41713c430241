package chart

import "unicode/utf8"

// A Braille cell has two columns and four rows of dots.
const (
	dotColumns = 2
	dotRows    = 4
)

// dots is the set of raised dots of one Braille cell. Each dot has a bit, in the order of Unicode.
type dots uint8

// raise raises one dot. The column x is 0 or 1, and the row y is from 0 at the top to 3.
func (d *dots) raise(x, y int) {
	if y == dotRows-1 {
		*d |= 0x40 << x // the fourth row was added later to the standard, so it has the highest bits
		return
	}
	*d |= 1 << (y + 3*x)
}

// append appends the character of the cell to dst. A cell without raised dots becomes a blank,
// because some fonts draw the empty Braille pattern as small circles.
func (d dots) append(dst []byte) []byte {
	if d == 0 {
		return append(dst, ' ')
	}
	return utf8.AppendRune(dst, 0x2800+rune(d))
}
