package commands

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestPipeIsNoBackup passes a pipe without a writer as a backup: it is refused at once.
func TestPipeIsNoBackup(t *testing.T) {
	t.Parallel()
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := restoreBackup(nil, pipe, false, true); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Error(err)
	}
}
