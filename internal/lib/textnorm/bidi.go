package textnorm

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"golang.org/x/text/unicode/bidi"
)

// LeftToRightMark is the invisible character that isolates right-to-left text. Written behind
// the text, it keeps the following figures in order. The isolate characters (U+2066 to U+2069)
// would do the same, but mlterm draws each of them as a box in a cell of its own, which shifts
// the rest of the row.
const LeftToRightMark = "\u200e"

// AddDirectionMarks returns text with [LeftToRightMark] behind each of its right-to-left parts. text
// must not contain escape sequences.
func AddDirectionMarks(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return r >= 0x590 }) {
		return text
	}
	var out []byte
	var i Isolation
	for g := uniseg.NewGraphemes(text); g.Next(); {
		c := g.Bytes()
		reversed := IsRightToLeft(c)
		out = append(i.BeforeCharacter(out, c, false, reversed), c...)
		if reversed {
			i.AfterCharacter(out)
		}
	}
	return string(i.EndIsolation(out))
}

// Isolation adds [LeftToRightMark] behind each right-to-left part of a row while the row is
// written. Words separated by a blank, a hyphen or an apostrophe form one part, unless a style
// sequence is between them, such as between two cells of a table. The zero Isolation is ready
// to use.
type Isolation struct {
	open    bool // the mark behind the current right-to-left text is not written yet
	lastEnd int  // index in the output behind the last right-to-left character
}

// BeforeCharacter must be called before a character of a row is appended to out. text is the character,
// styled reports whether a style sequence precedes it, and reversed whether it is written from
// right to left. If a right-to-left part ends before the character, BeforeCharacter adds the mark. It
// returns the extended out.
func (i *Isolation) BeforeCharacter(out, text []byte, styled, reversed bool) []byte {
	joint := len(out) - i.lastEnd // bytes since the last right-to-left character
	if i.open && (styled || joint > 1 || !reversed && (joint > 0 || !joinsWords(text))) {
		out = i.EndIsolation(out)
	}
	i.open = i.open || reversed
	return out
}

// AfterCharacter must be called after a right-to-left character was appended to out.
func (i *Isolation) AfterCharacter(out []byte) { i.lastEnd = len(out) }

// EndIsolation adds the mark directly behind the current right-to-left part, if any. It returns the
// extended out.
func (i *Isolation) EndIsolation(out []byte) []byte {
	if i.open {
		i.open = false
		out = slices.Insert(out, i.lastEnd, []byte(LeftToRightMark)...)
	}
	return out
}

// joinsWords reports whether a character between two right-to-left words belongs to the same
// part as the words.
func joinsWords(text []byte) bool {
	return len(text) == 1 && (text[0] == ' ' || text[0] == '-' || text[0] == '\'')
}

// IsRightToLeft reports whether text begins with a right-to-left letter or an Arabic digit.
func IsRightToLeft(text []byte) bool {
	if len(text) == 0 || text[0] < 0xd6 { // 0xd6 begins U+0580; right-to-left characters have higher numbers
		return false
	}
	if r, _ := utf8.DecodeRune(text); r < 0x590 || r > 0x8ff && r < 0xfb1d && r != '\u200f' {
		return false // most non-ASCII characters end here
	}
	p, n := bidi.Lookup(text)
	if n == 0 {
		return false
	}
	class := p.Class()
	return class == bidi.R || class == bidi.AL || class == bidi.AN
}
