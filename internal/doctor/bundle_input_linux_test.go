package doctor

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestLogIsNoPipe configures a pipe without a writer as the log, which must be refused at once.
func TestLogIsNoPipe(t *testing.T) {
	t.Parallel()
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := readEnd(pipe, maxBundledLog); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Error(err)
	}
}
