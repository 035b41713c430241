package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/sys/unix"

	"wallboard/internal/lib/testkit"
)

// shellScript is a shell with job control that runs a board, writes a line whenever the
// board is stopped, and continues it after enter. It ends with the board's exit code. While
// the board is stopped by SIGTSTP or SIGSTOP, its code is above 146.
const shellScript = `set -m; "$0"; code=$?; i=0
while [ $code -gt 146 ]; do i=$((i+1)); printf '\r\nthe shell has the terminal %s\r\n' $i; read line; fg; code=$?; done; exit $code`

// underShell runs a command line under shellScript.
func underShell(t *testing.T, dir string, args ...string) *testTerminal {
	t.Helper()
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	cmd := exec.CommandContext(t.Context(), shell, "-c", shellScript, os.Args[0])
	x := newTerminalOf(t, cmd, syscall.SysProcAttr{Setsid: true, Setctty: true}, dir, args...)
	x.shows("─") // wait for the board
	board := x.child()
	t.Cleanup(func() { _ = syscall.Kill(board, syscall.SIGKILL) }) // it may outlive the shell
	return x
}

// modes returns the modes of the screen that a shell does not expect.
func (x *testTerminal) modes() (strange []string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for mode, on := range x.screen.Modes() {
		if on != (mode == ansi.ModeTextCursorEnable.Mode() || mode == ansi.ModeAutoWrap.Mode()) {
			strange = append(strange, fmt.Sprintf("mode %d is %v", mode, on))
		}
	}
	return strange
}

// isCooked reports whether the terminal echoes input and passes it on line by line.
func (x *testTerminal) isCooked() bool {
	x.t.Helper()
	state, err := unix.IoctlGetTermios(int(x.pty.Fd()), unix.TCGETS)
	if err != nil {
		x.t.Fatal(err)
	}
	const want = unix.ECHO | unix.ICANON | unix.ISIG
	return state.Lflag&want == want
}

// child returns the process that the shell of a terminal runs.
func (x *testTerminal) child() int {
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

// TestSignalsOfBoards compares the cells of docs/admin/signals.md with the behavior of boards.
func TestSignalsOfBoards(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{"": nil, "kiosk": {"kiosk"}, "demo": {"demo", "--drama=false"}} {
		t.Run("wallboard "+name, func(t *testing.T) {
			t.Parallel()
			compareCells(t, name, map[string]string{
				"SIGINT, SIGTERM": "ends",
				"SIGHUP":          "reads the configuration and the secrets again and opens the log again; ends if its terminal is gone",
				"SIGQUIT":         "restores the terminal, writes the stacks of all goroutines to standard error, exits with 2",
				"SIGTSTP":         "restores the terminal and stops (also with ctrl+z, except on a kiosk)",
				"SIGCONT":         "draws the whole screen again, also after SIGSTOP",
			})
			s := newScripts(t, nil, quiet(), "[kiosk]\npages = [\"Services\"]\nfront = \"off\"\n")
			args := append(args, "--config", s.config)
			start := func() *testTerminal {
				x := newTerminal(t, testkit.PrivateDir(t), args...)
				x.shows("LIVE")
				return x
			}
			x := suspended(t, args, name == "kiosk")
			x.hangUp(s)
			kill(t, x.child(), syscall.SIGINT)
			x.ends()
			x = start()
			kill(t, x.cmd.Process.Pid, syscall.SIGTERM)
			x.leaves()
			x = start()
			kill(t, x.cmd.Process.Pid, syscall.SIGQUIT)
			x.quits()
			x = start()
			if err := x.pty.Close(); err != nil { // the kernel sends SIGHUP
				t.Fatal(err)
			}
			select {
			case <-x.ended:
			case <-time.After(patience):
				t.Fatal("the board does not end without its terminal")
			}
		})
	}
}

func kill(t *testing.T, pid int, signal syscall.Signal) {
	t.Helper()
	if err := syscall.Kill(pid, signal); err != nil {
		t.Fatal(signal, err)
	}
}

// suspended stops a board under a shell in all ways and continues it. With ctrl+z and SIGTSTP, the board
// restores the terminal for the shell. The board draws the whole screen when it continues.
func suspended(t *testing.T, args []string, kiosk bool) *testTerminal {
	t.Helper()
	x := underShell(t, testkit.PrivateDir(t), args...)
	x.shows("LIVE")
	whole := []string{"LIVE", "Overview", "? help  q quit"}
	if kiosk {
		whole = []string{"LIVE", "Billing EN", "Tech Support DE", "longest"}
	}
	x.suspend(whole, kiosk)
	return x
}

// suspend stops and continues a board, which then shows all texts in whole.
func (x *testTerminal) suspend(whole []string, kiosk bool) {
	t := x.t
	t.Helper()
	pid := x.child()
	for i, by := range []string{"ctrl+z", "SIGTSTP", "SIGSTOP"} {
		line := fmt.Sprintf("the shell has the terminal %d", i+1)
		switch {
		case by == "ctrl+z" && !kiosk:
			x.press("\x1a")
		case by == "ctrl+z", by == "SIGTSTP":
			kill(t, pid, syscall.SIGTSTP)
		case by == "SIGSTOP": // the board cannot restore the terminal before SIGSTOP
			kill(t, pid, syscall.SIGSTOP)
		}
		x.shows(line)
		if strange := x.modes(); by != "SIGSTOP" && (len(strange) > 0 || !x.isCooked()) {
			t.Errorf("%s: the shell finds the terminal with %v, cooked: %v", by, strange, x.isCooked())
		}
		x.press("\n")
		x.until("the whole board after "+by, func(screen string) bool {
			return containsAll(screen, whole) && !strings.Contains(screen, "the shell has") && len(x.modes()) > 0
		})
	}
}

// hangUp sends SIGHUP to a board after its log was renamed.
func (x *testTerminal) hangUp(s *scripts) {
	x.t.Helper()
	if err := os.Rename(s.log, s.log+".old"); err != nil {
		x.t.Fatal(err)
	}
	kill(x.t, x.child(), syscall.SIGHUP)
	x.shows("read again: nothing has changed")
	text, err := os.ReadFile(s.config)
	if err != nil {
		x.t.Fatal(err)
	}
	rewrite(x.t, s.config, "nonsense = 1\n") // the board logs this error
	x.until("the new log", func(string) bool {
		log, err := os.ReadFile(s.log)
		return err == nil && strings.Contains(string(log), "configuration rejected")
	})
	rewrite(x.t, s.config, string(text))
}

// ends waits for the end of a shell with the exit code of its board.
func (x *testTerminal) ends() {
	x.t.Helper()
	x.waitForEnd()
	if x.err != nil {
		x.t.Errorf("the shell ended with %v and said %s", x.err, x.errs.String())
	}
	if strange := x.modes(); len(strange) > 0 {
		x.t.Errorf("the terminal is left with %v", strange)
	}
}

// quits waits for the stacks that SIGQUIT prints, after the terminal was restored.
func (x *testTerminal) quits() {
	x.t.Helper()
	x.waitForEnd()
	if !wroteStacks(x.cmd.ProcessState, x.errs.String()) {
		x.t.Errorf("it ends with %v and says %.200q", x.cmd.ProcessState, x.errs.String())
	}
	if strange := x.modes(); len(strange) > 0 || !x.isCooked() {
		x.t.Errorf("the terminal is left with %v, cooked: %v", strange, x.isCooked())
	}
}

// TestSignalsOfPlay compares the cells of docs/admin/signals.md with the behavior of a replay.
func TestSignalsOfPlay(t *testing.T) {
	t.Parallel()
	compareCells(t, "play", map[string]string{
		"SIGINT, SIGTERM": "ends", "SIGHUP": "ends", "SIGQUIT": "restores the terminal, writes the stacks, exits with 2",
		"SIGTSTP": "restores the terminal and stops (also with ctrl+z)", "SIGCONT": "draws the whole screen again, also after SIGSTOP",
	})
	folder := testkit.PrivateDir(t)
	taped(t, folder, "floor", time.Date(2026, 3, 2, 8, 0, 0, 0, time.Local), 0)
	args := []string{"play", folder, "--speed", "0.1"}
	start := func() *testTerminal {
		x := newTerminal(t, testkit.PrivateDir(t), args...)
		x.shows("RECORDING of", "Overview")
		return x
	}
	for _, end := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		x := start()
		kill(t, x.cmd.Process.Pid, end)
		x.leaves()
	}
	x := start()
	kill(t, x.cmd.Process.Pid, syscall.SIGQUIT)
	x.quits()
	x = underShell(t, testkit.PrivateDir(t), args...)
	x.shows("RECORDING of", "Overview")
	x.suspend([]string{"RECORDING of", "Overview"}, false)
	kill(t, x.child(), syscall.SIGTERM)
	x.ends()
}

// TestSignalsOfView compares the cells of docs/admin/signals.md with the behavior of the client of a
// server.
func TestSignalsOfView(t *testing.T) {
	t.Parallel()
	compareCells(t, "view", map[string]string{
		"SIGINT, SIGTERM": "ends", "SIGHUP": "ends", "SIGQUIT": "restores the terminal, writes the stacks, exits with 2",
		"SIGTSTP": "stops, without restoring the terminal", "SIGCONT": "draws the whole screen again, also after SIGSTOP",
	})
	dir := testkit.PrivateDir(t)
	key, file := keyFile(t, dir)
	s := serveTo(t, newScripts(t, nil, quiet()), serveUser("anna", key, ""))
	hosts := filepath.Join(dir, "hosts")
	if err := os.WriteFile(hosts, []byte(hostLine(t, s.addr, key)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	start := func() *testTerminal {
		x := newTerminal(t, dir, "view", s.addr, "--identity", file, "--known-hosts", hosts)
		x.shows("LIVE")
		return x
	}
	for _, end := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		x := start()
		kill(t, x.cmd.Process.Pid, end)
		x.leaves()
	}
	x := start()
	kill(t, x.cmd.Process.Pid, syscall.SIGQUIT)
	x.quits()

	x = underShell(t, dir, "view", s.addr, "--identity", file, "--known-hosts", hosts)
	x.shows("LIVE")
	for i, by := range []syscall.Signal{syscall.SIGTSTP, syscall.SIGSTOP} {
		kill(t, x.child(), by)
		x.shows(fmt.Sprintf("the shell has the terminal %d", i+1))
		if len(x.modes()) == 0 {
			t.Error("the terminal is restored")
		}
		x.press("\r", "\n") // the terminal is in raw mode, in which the shell reads a line feed
		x.until("the whole board", func(screen string) bool {
			return containsAll(screen, []string{"LIVE", "7 Now", "? help  q quit"}) && !strings.Contains(screen, "the shell has")
		})
	}
	x.press("2")
	x.shows("2 Services ─")
	kill(t, x.child(), syscall.SIGTERM)
	x.ends()
	s.end()
}
