package chart

import (
	"strings"
	"unicode/utf8"
)

// segmentLines returns text, a number, as [HalfDigitRows] lines of ASCII strokes, as on a digital clock.
// The unit is on the last line. ok is false if text is empty or has a character that cannot be
// drawn with strokes.
func segmentLines(text, unit string) (lines []string, ok bool) {
	lines = make([]string, HalfDigitRows)
	for n, r := range text {
		glyph := segmentGlyph(r)
		if glyph == nil {
			return nil, false
		}
		for i, part := range glyph {
			if n > 0 {
				lines[i] += " "
			}
			lines[i] += part
		}
	}
	blank := strings.Repeat(" ", utf8.RuneCountInString(unit))
	lines[0], lines[1], lines[2] = lines[0]+blank, lines[1]+blank, lines[2]+unit
	return lines, text != ""
}

// segmentGlyph returns the strokes of a character in [HalfDigitRows] lines, or nil if the character
// cannot be drawn with strokes.
func segmentGlyph(r rune) []string {
	switch r {
	case '0':
		return []string{" _ ", "| |", "|_|"}
	case '1':
		return []string{"   ", "  |", "  |"}
	case '2':
		return []string{" _ ", " _|", "|_ "}
	case '3':
		return []string{" _ ", " _|", " _|"}
	case '4':
		return []string{"   ", "|_|", "  |"}
	case '5':
		return []string{" _ ", "|_ ", " _|"}
	case '6':
		return []string{" _ ", "|_ ", "|_|"}
	case '7':
		return []string{" _ ", "  |", "  |"}
	case '8':
		return []string{" _ ", "|_|", "|_|"}
	case '9':
		return []string{" _ ", "|_|", " _|"}
	case ':':
		return []string{" ", ".", "."}
	case '.', ',':
		return []string{" ", " ", "."}
	case '-':
		return []string{"   ", " _ ", "   "}
	case '+':
		return []string{"   ", "_|_", " | "}
	case ' ':
		return []string{" ", " ", " "}
	}
	return nil
}

// LargeNumbers returns text as [HalfDigitRows] lines that are width cells wide. Its numbers are large.
// Its words are in ordinary characters on the middle line.
func LargeNumbers(text string, set CharSet) (lines []string, width int) {
	lines = make([]string, HalfDigitRows)
	for text != "" {
		from, to := findNumber(text)
		words, number := text[:from], text[from:to]
		text = text[to:]
		lines[1] += words
		width += utf8.RuneCountInString(words)
		for i := range lines {
			lines[i] += strings.Repeat(" ", width-utf8.RuneCountInString(lines[i]))
		}
		if number == "" {
			break
		}
		large := Digits{Set: set, HalfHeight: true, Width: 5 * len(number)}.textRows(number)
		for i := range lines {
			lines[i] += large[i]
		}
		width = utf8.RuneCountInString(lines[0])
	}
	return lines, width
}

// findNumber returns the position of the first number in text. A number consists of digits with the
// separators of times and numbers. Digits after a letter are part of a name, not a number. If there
// is no number, both results are len(text).
func findNumber(text string) (from, to int) {
	digit := func(i int) bool { return i < len(text) && text[i] >= '0' && text[i] <= '9' }
	letter := func(c byte) bool { return c|' ' >= 'a' && c|' ' <= 'z' || c >= utf8.RuneSelf }
	for from = 0; from < len(text); from++ {
		if !digit(from) {
			continue
		}
		to = from + 1
		for digit(to) || to < len(text) && strings.IndexByte(":.,", text[to]) >= 0 && digit(to+1) {
			to++
		}
		if from == 0 || !letter(text[from-1]) {
			return from, to
		}
		from = to - 1
	}
	return len(text), len(text)
}
