package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/simulator/webservice"
)

// TestInitAsksForThePassword types a password: it is not echoed and stored in a separate
// file.
func TestInitAsksForThePassword(t *testing.T) {
	t.Parallel()
	s := newScripts(t, nil)
	dir := testkit.PrivateDir(t)
	path := filepath.Join(dir, "config.toml")
	x := newTerminal(t, dir, "config", "init", "--url", s.srv.HTTPURL(), "--user", webservice.DefaultAccount().Username, "--output", path)
	for tick := time.NewTicker(10 * time.Millisecond); ; <-tick.C { // until the terminal no longer echoes input
		state, err := unix.IoctlGetTermios(int(x.pty.Fd()), unix.TCGETS)
		if err != nil {
			t.Fatal(err)
		}
		if state.Lflag&unix.ECHO == 0 {
			break
		}
	}
	x.press(canaryPassword + enter)
	x.waitForEnd()
	if x.err != nil {
		t.Fatalf("%v: %s", x.err, x.errs.String())
	}
	if strings.Contains(x.text()+x.errs.String(), canaryPassword) {
		t.Error("the password is shown")
	}
	kept, err := os.ReadFile(filepath.Join(dir, "password"))
	if err != nil || strings.TrimSpace(string(kept)) != canaryPassword {
		t.Errorf("kept is %q, %v", kept, err)
	}
	s.config = path
	if code, _, errs := s.run("", "dump"); code != cmdutil.ExitOK {
		t.Errorf("dump ends with %d: %s", code, errs)
	}
}
