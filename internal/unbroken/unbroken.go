// Package unbroken wraps text without tearing figures from their units.
package unbroken

import (
	"regexp"
	"strings"
)

// nbsp is a blank at which lines are not broken.
const nbsp = "\u00a0"

// measured is a figure with a blank before its unit.
var measured = regexp.MustCompile(`([0-9]) (%|s|ms|min|h|KiB|MiB)([^0-9A-Za-z]|$)`)

// Wrap breaks a text by wrap, which breaks no line at a no-break space, so that a figure
// stays with its unit.
func Wrap(text string, wrap func(string) string) string {
	if !strings.ContainsAny(text, "0123456789") {
		return wrap(text)
	}
	return strings.ReplaceAll(wrap(measured.ReplaceAllString(text, "$1"+nbsp+"$2$3")), nbsp, " ")
}
