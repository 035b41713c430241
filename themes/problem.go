package themes

import (
	"fmt"
	"strings"
	"unicode"
)

// Problem is one thing that is wrong with the file of a theme.
type Problem struct {
	File   string // as it was named; "" if the text did not come from a file
	Line   int    // from 1; 0 if the problem has no line
	Key    string // for example tokens.ok.fg; "" if the whole file is meant
	Text   string // what is wrong
	Remedy string // what is allowed, or what to do
}

// Error returns the problem as one line: file:line: key: problem; remedy. What
// comes from the file cannot move the cursor of who reads it.
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
