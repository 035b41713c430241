package term

import (
	"os"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// largePTY returns a terminal that reports 65535x65535 cells.
func largePTY(t *testing.T) *os.File {
	t.Helper()
	pty, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo-terminal: %v", err)
	}
	t.Cleanup(func() { _ = pty.Close() })
	if err = unix.IoctlSetWinsize(int(pty.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 65535, Col: 65535}); err != nil {
		t.Fatal(err)
	}
	return pty
}
