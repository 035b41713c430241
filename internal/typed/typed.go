// Package typed normalises what people type, paste, save and search. The same word has
// many spellings: composed or decomposed accents, blanks that do not break, characters
// that nobody sees, which editors and web pages put in.
package typed

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// letters are letters that people look for under another one although Unicode does not
// take them apart.
var letters = strings.NewReplacer("ß", "ss", "æ", "ae", "œ", "oe", "ø", "o", "ł", "l", "đ", "d", "ı", "i")

// Fold returns what a text is searched by: without case, accents, compatibility forms
// and invisible characters. "José" is found by "jose", and "straße" by "STRASSE".
func Fold(s string) string {
	if ascii(s) {
		return strings.ToLower(s)
	}
	return letters.Replace(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) || Invisible(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFKD.String(s)))
}

// Line returns a line as it was meant: composed, with plain blanks, without invisible
// characters. Joiners stay, which hold emoji and letters together.
func Line(s string) string {
	if ascii(s) && !strings.ContainsAny(s, "\r") {
		return s
	}
	s = strings.ReplaceAll(s, "\r\n", "\n")
	return norm.NFC.String(strings.Map(func(r rune) rune {
		switch {
		case r == '\u200c' || r == '\u200d':
			return r
		case Invisible(r):
			return -1
		case unicode.Is(unicode.Zs, r):
			return ' '
		}
		return r
	}, s))
}

// Number returns a telephone number as it was meant: a web page may have given it
// wide digits, digits of another script, blanks that do not break, and marks of its
// direction.
func Number(s string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case r == '\u200c' || r == '\u200d':
			return -1
		case r == '\u2010' || r == '\u2011' || r == '\u2012' || r == '\u2013' || r == '\u2212':
			return '-'
		case r > unicode.MaxASCII && unicode.Is(unicode.Nd, r):
			return '0' + digit(r)
		}
		return r
	}, norm.NFKC.String(Line(s))))
}

// digit returns the value of a decimal digit: those of a script stand beside each other,
// and before the first of them is none.
func digit(r rune) rune {
	first := r
	for first > 0 && r-first < 9 && unicode.Is(unicode.Nd, first-1) {
		first--
	}
	return r - first
}

// Secret returns the secret in the text of a file: the first line, without the mark that
// Windows editors put before it. Nothing else is changed, as every byte counts.
func Secret(text []byte) string {
	s := Text(text)
	return strings.TrimSuffix(strings.TrimSuffix(s, "\n"), "\r")
}

// Text returns the text of a file, which may begin with a byte order mark, and be UTF-16
// then.
func Text(b []byte) string {
	var order binary.ByteOrder
	switch {
	case bytes.HasPrefix(b, []byte("\xef\xbb\xbf")):
		return string(b[3:])
	case bytes.HasPrefix(b, []byte("\xff\xfe")):
		order = binary.LittleEndian
	case bytes.HasPrefix(b, []byte("\xfe\xff")):
		order = binary.BigEndian
	default:
		return string(b)
	}
	if !bytes.Contains(b, []byte{0}) {
		return string(b[2:]) // an editor wrote the mark, and not the encoding
	}
	units := make([]uint16, 0, len(b)/2)
	for b = b[2:]; len(b) >= 2; b = b[2:] {
		units = append(units, order.Uint16(b))
	}
	return string(utf16.Decode(units))
}

// Argument returns an argument of a command line without the invisible characters and
// blanks that were pasted around it. Within it may be the name of a file: it stays.
func Argument(s string) string {
	if ascii(s) {
		return s
	}
	return strings.TrimFunc(s, func(r rune) bool { return Invisible(r) || r > unicode.MaxASCII && unicode.Is(unicode.Zs, r) })
}

// Invisible reports whether nobody sees a character: a mark of the byte order or of the
// direction, a blank without a width, a soft hyphen.
func Invisible(r rune) bool {
	return r > unicode.MaxASCII && (unicode.Is(unicode.Cf, r) || r == '\u034f' || r == '\u115f' || r == '\u3164')
}

// ascii reports whether a text has no other characters.
func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
