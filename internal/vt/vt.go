// Package vt checks what goes to a terminal: every byte of it must be text that
// can be seen or one of the few sequences that the board itself uses. Tests hold
// every frame against it, so that nothing from outside, however it got there,
// moves the cursor, changes the title or hides a line (CWE-150). Beside that it
// has a terminal to see in what they make of it.
package vt

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"wallboard/internal/sgr"
)

// Frame returns an error that tells the first thing in a frame that is neither
// visible text, nor the end of a line, nor a sequence that sets a style.
func Frame(s string) error {
	for i := 0; i < len(s); {
		if s[i] >= ' ' && s[i] < 0x7f || s[i] == '\n' {
			i++
			continue
		}
		if n := sgr.Len(s[i:]); n > 0 {
			i += n
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if !visible(r, n) {
			return stray(s, i, n)
		}
		i += n
	}
	return nil
}

// The characters that keep a right-to-left text from reordering its row. A program may
// write them, but they are not part of a frame.
const (
	firstStrongIsolate    = '\u2068'
	popDirectionalIsolate = '\u2069'
)

// visible reports whether a character of n bytes is one that can be seen: no
// control, no override of the direction, nothing without a meaning of its own.
// Joiners hold emoji and letters together.
func visible(r rune, n int) bool {
	switch {
	case r == utf8.RuneError && n <= 1:
		return false
	case r == '\u200c' || r == '\u200d':
		return true
	}
	return !unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs, unicode.Zl, unicode.Zp)
}

// Stream returns an error that tells the first thing in the output of a program
// that is neither visible text nor a sequence that Bubble Tea writes of its own
// accord. The stream must be whole. rings says whether the program may ring the
// bell.
func Stream(b []byte, rings bool) error {
	s := string(b)
	moves := "\r\n\t\b"
	if rings {
		moves += "\a"
	}
	for i := 0; i < len(s); {
		n := sequence(s[i:])
		if n == 0 {
			r, size := utf8.DecodeRuneInString(s[i:])
			if !strings.ContainsRune(moves, r) && !visible(r, size) && r != firstStrongIsolate && r != popDirectionalIsolate {
				return stray(s, i, size)
			}
			n = size
		}
		i += n
	}
	return nil
}

// sequence returns the length of the sequence that s begins with, 0 if it is
// none of those that are known.
func sequence(s string) int {
	switch {
	case strings.HasPrefix(s, "\x1b["):
		return control(s)
	case strings.HasPrefix(s, "\x1b]"):
		return command(s)
	case strings.HasPrefix(s, "\x1bM"), strings.HasPrefix(s, "\x1b7"), strings.HasPrefix(s, "\x1b8"),
		strings.HasPrefix(s, "\x1b="), strings.HasPrefix(s, "\x1b>"):
		return 2
	case strings.HasPrefix(s, "\x1b(B"), strings.HasPrefix(s, "\x1b)B"): // the usual characters
		return 3
	case strings.HasPrefix(s, "\x0f"): // as G0 has them
		return 1
	case strings.HasPrefix(s, "\x1bP+q"): // asks what the terminal can do
		if end := strings.Index(s, "\x1b\\"); end >= 0 && onlyHex(s[4:end]) {
			return end + 2
		}
	}
	return 0
}

func onlyHex(s string) bool { return strings.Trim(s, "0123456789abcdefABCDEF;") == "" }

// control is sequence for those that begin with CSI: styles, the cursor, lines,
// erasing, modes and questions about them.
func control(s string) int {
	at := 2
	for at < len(s) && strings.IndexByte("0123456789;:?>=<", s[at]) >= 0 {
		at++
	}
	for at < len(s) && strings.IndexByte("$ !", s[at]) >= 0 {
		at++
	}
	if at < len(s) && strings.IndexByte("ABCDEFGHJKLMPSTWXZ@`abcdefghlmnpqrstu", s[at]) >= 0 {
		return at + 1
	}
	return 0
}

// command is sequence for those that begin with OSC: the title, and the colours
// of text and background, set, reset or asked for.
func command(s string) int {
	end, n := strings.IndexByte(s, '\x07'), 1
	if at := strings.Index(s, "\x1b\\"); at >= 0 && (end < 0 || at < end) {
		end, n = at, 2
	}
	if end < 0 {
		return 0
	}
	kind, text, _ := strings.Cut(s[2:end], ";")
	switch kind {
	case "0", "1", "2", "10", "11", "12", "110", "111", "112":
	default:
		return 0
	}
	for i, r := range text {
		if _, size := utf8.DecodeRuneInString(text[i:]); !visible(r, size) {
			return 0
		}
	}
	return end + n
}

// stray is the error for what is at i and n bytes long.
func stray(s string, i, n int) error {
	from, to := max(0, i-30), min(len(s), i+max(n, 1)+30)
	return fmt.Errorf("%q in the output at byte %d: %q", s[i:min(len(s), i+max(n, 1))], i, s[from:to])
}
