package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestBoardStartsWithoutState makes the state folder unusable: a board, a kiosk and the
// demo start and say that nothing is logged or saved.
func TestBoardStartsWithoutState(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{"board": nil, "kiosk": {"kiosk"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "wallboard"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
			s := newScripts(t, nil, quiet())
			text, err := os.ReadFile(s.config)
			if err != nil {
				t.Fatal(err)
			}
			rewrite(t, s.config, string(withoutTables(text, "audit", "log")))
			x := newTerminal(t, dir, append(args, "--config", s.config)...)
			x.shows("Nothing is logged or saved")
			if err := x.cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			x.leaves()
		})
	}
}

// withoutTables removes tables from a configuration.
func withoutTables(text []byte, names ...string) []byte {
	out, skip := []byte(nil), false
	for line := range bytes.Lines(text) {
		if len(line) > 0 && line[0] == '[' {
			skip = false
			for _, name := range names {
				skip = skip || string(line) == "["+name+"]\n"
			}
		}
		if !skip {
			out = append(out, line...)
		}
	}
	return out
}
