package themes

import (
	"fmt"
	"strings"
	"unicode"
)

// Problem describes one mistake in a theme.
type Problem struct {
	File   string // as given; "" if the text is not from a file
	Line   int    // starts at 1; 0 if the problem has no line
	Key    string // key in the file, such as tokens.ok.fg; "" for the whole file
	Text   string // the problem
	Remedy string // the allowed values, or what to do
}

// Error returns the problem on one line: file:line: key: problem; remedy. Text from the
// file is made printable.
func (p *Problem) Error() string {
	var b strings.Builder
	switch {
	case p.File != "" && p.Line > 0:
		fmt.Fprintf(&b, "%s:%d: ", p.File, p.Line)
	case p.File != "":
		b.WriteString(p.File + ": ")
	case p.Line > 0:
		fmt.Fprintf(&b, "line %d: ", p.Line)
	}
	if p.Key != "" {
		b.WriteString(p.Key + ": ")
	}
	b.WriteString(p.Text)
	if p.Remedy != "" {
		b.WriteString("; " + p.Remedy)
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, b.String())
}
