package securefile_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"wallboard/internal/lib/securefile"
	"wallboard/internal/lib/testkit"
)

// TestCreateTempFolder checks which folders of other processes are removed.
func TestCreateTempFolder(t *testing.T) {
	t.Parallel()
	temp, now := filepath.Join(testkit.PrivateDir(t), "temp [1]*"), time.Now() // the name must not be treated as a pattern
	folder := func(name string, age time.Duration, locked bool) string {
		t.Helper()
		dir := filepath.Join(temp, name)
		if err := os.MkdirAll(filepath.Join(dir, "Milan"), 0o700); err != nil {
			t.Fatal(err)
		}
		if locked {
			if err := os.WriteFile(filepath.Join(dir, "lock"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Chtimes(dir, now.Add(-age), now.Add(-age)); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	killed, runs := folder("wallboard-demo-1", time.Hour, true), folder("wallboard-demo-2", time.Hour, true)
	begins := folder("wallboard-demo-3", time.Second, false)
	older, oldest := folder("wallboard-demo-4", time.Hour, false), folder("wallboard-demo-5", 48*time.Hour, false)
	other := folder("wallboard-test-1", 48*time.Hour, true)
	linked := filepath.Join(temp, "wallboard-demo-6")
	if err := os.Symlink(other, linked); err != nil {
		t.Fatal(err)
	}
	release, err := securefile.HoldLock(filepath.Join(runs, "lock"), 0)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	if again, err := securefile.HoldLock(filepath.Join(runs, "lock"), 0); err == nil {
		again()
		t.Skip("this system has no locks")
	}
	dir, remove, err := securefile.CreateTempFolder(temp, "wallboard-demo-", now)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{killed: false, runs: true, begins: true, older: true, oldest: false, other: true, linked: true, dir: true} {
		if _, err := os.Lstat(path); (err == nil) != want {
			t.Errorf("%s is there: %v, want %v", filepath.Base(path), err == nil, want)
		}
	}
	remove()
	if _, err := os.Lstat(dir); err == nil {
		t.Error("the folder is left")
	}
}
