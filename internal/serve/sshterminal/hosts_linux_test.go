package sshterminal

import (
	"errors"
	"net"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestKnownHostsPipe checks that a FIFO in place of the known_hosts file is a final error: it
// must not be opened, because nothing may ever write to it.
func TestKnownHostsPipe(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "hosts")
	if err := syscall.Mkfifo(file, 0o600); err != nil {
		t.Fatal(err)
	}
	checked := make(chan error, 1)
	go func() { checked <- KnownHostsCallback(file)("example.com:22", &net.TCPAddr{}, placeholderKey{}) }()
	select {
	case err := <-checked:
		if !errors.Is(err, errKnownHostsUnreadable) || !strings.Contains(err.Error(), "not a regular file") {
			t.Errorf("unexpected error: %v", err)
		}
	case <-time.After(time.Minute):
		t.Fatal("the callback waits for the FIFO")
	}
}
