package term

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"wallboard/internal/lib/testkit"
	"wallboard/internal/lib/textnorm"
)

// TestFiguresStayInTheirColumns draws rows with right-to-left names, and expects their
// figures in the same columns as with Latin names of the same length.
func TestFiguresStayInTheirColumns(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"مبيعات الرياض", "שירות לקוחות", "VIP مبيعات", "مبيعات 24", "דואר-אלקטרוני", "مبيعات, الرياض", "٣ مبيعات"} {
		latin := strings.Map(func(r rune) rune {
			if r >= 0x590 {
				return 'x'
			}
			return r
		}, name)
		for _, format := range []string{
			" %s     0    0:07  100.0 %%  5.0 %%  0:04  1  2  4",
			"▌\x1b[1m%s\x1b[m \x1b[31m12\x1b[m  7 ",
			"│ %[1]s\x1b[m %[1]s\x1b[m  3   44 │ 5",
			"%s: 13 callers wait, longest 4:05",
		} {
			paint := func(name string) string {
				r := RowPainter{Width: 100, Height: 1, IsolateRTL: true}
				out := r.Paint(fmt.Appendf(nil, format, name))
				return ansi.Strip(string(out))
			}
			got, want := testkit.VisualOrder(t, paint(name)), paint(latin)
			for i, r := range []rune(want) {
				if shown := []rune(got)[i]; r >= '0' && r <= '9' && !strings.ContainsRune(name, '٣') && shown != r {
					t.Errorf("%q is shown as\n%s, should be as\n%s", fmt.Sprintf(format, name), got, want)
					break
				}
			}
			if len([]rune(got)) != len([]rune(want)) {
				t.Errorf("%q is %d columns of %d", name, len([]rune(got)), len([]rune(want)))
			}
		}
	}
}

// TestEachRightToLeftTextHasAMark checks that right-to-left text ends with a mark on each row and after
// each change, and that no isolating character is written that takes up a cell.
func TestEachRightToLeftTextHasAMark(t *testing.T) {
	t.Parallel()
	for _, shared := range []*RowCache{nil, NewRowCache()} {
		r := RowPainter{Width: 20, Height: 2, IsolateRTL: true, Shared: shared}
		for i, frame := range []string{"مبيعات 1\nabc", "مبيعات 2\nשירות", "مبيعات - \x1b[1mالرياض\x1b[m لقوحات ابت ج د\n", "مبيعات 2\nשירות"} {
			out := string(r.Paint([]byte(frame)))
			if !strings.Contains(out, textnorm.LeftToRightMark) || strings.ContainsAny(out, "\u2066\u2067\u2068\u2069") {
				t.Errorf("frame %d: %q", i, out)
			}
			if strings.Contains(out, textnorm.LeftToRightMark+"ت") {
				t.Errorf("a word is split: %q", out)
			}
		}
	}
}

// TestIsolationIsNotShared checks that a terminal that cannot isolate text never gets output from
// the cache that was made for one that can.
func TestIsolationIsNotShared(t *testing.T) {
	t.Parallel()
	cache := NewRowCache()
	for _, isolated := range []bool{true, false} {
		r := RowPainter{Width: 20, Height: 1, IsolateRTL: isolated, Shared: cache}
		r.Paint([]byte("1"))
		if out := string(r.Paint([]byte("مبيعات 1"))); strings.Contains(out, textnorm.LeftToRightMark) != isolated {
			t.Errorf("isolated %t: %q", isolated, out)
		}
	}
}
