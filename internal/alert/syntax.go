package alert

import (
	"strings"

	"wallboard/model"
)

// explainSyntax converts an error message of the expression parser to a message for users.
func explainSyntax(message string) string {
	message = model.CleanText(message, model.MaxName)
	part, unexpected := strings.CutPrefix(message, "unexpected token ")
	if number, ok := strings.CutPrefix(message, "bad number syntax: "); ok {
		return strings.Trim(number, `"`) + ` is not a number; write a duration in quotes, such as "15m", and only as a window`
	}
	switch {
	case message == "literal not terminated":
		return "this quote is not closed"
	case part == "EOF":
		return "something is missing at the end: a number, a name, or a closing bracket"
	case part == `Operator("=")`:
		return "= is not a comparison; write ==, <= or >="
	case part == `Operator(",")`:
		return "unexpected comma; decimals have a point"
	case unexpected:
		if _, quoted, ok := strings.Cut(part, `("`); ok {
			part = strings.TrimSuffix(quoted, `")`)
		}
		return part + " is not expected here: an operator, a name or a bracket is missing before it, or it is one too many"
	}
	return message
}
