package cli

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"wallboard/internal/cli/cmdutil"
)

// TestAlertsTryShowsHowFarItIs checks the progress line on a terminal, which is removed at
// the end; a dumb terminal gets none.
func TestAlertsTryShowsHowFarItIs(t *testing.T) { //nolint:paralleltest // of an environment
	dir, today := recordedHour(t), configFile(t, "[ui]\n")
	pty, tty, err := openPTY()
	if err != nil {
		t.Skipf("no pseudo-terminal: %v", err)
	}
	defer pty.Close() //nolint:errcheck // the test ends
	defer tty.Close() //nolint:errcheck // the test ends
	try := func(term string) (said string) {
		t.Setenv("TERM", term)
		var out bytes.Buffer
		code := Run(t.Context(), []string{"alerts", "try", dir, "--base", today}, cmdutil.Streams{In: strings.NewReader(""), Out: &out, Err: tty})
		if code != 0 || !strings.Contains(out.String(), "longest wait") {
			t.Fatalf("%d, %q", code, out.String())
		}
		const end = "the end"
		if _, err := tty.WriteString(end); err != nil {
			t.Fatal(err)
		}
		buf := make([]byte, 4096)
		for !strings.HasSuffix(said, end) {
			n, err := pty.Read(buf)
			if err != nil {
				t.Fatal(err)
			}
			said += string(buf[:n])
		}
		return strings.TrimSuffix(said, end)
	}
	line := regexp.MustCompile(`^(\r\d\d:\d\d \[#* *\] +\d+ %)+\r\x1b\[K$`)
	if said := try("vt220"); !line.MatchString(said) {
		t.Errorf("said %q", said)
	}
	if said := try("dumb"); said != "" {
		t.Errorf("a terminal that can do nothing is told %q", said)
	}
}
