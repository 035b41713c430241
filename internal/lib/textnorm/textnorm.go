// Package textnorm normalizes text that users type, paste, save and search. A word can be
// encoded in several ways: with composed or decomposed accents, no-break spaces, and invisible
// characters that editors and web pages insert.
//
// The package also prepares text for a terminal: it converts HTML without loading or executing
// anything, wraps lines without separating figures from their units, and isolates
// right-to-left parts of a row. Without isolation, a terminal that implements the Unicode bidi
// algorithm reverses a right-to-left name together with the blanks and figures behind it, and
// the figures appear under the wrong headings. A [Pattern] is a regular expression that is compiled
// when it is first used.
package textnorm

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// letterReplacer replaces letters that Unicode does not decompose with the letters that users
// type to search for them.
var letterReplacer = strings.NewReplacer("ß", "ss", "æ", "ae", "œ", "oe", "ø", "o", "ł", "l", "đ", "d", "ı", "i")

// Fold returns the form of s used for searching: in lower case, without accents, compatibility
// forms and invisible characters. "jose" finds "José", and "STRASSE" finds "straße".
func Fold(s string) string {
	if isASCII(s) {
		return strings.ToLower(s)
	}
	return letterReplacer.Replace(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) || IsInvisible(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFKD.String(s)))
}

// NormalizeLine returns a line with composed accents, plain spaces and no invisible characters.
// It keeps joiners, which combine emoji and letters.
func NormalizeLine(s string) string {
	if isASCII(s) && !strings.ContainsAny(s, "\r") {
		return s
	}
	s = strings.ReplaceAll(s, "\r\n", "\n")
	return norm.NFC.String(strings.Map(func(r rune) rune {
		switch {
		case r == '\u200c' || r == '\u200d':
			return r
		case IsInvisible(r):
			return -1
		case unicode.Is(unicode.Zs, r):
			return ' '
		}
		return r
	}, s))
}

// SameName reports whether a and b are the same name. It ignores case, the encoding of accents
// and invisible characters. Unlike [Fold], it distinguishes accents: José is not Jose.
func SameName(a, b string) bool { return strings.EqualFold(NormalizeLine(a), NormalizeLine(b)) }

// CutName removes name from the beginning of text and returns the rest. If text does not begin
// with name, found is false and rest is text. Names are compared like in [SameName].
func CutName(text, name string) (rest string, found bool) {
	line, end := NormalizeLine(text), 0
	for range utf8.RuneCountInString(NormalizeLine(name)) {
		_, size := utf8.DecodeRuneInString(line[end:])
		end += size
	}
	if !SameName(line[:end], name) {
		return text, false
	}
	return line[end:], true
}

// PhoneNumber returns the telephone number s with ASCII digits and hyphens and without
// invisible characters. A number copied from a web page may contain wide digits, digits of
// other scripts, no-break spaces and direction marks.
func PhoneNumber(s string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case r == '\u200c' || r == '\u200d':
			return -1
		case r == '\u2010' || r == '\u2011' || r == '\u2012' || r == '\u2013' || r == '\u2212':
			return '-'
		case r > unicode.MaxASCII && unicode.Is(unicode.Nd, r):
			return '0' + digitValue(r)
		}
		return r
	}, norm.NFKC.String(NormalizeLine(s))))
}

// digitValue returns the value of a decimal digit of any script. It relies on the digits of a
// script being consecutive and on the character before them not being a digit.
func digitValue(r rune) rune {
	first := r
	for first > 0 && r-first < 9 && unicode.Is(unicode.Nd, first-1) {
		first--
	}
	return r - first
}

// DecodeSecret returns the secret in a file: the decoded content without a byte order mark and
// without a final line break. It removes nothing else, because every other byte belongs to the
// secret.
func DecodeSecret(text []byte) string {
	s := DecodeText(text)
	return strings.TrimSuffix(strings.TrimSuffix(s, "\n"), "\r")
}

// DecodeText decodes the content of a text file, without its byte order mark. The encoding is
// UTF-16 if the content begins with a UTF-16 byte order mark and contains a zero byte,
// otherwise UTF-8.
func DecodeText(b []byte) string {
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
		return string(b[2:]) // not UTF-16, despite the mark
	}
	units := make([]uint16, 0, len(b)/2)
	for b = b[2:]; len(b) >= 2; b = b[2:] {
		units = append(units, order.Uint16(b))
	}
	return string(utf16.Decode(units))
}

// TrimArgument removes invisible characters and non-ASCII spaces from both ends of a
// command-line argument, where they are usually pasted by accident. It keeps them inside the
// argument, which may be a file name.
func TrimArgument(s string) string {
	if isASCII(s) {
		return s
	}
	return strings.TrimFunc(s, func(r rune) bool { return IsInvisible(r) || r > unicode.MaxASCII && unicode.Is(unicode.Zs, r) })
}

// IsInvisible reports whether a character is invisible, such as a byte order mark, a direction
// mark, a zero-width space or a soft hyphen.
func IsInvisible(r rune) bool {
	return r > unicode.MaxASCII && (unicode.Is(unicode.Cf, r) || r == '\u034f' || r == '\u115f' || r == '\u3164')
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
