package cli

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/lib/testkit"
)

// TestIsolatesOnATerminal writes a table and a line of text mode with Hebrew names: on a terminal the
// figures keep their columns, and scripts get the names unchanged.
func TestIsolatesOnATerminal(t *testing.T) {
	write := func(out io.Writer) {
		rows := [][]string{{"Service", "Waiting", "Level"}, {"שירות לקוחות", "12", "81.5 %"}, {"מכירות", "3", "100.0 %"}, {"Billing EN", "4", "77.0 %"}}
		if err := cmdutil.WriteTable(out, rows); err != nil {
			t.Fatal(err)
		}
		if err := cmdutil.WriteText(out, "Critical. שירות לקוחות: 13 callers waiting, 24 %.\n"); err != nil {
			t.Fatal(err)
		}
	}
	var script bytes.Buffer
	write(&script)
	if strings.Contains(script.String(), "\u200e") {
		t.Errorf("a script gets %q", script.String())
	}
	for _, term := range []string{"xterm-256color", "linux"} {
		t.Setenv("TERM", term)
		pty, tty, err := openPTY()
		if err != nil {
			t.Skipf("no pseudo-terminal: %v", err)
		}
		write(tty)
		_ = tty.Close()
		all, _ := io.ReadAll(pty) // reading ends with an error after the last byte
		_ = pty.Close()
		got := strings.ReplaceAll(string(all), "\r\n", "\n")
		if term == "linux" {
			if got != script.String() {
				t.Errorf("a plain terminal gets %q", got)
			}
			continue
		}
		lines := strings.Split(got, "\n")
		at := strings.Index(lines[0], "Waiting")
		for i, want := range []string{"12", "3", "4"} {
			shown := []rune(testkit.VisualOrder(t, lines[i+1]))
			if !strings.HasPrefix(string(shown[at:]), want+" ") {
				t.Errorf("row %d is shown as %q", i, string(shown))
			}
		}
		if shown := testkit.VisualOrder(t, lines[4]); !strings.HasSuffix(shown, ": 13 callers waiting, 24 %.") {
			t.Errorf("text mode is shown as %q", shown)
		}
	}
}
