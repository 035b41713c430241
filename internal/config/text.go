package config

import (
	"strconv"
	"strings"
	"unicode"
)

// quoted returns a value of the file for a message: printable and shortened.
func quoted(s string) string {
	const maxLength = 40
	if r := []rune(s); len(r) > maxLength {
		s = string(r[:maxLength]) + "…"
	}
	return strconv.Quote(s)
}

// printable replaces characters that could move the cursor or hide text.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, s)
}

// hasControl reports whether a text contains unprintable characters.
func hasControl(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) })
}
