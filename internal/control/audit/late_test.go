package audit

import (
	"os"
	"path/filepath"
	"testing"
)

// TestLate opens a log in a folder that cannot be created yet: writing a line fails until the folder can
// be created.
func TestLate(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	blocked := filepath.Join(dir, "state")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	o := Options{Path: filepath.Join(blocked, "audit.jsonl")}
	if _, err := Open(o); err == nil {
		t.Error("it opens")
	}
	o.AllowUnwritable = true
	l, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close() //nolint:errcheck // the test ends
	if _, err := l.Begin(Intent{Action: "dial"}); err == nil {
		t.Error("a line is written")
	}
	if err := os.Remove(blocked); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(blocked, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Begin(Intent{Action: "dial"}); err != nil {
		t.Error(err)
	}
}
