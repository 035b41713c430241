package chart

import (
	"strings"
	"unicode/utf8"
)

// segments is a number in [HalfRows] lines of ASCII, as a digital clock has it; ok is false
// where it holds a character that has no such form.
func segments(text, unit string) (lines []string, ok bool) {
	lines = make([]string, HalfRows)
	for n, r := range text {
		glyph := segment(r)
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

// segment returns the lines of a character, nil where it has no such form.
func segment(r rune) []string {
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

// Words sets a sentence in [HalfRows] lines of equal width: its figures large, the words
// around them on the middle line.
func Words(text string, set Set) (lines []string, width int) {
	lines = make([]string, HalfRows)
	for text != "" {
		from, to := figureIn(text)
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
		large := Digits{Set: set, Half: true, Width: 5 * len(number)}.rows(number)
		for i := range lines {
			lines[i] += large[i]
		}
		width = utf8.RuneCountInString(lines[0])
	}
	return lines, width
}

// figureIn finds the first figure in a text: digits, with what stands between them in
// times and numbers. What follows a letter is part of a name. Without one both are the
// text's end.
func figureIn(text string) (from, to int) {
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
