package textnorm

import (
	"regexp"
	"strings"
)

// noBreakSpace is a space at which lines are not broken.
const noBreakSpace = "\u00a0"

// figureWithUnit matches a figure and its unit, separated by a space.
var figureWithUnit = regexp.MustCompile(`([0-9]) (%|s|ms|min|h|KiB|MiB)([^0-9A-Za-z]|$)`)

// WrapKeepingUnits breaks text into lines with the function wrap, which must not break at no-break spaces.
// To keep figures and units together, WrapKeepingUnits joins them with a no-break space before it calls
// wrap, and restores the space afterwards.
func WrapKeepingUnits(text string, wrap func(string) string) string {
	if !strings.ContainsAny(text, "0123456789") {
		return wrap(text)
	}
	return strings.ReplaceAll(wrap(figureWithUnit.ReplaceAllString(text, "$1"+noBreakSpace+"$2$3")), noBreakSpace, " ")
}
