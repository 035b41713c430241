package cli

import (
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestHelpAsksNothing shows the help on a terminal that answers nothing.
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

// TestEndOnATerminalThatStopsReading ends a board whose terminal no longer reads.
func TestEndOnATerminalThatStopsReading(t *testing.T) {
	t.Parallel()
	x := newTerminal(t, t.TempDir(), "demo", "--seed", "7")
	x.shows("LIVE")
	x.mu.Lock() // what draws stops reading
	<-time.After(3 * time.Second)
	begun := time.Now()
	if err := x.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	gone := func() bool { return x.cmd.Process.Signal(syscall.Signal(0)) != nil || zombie(x.cmd.Process.Pid) }
	for !gone() && time.Since(begun) < time.Minute {
		<-time.After(10 * time.Millisecond)
	}
	x.mu.Unlock()
	if d := time.Since(begun); d > 10*time.Second { // 2 s, on a machine that has nothing else to do
		t.Errorf("it ended after %v", d)
	}
}

// zombie reports whether a process has ended but was not waited for.
func zombie(pid int) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err != nil || strings.Contains(string(stat), ") Z ")
}
