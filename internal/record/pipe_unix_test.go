//go:build unix

package record

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// TestPipe checks that a pipe without a writer is refused and does not block.
func TestPipe(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "pipe.wbr")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	done := make(chan error, 1)
	go func() {
		_, err := Open(path)
		done <- err
	}()
	select {
	case err := <-done:
		if !errors.Is(err, ErrNotARecording) {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		t.Fatal("it blocks")
	}
}
