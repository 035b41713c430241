package term

import (
	"slices"
	"unicode/utf8"

	"golang.org/x/text/unicode/bidi"
)

// A terminal that implements the Unicode bidi algorithm takes a right-to-left name, the
// blanks behind it and the figures behind those for one text, and reverses it, so that
// figures appear under the wrong headings. There are two measures against that: the
// terminal is told not to reorder (mode BDSM, which VTE, mintty and mlterm support),
// and for other terminals each right-to-left text is isolated from its row.
const (
	noReordering = "\x1b[8l"
	reordering   = "\x1b[8h" // the default of terminals

	firstStrongIsolate    = "\u2068"
	popDirectionalIsolate = "\u2069"
)

// isolation puts isolates around the right-to-left texts of a row while it is written.
// Words separated by a blank or a hyphen share an isolate, unless a style sequence is
// between them: package table writes one between two cells.
type isolation struct {
	open    bool
	lastEnd int // end of the last right-to-left character in the output
}

// beforeCharacter must be called before a character of a row is appended to out.
func (i *isolation) beforeCharacter(out []byte, c *rowReader, reversed bool) []byte {
	joint := len(out) - i.lastEnd // bytes since the last right-to-left character
	if i.open && (c.styled || joint > 1 || !reversed && (joint > 0 || !isJoiner(c.text()))) {
		out = i.close(out)
	}
	if reversed && !i.open {
		i.open = true
		out = append(out, firstStrongIsolate...)
	}
	return out
}

// close closes the open isolate, behind the last right-to-left character.
func (i *isolation) close(out []byte) []byte {
	if i.open {
		i.open = false
		out = slices.Insert(out, i.lastEnd, []byte(popDirectionalIsolate)...)
	}
	return out
}

// isJoiner reports whether a character between two right-to-left words belongs to them.
func isJoiner(text []byte) bool {
	return len(text) == 1 && (text[0] == ' ' || text[0] == '-' || text[0] == '\'')
}

// rightToLeft reports whether a text begins with a character that is written from right
// to left.
func rightToLeft(text []byte) bool {
	if len(text) == 0 || text[0] < 0xd6 { // first byte of U+0580, which is below the first of them
		return false
	}
	if r, _ := utf8.DecodeRune(text); r < 0x590 || r > 0x8ff && r < 0xfb1d && r != '\u200f' {
		return false // most of what is not ASCII
	}
	p, n := bidi.Lookup(text)
	if n == 0 {
		return false
	}
	class := p.Class()
	return class == bidi.R || class == bidi.AL || class == bidi.AN
}
