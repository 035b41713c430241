package cli

import "testing"

// TestGarbage has there be some garbage where little is kept, and half as much as of the
// rest where that is more.
func TestGarbage(t *testing.T) {
	t.Parallel()
	for kept, want := range map[uint64]int{0: 200, 10 << 20: 200, 96 << 20: 100, 150 << 20: 64, 192 << 20: 50, 1 << 30: 50} {
		if got := percentFor(kept); got != want {
			t.Errorf("%d %% of %d MiB, want %d", got, kept>>20, want)
		}
	}
}
