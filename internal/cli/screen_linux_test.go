package cli

import (
	"os"
	"slices"
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
	var boards [2]*terminal // the second one's terminal reads
	for i := range boards {
		boards[i] = newTerminal(t, t.TempDir(), "demo", "--seed", "7")
		boards[i].shows("LIVE")
	}
	boards[0].mu.Lock() // stops reading
	<-time.After(3 * time.Second)
	begun := time.Now()
	var took [2]time.Duration
	for _, x := range boards {
		if err := x.cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
	}
	for time.Since(begun) < time.Minute && slices.Contains(took[:], 0) {
		for i, x := range boards {
			if took[i] == 0 && (x.cmd.Process.Signal(syscall.Signal(0)) != nil || zombie(x.cmd.Process.Pid)) {
				took[i] = time.Since(begun)
			}
		}
		<-time.After(10 * time.Millisecond)
	}
	boards[0].mu.Unlock()
	t.Logf("the boards ended after %v", took)
	if d := took[0]; d == 0 || d > 2*time.Second+10*took[1] { // took[1] is the load of the machine
		t.Errorf("it ended after %v, the other one after %v", d, took[1])
	}
}

// zombie reports whether a process has ended but was not waited for.
func zombie(pid int) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err != nil || strings.Contains(string(stat), ") Z ")
}
