package alert

import (
	"strings"
	"testing"
)

// TestSyntaxInWords checks the messages for syntax errors.
func TestSyntaxInWords(t *testing.T) {
	t.Parallel()
	l := newLibrary(Service, func(*Problem) {})
	for source, want := range map[string]string{
		"":                       "something is missing at the end",
		"queuedCalls > 5 and":    "something is missing at the end",
		"(queuedCalls > 5":       "something is missing at the end",
		"queuedCalls > 5)":       ") is not expected here",
		"queuedCalls 5":          "5 is not expected here",
		"queuedCalls = 5":        "write ==",
		"abandonRate > 0,5":      "decimals have a point",
		"code == \"abc":          "quote is not closed",
		"rate(queuedCalls, 15m)": "15m is not a number; write a duration in quotes",
	} {
		_, f := l.compile(source, truthKind)
		if f == nil || !strings.Contains(f.message, want) || strings.Contains(f.message, "token") {
			t.Errorf("%s: %+v, want %q", source, f, want)
		}
	}
}
