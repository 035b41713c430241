package config

import (
	"testing"

	"wallboard/internal/lib/testkit"
)

// TestSecretMemory reads files of secrets that are too long.
func TestSecretMemory(t *testing.T) { //nolint:paralleltest // it counts what is allocated
	dir := testkit.PrivateDir(t)
	testkit.CheckMemory(t, []testkit.Pattern{{Repeated: "x"}, {Repeated: "\n"}, {Repeated: "\u0301"}, {Repeated: "\xff"}, {Before: "\ufeff", Repeated: " "}}, 1, func(text string) {
		if _, err := readPrivate(write(t, dir, "secret", text, 0o600), ownerOnly); err == nil {
			t.Errorf("a secret of %d bytes is read", len(text))
		}
	})
}
