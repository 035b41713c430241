package secret

import (
	"strings"
	"testing"

	"wallboard/internal/lib/testkit"
)

// Log text may come from a server, which knows the secrets that were sent to it.
func TestRedactingTakesTimeInProportion(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"password", "word", strings.Repeat("a", 512), strings.Repeat("ab", 256) + "c", strings.Repeat("<", 256)} {
		var r Redactor
		r.Add(New(s), New(s+s), New("a"+s))
		testkit.CheckLinear(t, append(testkit.TextPatterns(), testkit.Pattern{Repeated: s}, testkit.Pattern{Repeated: s[:len(s)-1]}), func(text string) { r.Redact(text) })
	}
}
