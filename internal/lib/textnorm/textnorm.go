// Package textnorm normalises text that users type, paste, save and search. The same word can
// be encoded in several ways: composed or decomposed accents, no-break spaces, and
// invisible characters that editors and web pages insert.
//
// It also prepares text for a terminal: it converts HTML without loading or executing
// anything, wraps lines without separating figures from their units, and isolates
// right-to-left texts from their rows. Without isolation, a terminal that implements the
// Unicode bidi algorithm reverses a right-to-left name together with the blanks and figures
// behind it, so that figures appear under the wrong headings.
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

// letterReplacer replaces letters that Unicode does not decompose by the letters that users type to
// search for them.
var letterReplacer = strings.NewReplacer("ß", "ss", "æ", "ae", "œ", "oe", "ø", "o", "ł", "l", "đ", "d", "ı", "i")

// Fold returns the search form of a text: without case, accents, compatibility forms and
// invisible characters. "jose" finds "José", and "STRASSE" finds "straße".
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

// NormalizeLine normalises a line: composed accents, plain spaces, no invisible characters. It keeps
// joiners, which combine emoji and letters.
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

// SameName reports whether two texts are the same name: without case, for any encoding of
// accents, without invisible characters. Unlike [Fold] it keeps accents: José is not Jose.
func SameName(a, b string) bool { return strings.EqualFold(NormalizeLine(a), NormalizeLine(b)) }

// CutName cuts a name from the beginning of a text if [Same] is true for both.
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

// PhoneNumber normalises a telephone number: web pages may contain wide digits, digits of other
// scripts, no-break spaces and direction marks.
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

// digitValue returns the value of a decimal digit. The digits of a script are consecutive, and
// the character before the first is not a digit.
func digitValue(r rune) rune {
	first := r
	for first > 0 && r-first < 9 && unicode.Is(unicode.Nd, first-1) {
		first--
	}
	return r - first
}

// DecodeSecret returns the secret in a file: the first line, without a byte order mark. Nothing
// else is changed, because every byte counts.
func DecodeSecret(text []byte) string {
	s := DecodeText(text)
	return strings.TrimSuffix(strings.TrimSuffix(s, "\n"), "\r")
}

// DecodeText decodes the text of a file, which may begin with a byte order mark and may then be
// UTF-16.
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
		return string(b[2:]) // the editor wrote the mark but not the encoding
	}
	units := make([]uint16, 0, len(b)/2)
	for b = b[2:]; len(b) >= 2; b = b[2:] {
		units = append(units, order.Uint16(b))
	}
	return string(utf16.Decode(units))
}

// TrimArgument removes pasted invisible characters and spaces around a command-line argument.
// The inside is not changed, because it may be a file name.
func TrimArgument(s string) string {
	if isASCII(s) {
		return s
	}
	return strings.TrimFunc(s, func(r rune) bool { return IsInvisible(r) || r > unicode.MaxASCII && unicode.Is(unicode.Zs, r) })
}

// IsInvisible reports whether a character is invisible: a byte order or direction mark, a
// zero-width space, a soft hyphen.
func IsInvisible(r rune) bool {
	return r > unicode.MaxASCII && (unicode.Is(unicode.Cf, r) || r == '\u034f' || r == '\u115f' || r == '\u3164')
}

// isASCII reports whether a text contains only ASCII characters.
func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
