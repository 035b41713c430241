package render

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// letters are the letters that people look for under another one although
// Unicode does not take them apart.
var letters = strings.NewReplacer("ß", "ss", "æ", "ae", "œ", "oe", "ø", "o", "ł", "l", "đ", "d")

// fold returns what a name is sorted by: without case and accents, as in a
// telephone directory.
func fold(name string) string {
	if ascii(name) {
		return strings.ToLower(name)
	}
	return letters.Replace(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFD.String(name)))
}

// compareNames orders rows by their names; "" is unknown. Rows whose names
// differ in case and accents only are left to be ordered by key.
func compareNames[R any](a, b *row[R]) int {
	return compareKnown(a.fold, a.name != "", b.fold, b.name != "")
}
