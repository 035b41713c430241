package testkit

import (
	"slices"
	"strings"
	"unicode"
)

// Untranslated returns the words of a screen that have a vowel but no accented letter. The screen must
// have been drawn in the pseudo-language of tests (words.PseudoLanguage), so these words are not in the
// message catalog. allowed are words that are the same in all languages, such as names.
func Untranslated(screen string, allowed ...string) (out []string) {
	for _, word := range strings.FieldsFunc(screen, func(r rune) bool { return !unicode.IsLetter(r) }) {
		plain := !strings.ContainsFunc(word, func(r rune) bool { return r > unicode.MaxASCII })
		if len(word) > 1 && plain && strings.ContainsAny(word, "aeiouyAEIOUY") && !slices.Contains(allowed, word) && !slices.Contains(out, word) {
			out = append(out, word)
		}
	}
	return out
}
