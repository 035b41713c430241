package table

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"wallboard/internal/lib/textnorm"
)

// NameSortKey returns a key for sorting names in the order of a language, such as "es"; "" means
// English. As in a telephone directory, case and accents are ignored. Numbers are sorted by their
// values. The library with the order of Unicode (CLDR) is too large for the program: TestSortKey
// shows that the offered languages need only the rule that ñ is a letter of its own in Spanish.
func NameSortKey(name, tag string) string {
	if onlyASCII(name) {
		return padNumbers(strings.ToLower(name))
	}
	if tag == "es" {
		name = strings.NewReplacer("ñ", spanishN, "Ñ", spanishN, "n\u0303", spanishN, "N\u0303", spanishN).Replace(name)
	}
	return padNumbers(textnorm.Fold(name))
}

// spanishN stands for ñ in keys, so that ñ comes after n and before o.
const spanishN = "n~"

// padNumbers pads the numbers in a name with zeros to the same number of digits, so that "agent 2"
// sorts before "agent 10".
func padNumbers(name string) string {
	const digits, longest = "0123456789", 12
	if !strings.ContainsAny(name, digits) {
		return name
	}
	var b strings.Builder
	for name != "" {
		text := strings.IndexAny(name, digits)
		if text < 0 {
			text = len(name)
		}
		number := len(name[text:]) - len(strings.TrimLeft(name[text:], digits))
		b.WriteString(name[:text])
		if number > 0 {
			b.WriteString(strings.Repeat("0", max(longest-number, 0)))
		}
		b.WriteString(name[text : text+number])
		name = name[text+number:]
	}
	return b.String()
}

// onlyASCII reports whether a name contains only printable ASCII characters.
func onlyASCII(name string) bool {
	for i := range len(name) {
		if name[i] < ' ' || name[i] > '~' {
			return false
		}
	}
	return true
}

// CompareFold compares two strings without regard to case. Strings that differ only in case are
// compared byte by byte.
func CompareFold(a, b string) int {
	x, y := a, b
	for x != "" && y != "" {
		p, n := lowerFirst(x)
		q, m := lowerFirst(y)
		if p != q {
			return cmp.Compare(p, q)
		}
		x, y = x[n:], y[m:]
	}
	if c := cmp.Compare(len(x), len(y)); c != 0 {
		return c
	}
	return cmp.Compare(a, b)
}

// lowerFirst returns the first rune of s in lower case, and its length in s in bytes. s must not be
// empty.
func lowerFirst(s string) (rune, int) {
	if c := s[0]; c < utf8.RuneSelf {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		return rune(c), 1
	}
	r, n := utf8.DecodeRuneInString(s)
	return unicode.ToLower(r), n
}
