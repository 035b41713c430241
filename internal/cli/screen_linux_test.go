package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/sys/unix"
)

// TestHelpAsksNothing shows the help on a terminal that answers no queries.
func TestHelpAsksNothing(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"help"}, {"--help"}, {"status", "--help"}, {"help", "status"}} {
		x := newTerminal(t, t.TempDir(), args...)
		x.leaves()
		x.mu.Lock()
		out := x.output.String()
		x.mu.Unlock()
		if strings.Contains(out, "\x1b]11;?") || strings.Contains(out, "\x1b[c") || !strings.Contains(out, "wallboard") {
			t.Errorf("%v: %q", args, out)
		}
	}
}

// TestEndOnATerminalThatStopsReading ends a board that is blocked in a write, because its terminal no
// longer reads. TestOutletOfATerminalThatStopsReading checks the time until the end.
func TestEndOnATerminalThatStopsReading(t *testing.T) {
	t.Parallel()
	x := newTerminal(t, t.TempDir(), "demo", "--seed", "7")
	x.shows("LIVE")
	x.mu.Lock() // stops reading from the terminal
	x.block()
	begun := time.Now()
	if err := x.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	ended := func() bool { return x.cmd.Process.Signal(syscall.Signal(0)) != nil || zombie(x.cmd.Process.Pid) }
	for !ended() && time.Since(begun) < time.Minute {
		<-time.After(10 * time.Millisecond)
	}
	hangs := !ended()
	x.mu.Unlock()
	if hangs {
		t.Fatal("the board does not end")
	}
	t.Logf("the board ended after %v", time.Since(begun))
	<-x.ended
	if strings.Contains(x.output.String(), ansi.ResetModeAltScreenSaveCursor) {
		t.Error("the board could write to its terminal")
	}
}

// block fills the terminal, which must not be read, until the program is blocked in a write.
func (x *testTerminal) block() {
	x.t.Helper()
	n, err := unix.IoctlGetInt(int(x.pty.Fd()), unix.TIOCGPTN)
	if err != nil {
		x.t.Fatal(err)
	}
	name := "/dev/pts/" + strconv.Itoa(n)
	tty, err := unix.Open(name, unix.O_WRONLY|unix.O_NOCTTY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		x.t.Fatal(err)
	}
	defer unix.Close(tty) //nolint:errcheck // nothing is lost
	filler := bytes.Repeat([]byte("~"), 1<<10)
	for late := time.After(patience); ; {
		if _, err := unix.Write(tty, filler); err != nil && !errors.Is(err, unix.EAGAIN) {
			x.t.Fatal(err)
		} else if err != nil && isWriting(x.t, x.cmd.Process.Pid, name) {
			return
		}
		select {
		case <-late:
			x.t.Fatal("the board never blocks")
		case <-time.After(time.Millisecond):
		}
	}
}

// isWriting reports whether a thread of a process is in a write to a file.
func isWriting(t *testing.T, pid int, file string) bool {
	t.Helper()
	process := "/proc/" + strconv.Itoa(pid)
	threads, err := filepath.Glob(process + "/task/*/syscall")
	if err != nil {
		t.Fatal(err)
	}
	for _, thread := range threads {
		text, err := os.ReadFile(thread)
		if errors.Is(err, fs.ErrPermission) {
			t.Skip("the kernel does not tell the system calls of a process: ", err)
		}
		var number, fd int
		if n, _ := fmt.Sscanf(string(text), "%d 0x%x", &number, &fd); n < 2 || number != unix.SYS_WRITE {
			continue
		}
		if name, err := os.Readlink(process + "/fd/" + strconv.Itoa(fd)); err == nil && name == file {
			return true
		}
	}
	return false
}

// zombie reports whether a process has ended but was not waited for.
func zombie(pid int) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err != nil || strings.Contains(string(stat), ") Z ")
}
