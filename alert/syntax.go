package alert

import (
	"strings"

	"wallboard/model"
)

// inWords says what the parser found wrong with the text of an expression in
// words for who wrote it, not for who writes parsers.
func inWords(message string) string {
	message = model.CleanText(message, model.MaxName)
	part, unexpected := strings.CutPrefix(message, "unexpected token ")
	if number, ok := strings.CutPrefix(message, "bad number syntax: "); ok {
		return strings.Trim(number, `"`) + ` is no number; a duration stands in quotes, such as "15m", and is part of a window only`
	}
	switch {
	case message == "literal not terminated":
		return "a quote is opened here and not closed"
	case part == "EOF":
		return "something is missing at the end: a number, a name, or a closing bracket"
	case part == `Operator("=")`:
		return "= compares nothing; write == for equal, <= or >= for at most or at least"
	case part == `Operator(",")`:
		return "a comma does not belong here; decimals have a point"
	case unexpected:
		if _, quoted, ok := strings.Cut(part, `("`); ok {
			part = strings.TrimSuffix(quoted, `")`)
		}
		return part + " is not expected here: an operator, a name or a bracket is missing before it, or it is one too many"
	}
	return message
}
