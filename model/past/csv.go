package past

import (
	"io"
	"regexp"
	"strings"
	"unicode"
)

// WriteCSV writes rows as RFC 4180 has them, separated by commas. Spreadsheets
// split where their locale says, and not all heed a quote in the middle of what
// is a cell to them: no piece of a cell, wherever it may be cut, is a formula.
func WriteCSV(to io.Writer, head []string, rows [][]string) error {
	var b strings.Builder
	for _, row := range append([][]string{head}, rows...) {
		for i, cell := range row {
			if i > 0 {
				b.WriteByte(',')
			}
			writeCell(&b, harmless(cell))
		}
		b.WriteString("\r\n")
	}
	_, err := io.WriteString(to, b.String())
	return err //nolint:wrapcheck // it is of the caller's writer
}

// splits reports whether a spreadsheet may begin another cell after a character, in
// the locale of whoever opens the file or as a clipboard is pasted.
func splits(c rune) bool {
	switch c {
	case ',', ';', '|', '\t', '\n', '\v', '\f', '\r', '\u0085', '\u2028', '\u2029', '，', '；', '、', '｜', '﹐', '﹔':
		return true
	}
	return false
}

// begins reports whether a spreadsheet takes what begins with a character for a
// formula: East Asian ones the wide forms as well.
func begins(c rune) bool {
	return strings.ContainsRune("=+-@＝＋－＠﹦﹢﹣﹫−", c)
}

// number is what may begin with a sign.
var number = regexp.MustCompile(`^[+-]?[0-9]+(\.[0-9]+)?$`)

// harmless returns a cell in which an apostrophe makes a text of everything that a
// spreadsheet could take for a formula.
func harmless(cell string) string {
	if number.MatchString(cell) {
		return cell
	}
	var b strings.Builder
	start := true // of what may be a cell
	for _, c := range cell {
		switch {
		case splits(c):
			if b.Len() == 0 {
				b.WriteByte('\'') // what is dropped before a formula is no text
			}
			start = true
		case start && begins(c):
			b.WriteByte('\'')
			start = false
		case !unicode.IsSpace(c) && !unicode.In(c, unicode.Cc, unicode.Cf) && c != '"':
			start = false
		}
		b.WriteRune(c)
	}
	return b.String()
}

// writeCell writes a cell, in quotes where any spreadsheet could split it or cut
// its edges.
func writeCell(b *strings.Builder, cell string) {
	if cell == strings.TrimSpace(cell) && !strings.ContainsFunc(cell, func(c rune) bool { return c == '"' || splits(c) }) {
		b.WriteString(cell)
		return
	}
	b.WriteString(`"` + strings.ReplaceAll(cell, `"`, `""`) + `"`)
}
