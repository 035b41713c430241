package admin

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestPipeIsNotKept uses a pipe without a writer as the old configuration: it is refused at once.
func TestPipeIsNotKept(t *testing.T) {
	t.Parallel()
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := copyAside(pipe); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Error(err)
	}
}
