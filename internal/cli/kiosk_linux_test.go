package cli

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"wallboard/internal/cli/commands"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/simulator/webservice"
)

// chord is ctrl+alt+q as a terminal sends it.
const chord = "\x1b\x11"

// hung is the configuration of the kiosks in these tests.
const hung = "[ui]\ntheme = \"dark\"\nsite = \"Milan\"\n[kiosk]\nquit = \"ctrl+alt+q\"\ndwell = \"3s\"\npages = [\"Services\", \"Agents\"]\nfront = \"off\"\n"

// TestKioskOnATerminal runs the demo as a kiosk: pages rotate, and only the chord quits it.
func TestKioskOnATerminal(t *testing.T) {
	t.Parallel()
	x := newTerminal(t, testkit.PrivateDir(t), "kiosk", "--demo", "--config", configFile(t, hung), "--seed", "7")
	x.shows("LIVE", "next: Agents")
	x.press("q", ctrlC, "\x04", "\x1a", ctrlC, esc, "Q", ":quit", enter, "y")
	x.shows("next: Services")
	x.shows("next: Agents") // the rotation continues
	if screen := x.text(); strings.Contains(screen, "quit") {
		t.Errorf("a key was obeyed:\n%s", screen)
	}
	x.press(chord)
	x.leaves()
}

func TestKioskEndsWhenToldTo(t *testing.T) {
	t.Parallel()
	dir := testkit.PrivateDir(t)
	x := newTerminal(t, dir, "kiosk", "--demo", "--config", configFile(t, hung), "--seed", "7")
	x.shows("LIVE", "next: Agents")
	if err := x.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	x.leaves()

	x = newTerminal(t, dir, "kiosk", "--demo", "--config", configFile(t, hung), "--seed", "7")
	x.shows("LIVE", "next: Agents")
	if err := x.pty.Close(); err != nil { // the terminal disappears
		t.Fatal(err)
	}
	x.waitForEnd()
	if !x.cmd.ProcessState.Exited() || strings.Contains(x.errs.String(), "panic") {
		t.Errorf("the end is %v: %s", x.cmd.ProcessState, x.errs.String())
	}
}

// TestKioskFollowsItsConfiguration checks that an invalid configuration only causes a message on the
// kiosk, and that a valid one is applied, including the pages.
func TestKioskFollowsItsConfiguration(t *testing.T) {
	t.Parallel()
	path := configFile(t, hung)
	x := newTerminal(t, testkit.PrivateDir(t), "kiosk", "--demo", "--config", path, "--seed", "7")
	x.shows("LIVE", "M I L A N", "next: Agents")
	rewrite(t, path, strings.Replace(hung, "Agents", "Agnets", 1))
	x.shows("M I L A N", "kiosk.pages[1]", "the previous one stays", "next: Agents")
	x.shows("the previous one stays", "next: Services")
	rewrite(t, path, strings.NewReplacer("Milan", "Turin", `"Agents"`, `"Groups"`).Replace(hung))
	x.shows("T U R I N", "next: Groups")
	x.shows("T U R I N", "next: Services")
	x.until("the banner is gone", func(s string) bool { return !strings.Contains(s, "stays") })
	x.press(chord)
	x.leaves()
}

// TestKioskWaitsForThePlatform checks that a kiosk that starts before the platform says so in large
// letters, and that it shows the floor when the platform is available.
func TestKioskWaitsForThePlatform(t *testing.T) {
	t.Parallel()
	fd, address := boundSocket(t) // no server listens yet
	path := configFile(t, fmt.Sprintf("[rtd]\nurl = \"http://%s/rtd\"\naccess_token = %q\n", address, webservice.DefaultAccount().Token)+hung)
	x := newTerminal(t, testkit.PrivateDir(t), "kiosk", "--config", path)
	x.shows("N O   C O N N E C T I O N", address, "keeps trying to connect")
	x.press("q", ctrlC, "1")

	if err := unix.Listen(fd, unix.SOMAXCONN); err != nil {
		t.Fatal(err)
	}
	f := os.NewFile(uintptr(fd), address)
	l, err := net.FileListener(f)
	if err != nil {
		t.Fatal(err)
	}
	_ = f.Close() // l has a copy of the descriptor
	so := small()
	so.Listener = l
	srv, err := commands.OpenSimulator(so)
	if err != nil {
		t.Fatal(err)
	}
	if err := srv.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = srv.Close() })
	x.shows("LIVE", "─ Agents ", "over a limit") // independent of the time of day
	x.press(chord)
	x.leaves()
}

// boundSocket returns a bound socket that refuses connections until it listens.
func boundSocket(t *testing.T) (fd int, address string) {
	t.Helper()
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.Bind(fd, &unix.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		t.Fatal(err)
	}
	at, err := unix.Getsockname(fd)
	if err != nil {
		t.Fatal(err)
	}
	return fd, fmt.Sprintf("127.0.0.1:%d", at.(*unix.SockaddrInet4).Port) //nolint:forcetypeassert // what it was bound to
}

// TestKioskAsksForNothing presses every key of a kiosk whose configuration allows actions
// elsewhere.
func TestKioskAsksForNothing(t *testing.T) {
	t.Parallel()
	s := newScripts(t, nil, hung)
	r := s.watch()
	dir := testkit.PrivateDir(t)
	x := newTerminal(t, dir, "kiosk", "--config", s.config)
	x.shows("LIVE", "next:")
	x.press(everyKey("2", ""), everyKey(enter, esc), everyKey(":dial"+enter, "y"), "q", ctrlC, "1")
	x.shows("next: Agents")
	x.press("2")
	x.shows("─ Agents ", "over a limit") // all previous keys have been handled
	x.press(chord)
	x.leaves()
	if asked, done := r.seen(), s.srv.REST().Executions(); len(asked) > 0 || len(done) > 0 {
		t.Errorf("a kiosk asked for %v, and the platform did %v", asked, done)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(s.log), "audit*")); len(left) > 0 {
		t.Errorf("there is %v", left)
	}
}
