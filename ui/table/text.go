package table

import (
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// plainWidth returns the width of text in which every character is one cell wide and none joins its
// neighbors. Nearly all text is of this kind. For other text, ok is false, and the text must be
// searched for grapheme clusters.
func plainWidth[T string | []byte](s T) (cells int, ok bool) {
	i := 0
	for i < len(s) && s[i] >= ' ' && s[i] <= '~' { // nearly all texts contain only these characters
		i++
	}
	for cells = i; i < len(s); cells++ {
		b := s[i]
		if b >= ' ' && b <= '~' {
			i++
			continue
		}
		if b < utf8.RuneSelf {
			return 0, false
		}
		r, n := decodeRune(s[i:])
		if !isNarrow(r) {
			return 0, false
		}
		i += n
	}
	return cells, true
}

// PlainWidth returns the width of text in which every character is one cell wide and none joins its
// neighbors. For other text, ok is false, and the text must be measured by grapheme clusters.
func PlainWidth(s string) (cells int, ok bool) { return plainWidth(s) }

// TextWidth returns the width of text in cells on a terminal that measures text with method. For most
// text it does not use method, whose first use would build a table of 2 MiB.
func TextWidth(method ansi.Method, text string) int {
	if cells, ok := plainWidth(text); ok {
		return cells
	}
	return method.StringWidth(text)
}

func decodeRune[T string | []byte](s T) (rune, int) {
	// Converting at most four bytes to a string does not allocate memory.
	return utf8.DecodeRuneInString(string(s[:min(len(s), utf8.UTFMax)]))
}

// isNarrow reports whether a character is one cell wide with every width method and does not join
// its neighbors, such as accented Latin letters, dashes, dots, triangles, boxes, blocks and Braille
// patterns. It is false for some characters of this kind.
func isNarrow(r rune) bool {
	switch {
	case r >= 0xa0 && r < 0x300:
		return r != 0xad && r != 0xa9 && r != 0xae // soft hyphen; © and ® can be emoji
	case r >= 0x2010 && r < 0x2028:
		return true
	case r >= 0x2500 && r < 0x25fd:
		return r != 0x25aa && r != 0x25ab && r != 0x25b6 && r != 0x25c0 && r < 0x25fb // can be emoji
	default:
		return r >= 0x2800 && r < 0x2900
	}
}

// prefixBytes returns the length in bytes of the first cells characters of plain text.
func prefixBytes[T string | []byte](s T, cells int) int {
	i := 0
	for ; cells > 0 && i < len(s); cells-- {
		if s[i] < utf8.RuneSelf {
			i++
			continue
		}
		_, n := decodeRune(s[i:])
		i += n
	}
	return i
}

// isForbidden reports whether a character must not reach a terminal. Such characters are control
// characters, invalid UTF-8, line separators, and bidirectional overrides, which would reorder the
// whole line.
func isForbidden(r rune) bool {
	return r == utf8.RuneError || unicode.IsControl(r) ||
		r >= '\u2028' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069'
}

// cleanText returns s with forbidden characters replaced. Tabs and line breaks become spaces.
func cleanText(s string) string {
	out := make([]byte, 0, len(s))
	for i, n := 0, 0; i < len(s); i += n {
		var r rune
		r, n = utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '\t' || r == '\n' || r == '\r':
			out = append(out, ' ')
		case isForbidden(r):
			out = utf8.AppendRune(out, utf8.RuneError)
		default:
			out = append(out, s[i:i+n]...)
		}
	}
	return string(out)
}

// cutText returns as many grapheme clusters of clean text as fit into width. If not all of them
// fit, it leaves room for the ellipsis. cells is the width of the result. whole reports whether s
// was returned uncut.
func cutText(s string, width int, method ansi.Method) (kept string, cells int, whole bool) {
	end, short, shortCells := 0, 0, 0
	for end < len(s) {
		cluster, w := ansi.FirstGraphemeCluster(s[end:], method)
		if cells+w > width {
			return s[:short], shortCells, false
		}
		end += len(cluster)
		cells += w
		if cells < width {
			short, shortCells = end, cells
		}
	}
	return s, cells, true
}
