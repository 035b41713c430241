package mosaic

import (
	"testing"

	"pgregory.net/rapid"
)

// TestBlocksHaveRoom has all agents stand on the screen where a form is found, and
// finds one where there is more room.
func TestBlocksHaveRoom(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n, w, h := rapid.IntRange(1, 400).Draw(t, "n"), rapid.IntRange(20, 300).Draw(t, "w"), rapid.IntRange(1, 80).Draw(t, "h")
		b, ok := formFor(n, w, h)
		if !ok {
			return
		}
		if columns := (w - 1) / b.w; columns*(h/b.h) < n {
			t.Fatalf("%d agents in %dx%d as %+v", n, w, h, b)
		}
		if _, ok := formFor(n, w+w/2, h+h/2); !ok {
			t.Fatalf("%+v in %dx%d, and none in more room", b, w, h)
		}
	})
}

// TestNobodyHasNoForm has nobody be there, as at night.
func TestNobodyHasNoForm(t *testing.T) {
	t.Parallel()
	for h := range 80 {
		if b, ok := formFor(0, 200, h); ok {
			t.Errorf("nobody stands as %+v in %d lines", b, h)
		}
	}
}

// TestInitials are as short as a block, and tell hidden names apart.
func TestInitials(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"Becker Katrin": "BK", "Agent 12": "12", "Øystein": "Ø", "": "", "García Márquez Lucía": "GM", "王 Wei": "W",
	} {
		if got := initials(name); got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
}
