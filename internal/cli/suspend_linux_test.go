package cli

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/sys/unix"
)

// shellScript is a shell with job control that runs a board, writes a line whenever the
// board is stopped, and continues it after enter.
const shellScript = `set -m; "$0"; for i in 1 2 3; do printf '\r\nthe shell has the terminal %s\r\n' $i; read line; fg; done; exit 0`

// modes returns the modes of the screen that are not as a shell wants them.
func (x *terminal) modes() (strange []string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for mode, on := range x.screen.Modes() {
		if on != (mode == ansi.ModeTextCursorEnable.Mode() || mode == ansi.ModeAutoWrap.Mode()) {
			strange = append(strange, fmt.Sprintf("mode %d is %v", mode, on))
		}
	}
	return strange
}

// isCooked reports whether the terminal echoes what is typed and takes it by lines.
func (x *terminal) isCooked() bool {
	x.t.Helper()
	state, err := unix.IoctlGetTermios(int(x.pty.Fd()), unix.TCGETS)
	if err != nil {
		x.t.Fatal(err)
	}
	const want = unix.ECHO | unix.ICANON | unix.ISIG
	return state.Lflag&want == want
}

// child returns the process that the shell of a terminal runs.
func (x *terminal) child() int {
	x.t.Helper()
	shell := strconv.Itoa(x.cmd.Process.Pid)
	text, err := os.ReadFile("/proc/" + shell + "/task/" + shell + "/children")
	if err != nil {
		x.t.Skip("the kernel does not list children: ", err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		x.t.Fatalf("children of the shell: %q", text)
	}
	return pid
}

// TestSuspend stops a board that a shell runs: with ctrl+z and SIGTSTP the shell has its
// terminal as it was. The board draws the whole screen when it goes on.
func TestSuspend(t *testing.T) {
	t.Parallel()
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	cmd := exec.CommandContext(t.Context(), shell, "-c", shellScript, os.Args[0])
	x := newTerminalOf(t, cmd, syscall.SysProcAttr{Setsid: true, Setctty: true}, t.TempDir(), "demo", "--drama=false", "--config", configFile(t, ""))
	x.shows("LIVE")
	pid := x.child()
	for i, by := range []string{"ctrl+z", "SIGTSTP", "SIGSTOP"} {
		line := fmt.Sprintf("the shell has the terminal %d", i+1)
		switch by {
		case "ctrl+z":
			x.press("\x1a")
		case "SIGTSTP":
			err = syscall.Kill(pid, syscall.SIGTSTP)
		case "SIGSTOP": // the board cannot restore the terminal before
			err = syscall.Kill(pid, syscall.SIGSTOP)
		}
		if err != nil {
			t.Fatal(err)
		}
		x.shows(line)
		if strange := x.modes(); by != "SIGSTOP" && (len(strange) > 0 || !x.isCooked()) {
			t.Errorf("%s: the shell finds the terminal with %v, cooked: %v", by, strange, x.isCooked())
		}
		x.press("\n")
		x.until("the whole board after "+by, func(screen string) bool {
			return containsAll(screen, []string{"LIVE", "Overview", "? help  q quit"}) && !strings.Contains(screen, "the shell has") && len(x.modes()) > 0
		})
	}
	x.press("q")
	select {
	case <-x.ended:
	case <-time.After(patience):
		t.Fatalf("the board does not end:\n%s", x.text())
	}
	if x.err != nil {
		t.Errorf("the shell ended with %v and said %s", x.err, x.errs.String())
	}
	if strange := x.modes(); len(strange) > 0 {
		t.Errorf("the terminal is left with %v", strange)
	}
}
