package commands

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestPipesDoNotBlock names a pipe without a writer as a backup, as the old configuration and as the
// log: each is refused at once.
func TestPipesDoNotBlock(t *testing.T) {
	t.Parallel()
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, read := range map[string]func() error{
		"restore": func() error { return restoreBackup(nil, pipe, false, true) },
		"setup":   func() error { _, err := keepFile(pipe); return err },
		"bundle":  func() error { _, err := readEnd(pipe, maxBundledLog); return err },
	} {
		if err := read(); err == nil || !strings.Contains(err.Error(), "not a regular file") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
