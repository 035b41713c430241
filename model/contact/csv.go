package contact

import (
	"io"
	"regexp"
	"strings"
	"unicode"
)

// WriteCSV writes a table in RFC 4180 format, separated by commas. Spreadsheets split cells by the
// rules of their locale, and some ignore a quote in the middle of a cell. WriteCSV therefore
// escapes formulas at each place where a spreadsheet could begin a cell.
func WriteCSV(to io.Writer, head []string, rows [][]string) error {
	var b strings.Builder
	for _, row := range append([][]string{head}, rows...) {
		for i, cell := range row {
			if i > 0 {
				b.WriteByte(',')
			}
			writeCell(&b, escapeFormulas(cell))
		}
		b.WriteString("\r\n")
	}
	_, err := io.WriteString(to, b.String())
	return err
}

// isSeparator reports whether a spreadsheet, in any locale, may begin a new cell after the
// character c when it opens a file or pastes text.
func isSeparator(c rune) bool {
	switch c {
	case ',', ';', '|', '\t', '\n', '\v', '\f', '\r', '\u0085', '\u2028', '\u2029', '，', '；', '、', '｜', '﹐', '﹔':
		return true
	}
	return false
}

// startsFormula reports whether a spreadsheet may treat text that begins with c as a formula. East
// Asian versions also accept the wide forms of the usual characters.
func startsFormula(c rune) bool {
	return strings.ContainsRune("=+-@＝＋－＠﹦﹢﹣﹫−", c)
}

// numberPattern matches numbers, with or without a sign. These are not formulas.
var numberPattern = regexp.MustCompile(`^[+-]?[0-9]+(\.[0-9]+)?$`)

// escapeFormulas returns the cell with an apostrophe before each part that a spreadsheet could
// treat as a formula, and before a leading separator.
func escapeFormulas(cell string) string {
	if numberPattern.MatchString(cell) {
		return cell
	}
	var b strings.Builder
	start := true // a spreadsheet may begin a cell here
	for _, c := range cell {
		switch {
		case isSeparator(c):
			if b.Len() == 0 {
				b.WriteByte('\'') // mark the empty cell before a leading separator as text, too
			}
			start = true
		case start && startsFormula(c):
			b.WriteByte('\'')
			start = false
		case !unicode.IsSpace(c) && !unicode.In(c, unicode.Cc, unicode.Cf) && c != '"':
			start = false
		}
		b.WriteRune(c)
	}
	return b.String()
}

// writeCell writes a cell. It puts the cell in quotes if a spreadsheet could otherwise split
// or trim it.
func writeCell(b *strings.Builder, cell string) {
	if cell == strings.TrimSpace(cell) && !strings.ContainsFunc(cell, func(c rune) bool { return c == '"' || isSeparator(c) }) {
		b.WriteString(cell)
		return
	}
	b.WriteString(`"` + strings.ReplaceAll(cell, `"`, `""`) + `"`)
}
