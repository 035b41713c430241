package terminal

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// CheckFrame returns an error that describes the first part of a frame that is neither visible
// text nor a line break nor a style sequence. Tests check frames with it, because text from
// the platform must not move the cursor, change the title or hide a line (CWE-150).
func CheckFrame(s string) error {
	for i := 0; i < len(s); {
		if s[i] >= ' ' && s[i] < 0x7f || s[i] == '\n' {
			i++
			continue
		}
		if n := SGRLen(s[i:]); n > 0 {
			i += n
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if !isVisible(r, n) {
			return unexpectedBytesError(s, i, n)
		}
		i += n
	}
	return nil
}

// leftToRightMark prevents right-to-left text from reordering its row. A program may write it to
// the terminal, but a frame must not contain it.
const leftToRightMark = '\u200e'

// isVisible reports whether r is visible, that is, neither a control nor a direction
// character. n is the encoded length of r in bytes. Joiners count as visible, because they
// combine emoji and letters.
func isVisible(r rune, n int) bool {
	switch {
	case r == utf8.RuneError && n <= 1:
		return false
	case r == '\u200c' || r == '\u200d':
		return true
	}
	return !unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs, unicode.Zl, unicode.Zp)
}

// CheckStream returns an error that describes the first part of a program's output that is neither
// visible text nor a sequence that Bubble Tea writes. b must be the complete output. If allowBell
// is true, the bell character is allowed.
func CheckStream(b []byte, allowBell bool) error {
	s := string(b)
	allowedControls := "\r\n\t\b"
	if allowBell {
		allowedControls += "\a"
	}
	for i := 0; i < len(s); {
		n := sequenceLength(s[i:])
		if n == 0 {
			r, size := utf8.DecodeRuneInString(s[i:])
			if !strings.ContainsRune(allowedControls, r) && !isVisible(r, size) && r != leftToRightMark {
				return unexpectedBytesError(s, i, size)
			}
			n = size
		}
		i += n
	}
	return nil
}

// sequenceLength returns the length in bytes of the escape sequence at the start of s. It
// returns 0 if s does not begin with a sequence that Bubble Tea writes.
func sequenceLength(s string) int {
	switch {
	case strings.HasPrefix(s, "\x1b["):
		return csiLength(s)
	case strings.HasPrefix(s, "\x1b]"):
		return oscLength(s)
	case strings.HasPrefix(s, "\x1bM"), strings.HasPrefix(s, "\x1b7"), strings.HasPrefix(s, "\x1b8"),
		strings.HasPrefix(s, "\x1b="), strings.HasPrefix(s, "\x1b>"):
		return 2
	case strings.HasPrefix(s, "\x1b(B"), strings.HasPrefix(s, "\x1b)B"): // designates the ASCII character set
		return 3
	case strings.HasPrefix(s, "\x0f"): // selects character set G0
		return 1
	case strings.HasPrefix(s, "\x18\x1b\\"): // ends an incomplete sequence
		return 3
	case strings.HasPrefix(s, "\x1bP+q"): // requests terminal capabilities
		if end := strings.Index(s, "\x1b\\"); end >= 0 && isHexList(s[4:end]) {
			return end + 2
		}
	}
	return 0
}

func isHexList(s string) bool { return strings.Trim(s, "0123456789abcdefABCDEF;") == "" }

// csiLength is like [sequenceLength], but only for CSI sequences, which set styles, move the
// cursor, insert, delete and erase text, set modes, and send queries.
func csiLength(s string) int {
	i := 2
	for i < len(s) && strings.IndexByte("0123456789;:?>=<", s[i]) >= 0 {
		i++
	}
	for i < len(s) && strings.IndexByte("$ !", s[i]) >= 0 {
		i++
	}
	if i < len(s) && strings.IndexByte("ABCDEFGHJKLMPSTWXZ@`abcdefghlmnpqrstu", s[i]) >= 0 {
		return i + 1
	}
	return 0
}

// oscLength is like [sequenceLength], but only for OSC sequences that set the title, reset the
// palette, or set, reset or query the colors of the text, the background and the cursor.
func oscLength(s string) int {
	end, n := strings.IndexByte(s, '\x07'), 1
	if at := strings.Index(s, "\x1b\\"); at >= 0 && (end < 0 || at < end) {
		end, n = at, 2
	}
	if end < 0 {
		return 0
	}
	kind, text, _ := strings.Cut(s[2:end], ";")
	switch kind {
	case "0", "1", "2", "10", "11", "12", "104", "110", "111", "112":
	default:
		return 0
	}
	for i, r := range text {
		if _, size := utf8.DecodeRuneInString(text[i:]); !isVisible(r, size) {
			return 0
		}
	}
	return end + n
}

// unexpectedBytesError returns an error that quotes the n unexpected bytes at index i of s and
// their surroundings.
func unexpectedBytesError(s string, i, n int) error {
	from, to := max(0, i-30), min(len(s), i+max(n, 1)+30)
	return fmt.Errorf("%q in the output at byte %d: %q", s[i:min(len(s), i+max(n, 1))], i, s[from:to])
}
