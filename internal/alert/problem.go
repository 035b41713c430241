package alert

import (
	"fmt"
	"strings"

	"wallboard/model"
)

// Problem is an error in the definition of a KPI or rule.
type Problem struct {
	Section string // "kpi" or "alert"
	Index   int    // position of the KPI or rule in [Options]
	Name    string // name of the KPI or rule, as given
	Field   string // the field with the error: "name", "scope", "expr", "when", ...
	// Line and Column are a position in the expression or message. Both begin at 1 and are 0 if the
	// position is unknown. Column counts characters.
	Line, Column int
	Message      string // without control characters
	Suggestion   string // the name that was probably meant, or ""
}

// Error returns the problem in one line.
func (p *Problem) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %q: %s", p.Section, p.Name, p.Field)
	if p.Line > 0 {
		fmt.Fprintf(&b, ", line %d, column %d", p.Line, p.Column)
	}
	b.WriteString(": " + p.Message)
	if p.Suggestion != "" {
		b.WriteString("; did you mean " + p.Suggestion + "?")
	}
	return model.CleanText(b.String(), model.MaxBody)
}

// Problems holds all problems in the definitions of an engine. [New] returns it as an error.
type Problems []*Problem

// Error returns all problems, one per line.
func (ps Problems) Error() string {
	lines := make([]string, len(ps))
	for i, p := range ps {
		lines[i] = p.Error()
	}
	return strings.Join(lines, "\n")
}

// expressionError is an error at a position of an expression.
type expressionError struct {
	offset     int // in characters, from 0
	message    string
	suggestion string
}

func errorAt(at int, format string, args ...any) *expressionError {
	return &expressionError{offset: at, message: fmt.Sprintf(format, args...)}
}

// lineAndColumn converts a character position to line and column, both from 1.
func lineAndColumn(text string, at int) (line, column int) {
	line, column = 1, 1
	for _, r := range text {
		if at == 0 {
			break
		}
		at--
		column++
		if r == '\n' {
			line, column = line+1, 1
		}
	}
	return line, column
}
