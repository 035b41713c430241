package testkit

import (
	"strings"
	"testing"

	"golang.org/x/text/unicode/bidi"
)

// VisualOrder returns the characters of row from left to right, as displayed by a terminal
// that implements the Unicode bidi algorithm. It leaves out left-to-right marks.
func VisualOrder(t *testing.T, row string) string {
	t.Helper()
	var p bidi.Paragraph
	if _, err := p.SetString(row, bidi.DefaultDirection(bidi.LeftToRight)); err != nil {
		t.Fatal(err)
	}
	order, err := p.Order()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for i := range order.NumRuns() {
		run := order.Run(i)
		text := run.String()
		if run.Direction() == bidi.RightToLeft {
			text = bidi.ReverseString(text)
		}
		b.WriteString(text)
	}
	return strings.ReplaceAll(b.String(), "\u200e", "")
}
