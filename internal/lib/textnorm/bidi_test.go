package textnorm

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"wallboard/internal/lib/testkit"
)

// TestIsolate isolates lines with Hebrew and Arabic names, and expects their figures in the
// same columns as with Latin names of the same length.
func TestIsolate(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"שירות לקוחות", "דואר-אלקטרוני", "VIP שירות", "שירות 24", "مبيعات الرياض", "שָׁלוֹם"} {
		latin := strings.Map(func(r rune) rune {
			if ansi.StringWidth(string(r)) == 1 && r >= 0x590 {
				return 'x'
			}
			return r
		}, name)
		for _, format := range []string{
			"id1  %s  12  0:07  100.0 %%",
			"%[1]s  %[1]s  3  44",
			"● LIVE  SL 81.5 %%  waiting 3  ready 2  1 critical: %s: 13 callers waiting, longest 4:05",
			"Critical. %s: 13 callers waiting. Next: %[1]s 2, 24 %%.",
		} {
			text, want := fmt.Sprintf(format, name), fmt.Sprintf(format, latin)
			got := []rune(testkit.VisualOrder(t, AddDirectionMarks(text)))
			if got, want := strings.Count(AddDirectionMarks(text), LeftToRightMark), strings.Count(format, "%s")+strings.Count(format, "%[1]s"); got != want {
				t.Errorf("%q has %d marks, should have %d", text, got, want)
			}
			if strings.Contains(name, "ָ") { // the marks take no column
				continue
			}
			for i, r := range []rune(want) {
				if r >= '0' && r <= '9' && got[i] != r {
					t.Errorf("%q is shown as\n%s, should be as\n%s", text, string(got), want)
					break
				}
			}
		}
	}
	for _, text := range []string{"", "abc 1", "café – ● 日本"} {
		if got := AddDirectionMarks(text); got != text {
			t.Errorf("%q becomes %q", text, got)
		}
	}
	if got, want := AddDirectionMarks("1 שָׁלוֹם 2"), "1 שָׁלוֹם\u200e 2"; got != want {
		t.Errorf("%q, should be %q", got, want)
	}
}
