package cli

import (
	"bytes"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/sys/unix"

	"wallboard/internal/lib/terminal"
)

// Size of the terminals in these tests.
const (
	terminalWidth  = 120
	terminalHeight = 40
)

// testTerminal is the whole program on a pseudo-terminal, drawn on a screen.
type testTerminal struct {
	t     *testing.T
	pty   *os.File
	cmd   *exec.Cmd
	errs  bytes.Buffer  // standard error of the program, complete after its end
	err   error         // how the program has ended
	wrote chan struct{} // receives after new output was drawn
	ended chan struct{}
	mute  bool // the configuration turns off the bell

	mu     sync.Mutex
	screen *terminal.Screen
	output bytes.Buffer // complete output
}

// newTerminal runs the program with a command line, whose arguments must contain no blanks, and with dir
// as its home directory.
func newTerminal(t *testing.T, dir string, args ...string) *testTerminal {
	t.Helper()
	return newTerminalAs(t, syscall.SysProcAttr{Setsid: true, Setctty: true}, dir, args...)
}

// newTerminalAs runs the program in a session, possibly one that this terminal does not control.
func newTerminalAs(t *testing.T, session syscall.SysProcAttr, dir string, args ...string) *testTerminal {
	t.Helper()
	return newTerminalOf(t, exec.CommandContext(t.Context(), os.Args[0]), session, dir, args...)
}

// newTerminalOf runs cmd, which runs the program, such as a shell.
func newTerminalOf(t *testing.T, cmd *exec.Cmd, session syscall.SysProcAttr, dir string, args ...string) *testTerminal {
	t.Helper()
	pty, tty, err := openPTY()
	if err != nil {
		t.Skipf("no pseudo-terminal: %v", err)
	}
	x := &testTerminal{
		t: t, pty: pty, screen: terminal.NewScreen(terminalWidth, terminalHeight),
		wrote: make(chan struct{}, 1), ended: make(chan struct{}),
	}
	x.cmd = cmd
	x.cmd.Dir = dir // not the folder of the tests, because programs may save files into their folder
	x.cmd.Env = []string{
		platformEnv + "=" + strings.Join(args, " "), exampleEnv + "=" + example(t), "TERM=vt220", "COLORTERM=truecolor", "LANG=C.UTF-8", "PATH=" + os.Getenv("PATH"),
		"HOME=" + dir, "XDG_CONFIG_HOME=" + dir, "XDG_STATE_HOME=" + dir, "XDG_DATA_HOME=" + dir, "XDG_CACHE_HOME=" + dir,
	}
	x.cmd.Stdin, x.cmd.Stdout, x.cmd.Stderr = tty, tty, &x.errs
	x.cmd.SysProcAttr, x.cmd.WaitDelay = &session, 10*time.Second // WaitDelay, because a board that a shell has started may outlive the shell
	if err := x.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = tty.Close() // the program has a copy of the descriptor
	go x.draw()
	t.Cleanup(func() {
		_ = x.cmd.Process.Kill() // an error if the program has ended
		<-x.ended
		_ = pty.Close()
	})
	return x
}

// openPTY returns both ends of a pseudo-terminal.
func openPTY() (pty, tty *os.File, err error) {
	if pty, err = os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0); err != nil {
		return nil, nil, err
	}
	fd := int(pty.Fd())
	if err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		return nil, nil, err
	}
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		return nil, nil, err
	}
	if err = unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: terminalHeight, Col: terminalWidth}); err != nil {
		return nil, nil, err
	}
	tty, err = os.OpenFile("/dev/pts/"+strconv.Itoa(n), os.O_RDWR|syscall.O_NOCTTY, 0)
	return pty, tty, err
}

// draw draws the program's output until it ends.
func (x *testTerminal) draw() {
	defer close(x.ended)
	buf := make([]byte, 4096)
	for {
		n, err := x.pty.Read(buf)
		x.mu.Lock()
		_, _ = x.screen.Write(buf[:n])
		x.output.Write(buf[:n])
		x.mu.Unlock()
		select {
		case x.wrote <- struct{}{}:
		default:
		}
		if err != nil { // the program has closed the terminal
			x.err = x.cmd.Wait()
			return
		}
	}
}

// press types keys. Escape is sent in a form that cannot merge with the next key.
func (x *testTerminal) press(keys ...string) {
	x.t.Helper()
	if _, err := x.pty.WriteString(strings.Join(keys, "")); err != nil {
		x.t.Fatal(err)
	}
}

// Keys without a character.
const (
	enter = "\r"
	tab   = "\t"
	ctrlC = "\x03"
	ctrlS = "\x13"
	esc   = "\x1b[27u"
)

// until waits for a state of the screen.
func (x *testTerminal) until(what string, ok func(screen string) bool) {
	x.t.Helper()
	late := time.After(patience)
	for {
		text := x.text()
		if ok(text) {
			return
		}
		select {
		case <-x.wrote:
		case <-x.ended:
			x.t.Fatalf("the program ended without %s: %s\n%s", what, x.errs.String(), text)
		case <-late:
			x.t.Fatalf("never seen: %s\n%s", what, text)
		}
	}
}

// shows waits until texts are on the screen, which may wrap them: a path is as long as that of the
// temporary directory.
func (x *testTerminal) shows(texts ...string) {
	x.t.Helper()
	x.until(strings.Join(texts, ", "), func(screen string) bool {
		for _, text := range texts {
			if !strings.Contains(screen, text) && !strings.Contains(withoutSpaces(screen), withoutSpaces(text)) {
				return false
			}
		}
		return true
	})
}

func withoutSpaces(s string) string { return strings.Join(strings.Fields(s), "") }

// row waits until the selected row contains texts, and returns it.
func (x *testTerminal) row(texts ...string) (row string) {
	x.t.Helper()
	x.until("a selected row with "+strings.Join(texts, ", "), func(screen string) bool {
		for line := range strings.Lines(screen) {
			if row = strings.TrimPrefix(line, "│"); strings.HasPrefix(row, "▌") && containsAll(line, texts) {
				return true
			}
		}
		return false
	})
	return row
}

// answered waits for the outcome of an action: until then a dialog has the keyboard.
func (x *testTerminal) answered() {
	x.t.Helper()
	x.until("no dialog that waits for an outcome", func(screen string) bool {
		return !strings.Contains(screen, "Closing this does not stop")
	})
}

func (x *testTerminal) text() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.screen.String()
}

// waitForEnd waits for the end of the program.
func (x *testTerminal) waitForEnd() {
	x.t.Helper()
	select {
	case <-x.ended:
	case <-time.After(patience):
		x.t.Fatalf("the program does not end:\n%s", x.text())
	}
}

// leaves waits for the end of the program, which must restore the terminal and print
// nothing.
func (x *testTerminal) leaves() {
	x.t.Helper()
	x.waitForEnd()
	if x.err != nil || x.errs.Len() > 0 {
		x.t.Errorf("the program ended with %v, and said: %s", x.err, x.errs.String())
	}
	if err := terminal.CheckStream(x.output.Bytes(), !x.mute); err != nil {
		x.t.Error(err)
	}
	if s := x.screen.UnknownSequence(); s != "" {
		x.t.Errorf("the test's terminal does not know %s", s)
	}
	for mode, on := range x.screen.Modes() {
		if on != (mode == ansi.ModeTextCursorEnable.Mode() || mode == ansi.ModeAutoWrap.Mode()) {
			x.t.Errorf("mode %d of the terminal is left %v", mode, on)
		}
	}
}
