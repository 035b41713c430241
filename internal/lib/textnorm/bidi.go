package textnorm

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"golang.org/x/text/unicode/bidi"
)

// Characters around an isolated text.
const (
	FirstStrongIsolate    = "\u2068"
	PopDirectionalIsolate = "\u2069"
)

// Isolate isolates the right-to-left texts of lines without escape sequences.
func Isolate(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return r >= 0x590 }) {
		return text
	}
	var out []byte
	var i Isolation
	for g := uniseg.NewGraphemes(text); g.Next(); {
		c := g.Bytes()
		reversed := IsRightToLeft(c)
		out = append(i.Before(out, c, false, reversed), c...)
		if reversed {
			i.After(out)
		}
	}
	return string(i.End(out))
}

// Isolation puts isolates around the right-to-left texts of a row while it is written.
// Words separated by a blank or a hyphen share an isolate, unless a style sequence is
// between them: package table writes one between two cells. The zero value is ready to use.
type Isolation struct {
	open    bool
	lastEnd int // end of the last right-to-left character in the output
}

// Before must be called before a character of a row is appended to out. styled is true if a
// style sequence precedes the character, reversed if the character is written from right to left.
func (i *Isolation) Before(out, text []byte, styled, reversed bool) []byte {
	joint := len(out) - i.lastEnd // bytes since the last right-to-left character
	if i.open && (styled || joint > 1 || !reversed && (joint > 0 || !joinsWords(text))) {
		out = i.End(out)
	}
	if reversed && !i.open {
		i.open = true
		out = append(out, FirstStrongIsolate...)
	}
	return out
}

// After must be called after a right-to-left character was appended to out.
func (i *Isolation) After(out []byte) { i.lastEnd = len(out) }

// End closes the open isolate, behind the last right-to-left character.
func (i *Isolation) End(out []byte) []byte {
	if i.open {
		i.open = false
		out = slices.Insert(out, i.lastEnd, []byte(PopDirectionalIsolate)...)
	}
	return out
}

// joinsWords reports whether a character between two right-to-left words belongs to them.
func joinsWords(text []byte) bool {
	return len(text) == 1 && (text[0] == ' ' || text[0] == '-' || text[0] == '\'')
}

// IsRightToLeft reports whether a text begins with a character that is written from right
// to left.
func IsRightToLeft(text []byte) bool {
	if len(text) == 0 || text[0] < 0xd6 { // first byte of U+0580, which is below the first of them
		return false
	}
	if r, _ := utf8.DecodeRune(text); r < 0x590 || r > 0x8ff && r < 0xfb1d && r != '\u200f' {
		return false // most non-ASCII characters
	}
	p, n := bidi.Lookup(text)
	if n == 0 {
		return false
	}
	class := p.Class()
	return class == bidi.R || class == bidi.AL || class == bidi.AN
}
