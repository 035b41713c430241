package textnorm_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"wallboard/internal/lib/textnorm"
)

// TestWrapKeepsUnits wraps sentences at every width: no line begins with a unit, and nothing
// else is changed.
func TestWrapKeepsUnits(t *testing.T) {
	t.Parallel()
	const text = "Service level 82.6 %: the target of 80 % is reached, after 12 s at most, 3 min in all (4 %)."
	for w := 12; w < len(text)+2; w++ {
		got := textnorm.WrapKeepingUnits(text, func(s string) string { return ansi.Wrap(s, w, "") })
		for l := range strings.SplitSeq(got, "\n") {
			if regexp.MustCompile(`^(%|s\b|min\b)`).MatchString(l) || ansi.StringWidth(l) > w {
				t.Errorf("%d cells: the line %q", w, l)
			}
		}
		if back := strings.Join(strings.Fields(got), " "); back != text {
			t.Errorf("%d cells: %q", w, back)
		}
	}
}
