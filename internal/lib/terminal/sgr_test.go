package terminal_test

import (
	"testing"

	"wallboard/internal/lib/terminal"
)

func TestLen(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]int{
		"": 0, "a": 0, "\x1b": 0, "\x1b[": 0, "\x1b[m": 3, "\x1b[1;38:2;3mtext": 11, "\x1b[2J": 0, "\x1b]0;x\a": 0, "x\x1b[m": 0, "\x1b[1;": 0,
	} {
		if got := terminal.SGRLen(s); got != want {
			t.Errorf("%q: %d, want %d", s, got, want)
		}
		if got := terminal.SGRLen([]byte(s)); got != want {
			t.Errorf("bytes of %q: %d, want %d", s, got, want)
		}
	}
}
