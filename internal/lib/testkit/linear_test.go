package testkit

import (
	"strings"
	"testing"
)

func TestPattern(t *testing.T) {
	t.Parallel()
	if got := (Pattern{"<", "ab", ">"}).Text(5); got != "<abab>" {
		t.Errorf("%q", got)
	}
	if got := (Pattern{"", "abc", ""}).Text(1); got != "abc" {
		t.Errorf("%q", got)
	}
}

// A function with quadratic cost exceeds the allowed slowdown.
func TestQuadraticIsNoticed(t *testing.T) {
	t.Parallel()
	quadratic := func(s string) {
		for i := range len(s) {
			if strings.IndexByte(s[i:], '!') >= 0 {
				t.Error("it is not there")
			}
		}
	}
	p := Pattern{"", "n", ""}
	if short, long := measureCPUTimes(quadratic, p.Text); !isTooSlow(short, long) {
		t.Errorf("%v and %v", short, long)
	}
}
