package chart

import (
	"strings"
	"unicode/utf8"
)

// DigitRows is the number of lines of large digits.
const DigitRows = 5

// Digits is text in large figures for tiles: digits, signs and the letters of
// units. What has no large form, or no room, is shown as ordinary text; a
// number is never cut.
type Digits struct {
	// Width is in cells; the text is centred.
	Width int
	// Style is the escape sequence to draw in, "" for none.
	Style string
	// Set is the characters to draw with; Braille is drawn as Blocks.
	Set Set
	// Wide draws every dot two cells wide, where there is room for it: about as
	// wide as it is high.
	Wide bool
}

// Render returns [DigitRows] lines of Width cells.
func (d Digits) Render(text string) []string {
	lines := make([]string, DigitRows)
	if d.Width <= 0 {
		return lines
	}
	rows, ok := large(text)
	if d.Wide && ok && 2*utf8.RuneCountInString(rows[0]) <= d.Width {
		for i := range rows {
			rows[i] = doubled(rows[i])
		}
	}
	if !ok || utf8.RuneCountInString(rows[0]) > d.Width {
		rows = small(text, d)
	}
	dot := "█"
	if d.Set == ASCII {
		dot = "#"
	}
	for i, row := range rows {
		width := utf8.RuneCountInString(row)
		before := (d.Width - width) / 2
		line := repeat(nil, " ", before)
		line = styled(line, d.Style, func(dst []byte) []byte {
			return append(dst, strings.ReplaceAll(row, "\x00", dot)...)
		})
		lines[i] = string(repeat(line, " ", d.Width-width-before))
	}
	return lines
}

// doubled returns every character of s twice.
func doubled(s string) string {
	var b strings.Builder
	for _, r := range s {
		b.WriteRune(r)
		b.WriteRune(r)
	}
	return b.String()
}

// small puts the text on the middle line. What is not one cell wide on every
// terminal is replaced.
func small(text string, d Digits) [DigitRows]string {
	text = strings.Map(func(r rune) rune {
		if narrow(r) {
			return r
		}
		return '?'
	}, text)
	var rows [DigitRows]string
	if utf8.RuneCountInString(text) > d.Width {
		text = "…"
		if d.Set == ASCII {
			text = "~"
		}
	}
	rows[DigitRows/2] = text
	return rows
}

// narrow reports whether the character is one cell wide everywhere: ASCII, Latin,
// dashes and dots, and currencies.
func narrow(r rune) bool {
	return r >= ' ' && r <= '~' || r > 0xa0 && r < 0x300 && r != 0xad ||
		r >= 0x2010 && r <= 0x2027 || r >= 0x20a0 && r <= 0x20bf
}

// large puts the glyphs side by side; raised dots are NUL.
func large(text string) (rows [DigitRows]string, ok bool) {
	for n, r := range text {
		glyph := font(r)
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

// font returns the dots of a character, five rows of mostly three columns.
func font(r rune) string {
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
	case '+':
		return "... .#. ### .#. ..."
	case '/':
		return "..# ..# .#. #.. #.."
	case '?':
		return "### ..# .## ... .#."
	case ' ':
		return ". . . . ."
	}
	return letter(r)
}

// letter returns the dots of the letters that stand beside figures: units, and
// n/a.
func letter(r rune) string {
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
