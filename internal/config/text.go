package config

import (
	"strconv"
	"strings"
	"unicode"
)

// quoteValue returns a value of the file in quotes, for a message. It escapes unprintable
// characters and cuts a long value.
func quoteValue(s string) string {
	const maxLength = 40
	if r := []rune(s); len(r) > maxLength {
		s = string(r[:maxLength]) + "…"
	}
	return strconv.Quote(s)
}

// replaceUnprintable replaces characters that could move the cursor or hide text on a terminal.
func replaceUnprintable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, s)
}

// hasUnprintable reports whether s contains unprintable characters.
func hasUnprintable(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) })
}

// QuotedList returns a list of strings as a TOML array.
func QuotedList(list []string) string {
	quoted := make([]string, len(list))
	for i, s := range list {
		quoted[i] = Quoted(s)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// Quoted returns s as a TOML string.
func Quoted(s string) string {
	q := strconv.Quote(s)
	return strings.NewReplacer(`\x`, `\u00`, `\a`, `\u0007`, `\v`, `\u000B`).Replace(q)
}
