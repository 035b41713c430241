package config

import (
	"errors"
	"fmt"
	"strings"
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

// TestLoadMemory reads configurations whose tables and lists are long.
func TestLoadMemory(t *testing.T) { //nolint:paralleltest // it counts what is allocated
	dir := testkit.PrivateDir(t)
	testkit.CheckMemory(t, []testkit.Pattern{
		{Before: minimal, Repeated: "[[rtd.names]]\nkind = \"service\"\ncode = \"a\"\nname = \"a\"\n"},
		{Before: minimal, Repeated: "[[serve.user]]\nname = \"a\"\nkeys = [\"a\"]\n"},
		{Before: minimal, Repeated: "[[alert]]\nname = \"a\"\nwhen = \"1 + 1\"\n"},
		{Before: minimal + "x = [", Repeated: "{},", After: "]\n"},
		{Before: minimal + "[ui]\npages = [", Repeated: "\"a\",", After: "]\n"},
	}, 300, func(text string) {
		_, _ = Load(write(t, dir, "config.toml", text[:min(len(text), maxFileBytes)], 0o600), testOptions())
	})
}

// TestManyUnknownKeys checks that a file of unknown keys only takes little time: the first ones
// are reported with hints.
func TestManyUnknownKeys(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	text.WriteString(minimal)
	for i := range 10 * maxUnknownKeys {
		_, _ = fmt.Fprintf(&text, "[unknown%d]\nkey = 1\n", i)
	}
	_, err := Load(write(t, testkit.PrivateDir(t), "config.toml", text.String(), 0o600), testOptions())
	var problems Errors
	if !errors.As(err, &problems) || len(problems) != maxUnknownKeys+1 || !strings.Contains(err.Error(), "there are more") {
		t.Errorf("%d problems: %.200v", len(problems), err)
	}
}
