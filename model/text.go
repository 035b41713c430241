package model

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Maximum lengths of strings from outside, in runes. CleanText cuts longer strings and ends them
// with "…".
const (
	MaxName = 256  // names, codes, short values
	MaxBody = 4096 // messages, reasons, bodies
)

// CleanText makes a string from outside safe for a terminal. It replaces characters that could move
// the cursor, hide text or reorder it, instead of removing them, so that a reader sees that the
// string contained something else. Strings are cleaned once, where they enter the program; all
// later code may draw them as they are. The result has at most limit runes.
//
// Control characters become their pictures (U+2400 …). Invalid UTF-8, C1 controls, bidirectional
// controls, invisible and private-use characters, noncharacters and line separators become U+FFFD.
// Unusual spaces become plain ones. Joiners are kept only between emoji or letters, and combining
// marks only after a base character. More than four marks on one base are dropped, because they
// would draw over the neighboring rows.
func CleanText(s string, limit int) string {
	if len(s) <= limit && isPlainASCII(s) {
		return s
	}
	out := make([]byte, 0, min(len(s), 4*max(limit, 0)))
	var prev rune
	marks, n := 0, 0
	last := 0 // index in out of the last rune's first byte
	for i, size := 0, 0; i < len(s); i += size {
		var r rune
		r, size = utf8.DecodeRuneInString(s[i:])
		r = cleanRune(r, size, prev)
		if !isCombiningMark(r) {
			marks = 0
		} else if marks++; marks > maxMarks {
			continue
		}
		if n >= limit {
			if n > 0 {
				out = append(out[:last], "…"...)
			}
			break
		}
		last = len(out)
		out = utf8.AppendRune(out, r)
		prev = r
		n++
	}
	return string(out)
}

// maxMarks is the maximum number of combining marks on one base character.
const maxMarks = 4

func isPlainASCII(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' {
			return false
		}
	}
	return true
}

// cleanRune returns r or its replacement. size is the length of r in the input in bytes. prev
// is the rune before it in the output, or 0 at the start.
func cleanRune(r rune, size int, prev rune) rune {
	switch {
	case r == utf8.RuneError && size <= 1:
		return utf8.RuneError
	case r < ' ':
		return 0x2400 + r // the control pictures are in the order of the controls
	case r == 0x7f:
		return '\u2421'
	case r < 0x7f:
		return r
	case prev == 0 && isCombiningMark(r):
		return utf8.RuneError // the mark would combine with the text to the left
	case isVariationSelector(r):
		if isPictograph(prev) {
			return r
		}
		return utf8.RuneError
	case r == '\u200d':
		if isPictograph(prev) || isVariationSelector(prev) {
			return r
		}
		return utf8.RuneError
	case r == '\u200c':
		if unicode.IsLetter(prev) || unicode.IsMark(prev) {
			return r
		}
		return utf8.RuneError
	case r != '\u3000' && unicode.Is(unicode.Zs, r):
		return ' '
	case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs, unicode.Zl, unicode.Zp),
		unicode.Is(unicode.Noncharacter_Code_Point, r),
		isInvisible(r):
		return utf8.RuneError
	}
	return r
}

func isVariationSelector(r rune) bool { return r == '\ufe0e' || r == '\ufe0f' }

// isPictograph reports whether r is a symbol or a skin tone, after which joiners and variation
// selectors have a meaning.
func isPictograph(r rune) bool {
	return unicode.In(r, unicode.So, unicode.Sk) && r != utf8.RuneError
}

// isCombiningMark reports whether r is a combining mark, which is drawn onto the rune before it.
func isCombiningMark(r rune) bool {
	return unicode.In(r, unicode.Mn, unicode.Me) && !isVariationSelector(r)
}

// isInvisible reports whether r is a filler, the empty Braille pattern or a variation selector.
// These are invisible, although their Unicode categories do not say so.
func isInvisible(r rune) bool {
	return r == '\u2800' ||
		unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// SplitCamelCase splits a name in camel case into words: "noAnswerAttempts" becomes "no answer attempts",
// "SMSLimit" becomes "SMS limit". A name with a blank is returned unchanged.
func SplitCamelCase(name string) string {
	if strings.Contains(name, " ") {
		return name
	}
	runes := []rune(name)
	is := func(i int, class func(rune) bool) bool { return i >= 0 && i < len(runes) && class(runes[i]) }
	var b strings.Builder
	for i, r := range runes {
		begins := unicode.IsUpper(r) && (is(i-1, unicode.IsLower) || is(i-1, unicode.IsDigit) || is(i-1, unicode.IsUpper) && is(i+1, unicode.IsLower))
		if begins {
			b.WriteByte(' ')
		}
		if (begins || i == 0) && !is(i+1, unicode.IsUpper) {
			r = unicode.ToLower(r)
		}
		b.WriteRune(r)
	}
	return b.String()
}
