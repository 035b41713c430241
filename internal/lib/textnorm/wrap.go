package textnorm

import (
	"regexp"
	"strings"
)

// noBreakSpace is a space at which lines are not broken.
const noBreakSpace = "\u00a0"

// figureWithUnit matches a figure with a space before its unit.
var figureWithUnit = regexp.MustCompile(`([0-9]) (%|s|ms|min|h|KiB|MiB)([^0-9A-Za-z]|$)`)

// Wrap wraps a text with wrap, which does not break lines at no-break spaces, so that a
// figure stays with its unit.
func Wrap(text string, wrap func(string) string) string {
	if !strings.ContainsAny(text, "0123456789") {
		return wrap(text)
	}
	return strings.ReplaceAll(wrap(figureWithUnit.ReplaceAllString(text, "$1"+noBreakSpace+"$2$3")), noBreakSpace, " ")
}
