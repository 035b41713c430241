package chart

import (
	"strings"
	"unicode/utf8"
)

// Heights of large text, in lines.
const (
	DigitRows     = 5
	HalfDigitRows = 3 // two rows of dots per line
)

// Digits draws text in large characters: digits, signs and the letters of units. If the text does not
// fit, or has a character without a large form, ordinary characters are drawn. A number is never
// truncated: if it does not fit in ordinary characters either, an ellipsis is drawn.
type Digits struct {
	// Width is the width of each line in cells. The text is centered unless AlignLeft is true.
	Width int
	// Style is the escape sequence of the style of the text; "" means no style.
	Style string
	// Set is the character set. Braille is drawn like Blocks.
	Set CharSet
	// WideDots makes each dot two cells wide, so that dots are about square, if the text still
	// fits.
	WideDots bool
	// HalfHeight draws the digits in [HalfDigitRows] lines, followed by the unit in ordinary characters.
	// In ASCII, which has no half blocks, the digits consist of strokes, as on a digital clock.
	HalfHeight bool
	// DotHeight is the height of a dot in half lines, for text higher than [DigitRows]. A suitable
	// height is returned by [DotHeightFor]. A dot is at most DotHeight cells wide, and narrow enough
	// for the text and for 0:00 to fit. 0 means ordinary dots.
	DotHeight int
	// AlignLeft aligns the text to the left.
	AlignLeft bool
}

// Rows returns the height of the text in lines.
func (d Digits) Rows() int {
	switch {
	case d.HalfHeight:
		return HalfDigitRows
	case d.DotHeight > 2:
		return (DigitRows*d.DotHeight + 1) / 2
	}
	return DigitRows
}

// DotHeightFor returns the largest [Digits.DotHeight] at which text fits into w cells and h lines.
// It returns 0 if the text fits only with ordinary dots, or not at all.
func DotHeightFor(text string, set CharSet, w, h int) int {
	dots, ok := digitRows(text)
	for _, dot := range []int{4, 3} {
		if !ok || dot == 3 && set == ASCII { // ASCII has no half lines
			continue
		}
		if rows := (Digits{DotHeight: dot}).Rows(); rows <= h && utf8.RuneCountInString(dots[0])*((dot+1)/2) <= w {
			return dot
		}
	}
	return 0
}

// Render returns text as lines that are Width cells wide.
func (d Digits) Render(text string) []string {
	lines := make([]string, d.Rows())
	if d.Width <= 0 {
		return lines
	}
	for i, row := range d.textRows(text) {
		width := utf8.RuneCountInString(row)
		before := (d.Width - width) / 2
		if d.AlignLeft {
			before = 0
		}
		line := appendRepeated(nil, " ", before)
		line = appendStyled(line, d.Style, func(dst []byte) []byte { return append(dst, row...) })
		lines[i] = string(appendRepeated(line, " ", d.Width-width-before))
	}
	return lines
}

// textRows returns the lines of text without margins.
func (d Digits) textRows(text string) []string {
	unit := ""
	if d.HalfHeight {
		number := strings.TrimRight(text, " %smhdkK")
		text, unit = number, text[len(number):]
	}
	if d.HalfHeight && d.Set == ASCII {
		if lines, ok := segmentLines(text, unit); ok && utf8.RuneCountInString(lines[0]) <= d.Width {
			return lines
		}
		return d.smallText(text + unit)
	}
	dots, ok := digitRows(text)
	if d.DotHeight > 2 && ok {
		const typicalDots = 13 // width of 0:00 in dots; the dots of a shorter text are not wider than those of 0:00
		for dotWidth := min(d.DotHeight, max(d.Width/typicalDots, 1)); dotWidth > 0; dotWidth-- {
			if utf8.RuneCountInString(dots[0])*dotWidth <= d.Width {
				return d.drawTall(dots, dotWidth)
			}
		}
	}
	if d.WideDots && ok && 2*utf8.RuneCountInString(dots[0]) <= d.Width {
		for i := range dots {
			dots[i] = doubleCharacters(dots[i])
		}
	}
	if !ok || utf8.RuneCountInString(dots[0]+unit) > d.Width {
		return d.smallText(text + unit)
	}
	if d.HalfHeight {
		return halveRows(dots, unit)
	}
	dot := "█"
	if d.Set == ASCII {
		dot = "#"
	}
	for i := range dots {
		dots[i] = strings.ReplaceAll(dots[i], "\x00", dot)
	}
	return dots[:]
}

// drawTall returns lines with dots that are d.DotHeight half lines high and wide cells wide.
func (d Digits) drawTall(dots [DigitRows]string, wide int) []string {
	out := make([]string, d.Rows())
	for i := range out {
		var b strings.Builder
		at := func(half, x int) bool { return half < DigitRows*d.DotHeight && dots[half/d.DotHeight][x] == 0 }
		for x := range dots[0] { // each dot is a space or a NUL, which take one byte
			cell := " "
			switch up, down := at(2*i, x), at(2*i+1, x); {
			case up && down:
				cell = "█"
			case up:
				cell = "▀"
			case down:
				cell = "▄"
			}
			if d.Set == ASCII && cell != " " {
				cell = "#"
			}
			b.WriteString(strings.Repeat(cell, wide))
		}
		out[i] = b.String()
	}
	return out
}

// halveRows returns [HalfDigitRows] lines with two rows of dots each. The unit is at the end of the last
// line.
func halveRows(dots [DigitRows]string, unit string) []string {
	out := make([]string, HalfDigitRows)
	for i := range out {
		var b strings.Builder
		for x := range dots[0] { // each dot is a space or a NUL, which take one byte
			up, down := dots[2*i][x] == 0, 2*i+1 < DigitRows && dots[min(2*i+1, DigitRows-1)][x] == 0
			switch {
			case up && down:
				b.WriteString("█")
			case up:
				b.WriteString("▀")
			case down:
				b.WriteString("▄")
			default:
				b.WriteByte(' ')
			}
		}
		end := unit
		if i < HalfDigitRows-1 {
			end = strings.Repeat(" ", utf8.RuneCountInString(unit))
		}
		out[i] = b.String() + end
	}
	return out
}

// doubleCharacters returns s with each character repeated.
func doubleCharacters(s string) string {
	var b strings.Builder
	for _, r := range s {
		b.WriteRune(r)
		b.WriteRune(r)
	}
	return b.String()
}

// smallText returns lines with text in ordinary characters on the middle line. If the text does not
// fit, it is replaced with an ellipsis. Characters that are not one cell wide on every terminal are
// replaced with "?".
func (d Digits) smallText(text string) []string {
	text = strings.Map(func(r rune) rune {
		if isNarrow(r) {
			return r
		}
		return '?'
	}, text)
	rows := make([]string, d.Rows())
	if utf8.RuneCountInString(text) > d.Width {
		text = "…"
		if d.Set == ASCII {
			text = "~"
		}
	}
	rows[len(rows)/2] = text
	return rows
}

// isNarrow reports whether a character is one cell wide on every terminal: ASCII and Latin letters,
// dashes, dots and currency signs.
func isNarrow(r rune) bool {
	return r >= ' ' && r <= '~' || r > 0xa0 && r < 0x300 && r != 0xad ||
		r >= 0x2010 && r <= 0x2027 || r >= 0x20a0 && r <= 0x20bf
}

// digitRows returns the rows of dots of text in large digits. ok is false if text is empty or has a
// character without a large form.
func digitRows(text string) ([DigitRows]string, bool) { return glyphRows(text, digitDots) }

// glyphRows returns the rows of dots of text, with its characters side by side. A raised dot is a
// NUL, any other dot a space. dots returns the dots of a character. ok is false if dots returns ""
// for a character, or if text is empty.
func glyphRows(text string, dots func(rune) string) (rows [DigitRows]string, ok bool) {
	for n, r := range text {
		glyph := dots(r)
		if glyph == "" {
			return rows, false
		}
		for i, row := range strings.Fields(glyph) {
			if n > 0 {
				rows[i] += " "
			}
			rows[i] += strings.ReplaceAll(strings.ReplaceAll(row, "#", "\x00"), ".", " ")
		}
	}
	return rows, text != ""
}

// digitDots returns the dots of a character: five rows, mostly of three columns, separated by
// spaces. It returns "" for a character without a large form.
func digitDots(r rune) string {
	switch r {
	case '0':
		return "### #.# #.# #.# ###"
	case '1':
		return ".#. ##. .#. .#. ###"
	case '2':
		return "### ..# ### #.. ###"
	case '3':
		return "### ..# ### ..# ###"
	case '4':
		return "#.# #.# ### ..# ..#"
	case '5':
		return "### #.. ### ..# ###"
	case '6':
		return "### #.. ### #.# ###"
	case '7':
		return "### ..# ..# ..# ..#"
	case '8':
		return "### #.# ### #.# ###"
	case '9':
		return "### #.# ### ..# ###"
	case ':':
		return ". # . # ."
	case '.', ',':
		return ". . . . #"
	case '%':
		return "#.# ..# .#. #.. #.#"
	case '-', '–':
		return "... ... ### ... ..."
	case '~':
		return "... ##. .## ... ..."
	case '+':
		return "... .#. ### .#. ..."
	case '/':
		return "..# ..# .#. #.. #.."
	case '?':
		return "### ..# .## ... .#."
	case ' ':
		return ". . . . ."
	}
	return letterDots(r)
}

// letterDots returns the dots of a letter that occurs in units or in "n/a". It returns "" for any
// other character.
func letterDots(r rune) string {
	switch r {
	case 'a':
		return "... .## #.# #.# .##"
	case 'd':
		return "..# ..# .## #.# .##"
	case 'h':
		return "#.. #.. ##. #.# #.#"
	case 'k', 'K':
		return "#.# #.# ##. #.# #.#"
	case 'm':
		return "..... ..... ####. #.#.# #.#.#"
	case 'n':
		return "... ... ##. #.# #.#"
	case 's':
		return "... .## #.. ..# ##."
	default:
		return ""
	}
}
