package phrases_test

import (
	"testing"
	"time"

	"wallboard/internal/phrases"
)

// TestLasting says nothing of a duration below a second.
func TestLasting(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		58 * time.Second: " (0:58)", time.Second: " (0:01)", time.Second - 1: "", 0: "", -time.Minute: "",
	} {
		if got := phrases.Lasting(" (", d, ")", phrases.Duration); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}
