package cli

import (
	"bytes"
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/lib/testkit"
)

// decoy is a listener that counts connections and closes them.
func decoy(t *testing.T) (addr string, came *atomic.Int32) {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	came = new(atomic.Int32)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			came.Add(1)
			_ = c.Close()
		}
	}()
	t.Cleanup(func() { _ = l.Close(); <-ended })
	return l.Addr().String(), came
}

// hijack returns the configuration with the address of a decoy and with a command that creates the file
// mark.
func (s *scripts) hijack(addr, mark string) string {
	s.t.Helper()
	b, err := os.ReadFile(s.config)
	if err != nil {
		s.t.Fatal(err)
	}
	old := strings.TrimPrefix(s.srv.HTTPURL(), "http://")
	old, _, _ = strings.Cut(old, "/")
	return strings.ReplaceAll(string(b), old, addr) +
		"[[notify]]\nname = \"evil\"\ndefault = true\nseverity = \"warning\"\ncommand = [\"touch\", \"" + mark + "\"]\n"
}

// TestChangedAddressAsksFirst changes the address under an open board: nothing is sent
// there before the viewer types its name.
func TestChangedAddressAsksFirst(t *testing.T) {
	t.Parallel()
	s := newScripts(t, nil)
	addr, came := decoy(t)
	x := newTerminal(t, testkit.PrivateDir(t), "--config", s.config)
	x.shows("LIVE")
	rewrite(t, s.config, s.hijack(addr, "/nonexistent/mark"))
	x.shows("Another address", "Type "+addr+" to continue", "would be sent to another address", "rtd.url: http://"+addr)
	x.press("y", "n", enter, esc)
	x.until("the question is gone", func(s string) bool { return !strings.Contains(s, "Type ") })
	x.shows("LIVE", "history.url): confirm it on the board", "The changed configuration is not applied")
	if n := came.Load(); n != 0 {
		t.Fatalf("without an answer the board went there %d times", n)
	}
	if err := x.cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	x.shows("Type " + addr + " to continue")
	if n := came.Load(); n != 0 {
		t.Fatalf("without an answer the board went there %d times", n)
	}
	x.press(addr, enter, enter)
	x.until("the board goes there", func(string) bool { return came.Load() > 0 })
}

// TestChangedAddressNeedsANewStart changes the address and a notification command where no
// viewer can be asked: neither takes effect.
func TestChangedAddressNeedsANewStart(t *testing.T) {
	t.Parallel()
	for begun, args := range map[string][]string{"Nothing needs action.": {"--plain", "--every", "0"}, "": {"status", "--follow"}} {
		t.Run(args[0], func(t *testing.T) {
			t.Parallel()
			s := newScripts(t, nil, quiet())
			addr, came := decoy(t)
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			var errs lockedBuffer
			changed := false
			out := onLine(func(line string) {
				if !changed && strings.Contains(line, begun) {
					changed = true
					rewrite(t, s.config, s.hijack(addr, "/nonexistent/mark"))
				}
				if strings.Contains(line, "restart to accept it.") {
					cancel()
				}
			})
			errs.on = func(text string) {
				if strings.Contains(text, "would be sent to another address") {
					cancel()
				}
			}
			Run(ctx, append(args, "--config", s.config), cmdutil.Streams{In: strings.NewReader(""), Out: out, Err: &errs})
			if n := came.Load(); n != 0 {
				t.Errorf("it went there %d times", n)
			}
			if ctx.Err() == context.DeadlineExceeded {
				t.Errorf("it says nothing: %s", errs.b.String())
			}
		})
	}
}

// lockedBuffer stores output and signals writes.
type lockedBuffer struct {
	b  bytes.Buffer
	on func(string)
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.on(string(p))
	return l.b.Write(p)
}

// TestAddedCommandIsNotRun adds a notification command under a running board: it waits for
// a restart, and the board says so.
func TestAddedCommandIsNotRun(t *testing.T) {
	t.Parallel()
	dir := testkit.PrivateDir(t)
	own, evil := filepath.Join(dir, "own"), filepath.Join(dir, "evil")
	target := func(name, mark string) string {
		return "[[notify]]\nname = \"" + name + "\"\ndefault = true\ncommand = [\"/usr/bin/env\", \"touch\", \"" + mark + "\"]\n"
	}
	s := newScripts(t, nil, quiet(), target("own", own))
	add, _ := s.edit(target("evil", evil))
	raise, _ := s.edit(target("evil", evil) + alwaysAlert("disaster", "critical"))
	x := newTerminal(t, testkit.PrivateDir(t), "--notify", "--config", s.config)
	x.shows("LIVE")
	add()
	x.shows("except for new targets in [[notify]]")
	raise()
	x.shows("▲ 1") // the alert for which the command would run
	x.press("q")
	x.leaves()
	if _, err := os.Stat(evil); err == nil {
		t.Error("the added command was run")
	}
}
