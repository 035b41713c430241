//go:build unix

package audit

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"wallboard/internal/lib/testkit"
)

// TestLinksAreNotFollowed checks that links in place of the file and its older generations are neither
// written to nor read.
func TestLinksAreNotFollowed(t *testing.T) {
	t.Parallel()
	dir := testkit.PrivateDir(t)
	path, victim := filepath.Join(dir, "audit.jsonl"), filepath.Join(dir, "victim")
	if err := os.WriteFile(victim, []byte("mine\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("victim", path); err != nil { // even a link within the folder is refused
		t.Fatal(err)
	}
	if l, err := Open(Options{Path: path}); err == nil || !strings.Contains(err.Error(), "is a symbolic link") {
		t.Errorf("opened %v: %v", l, err)
	}
	for e, err := range Read(path, Filter{}) {
		if err == nil || !strings.Contains(err.Error(), "is a symbolic link") {
			t.Errorf("read %+v: %v", e, err)
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	l := openLog(t, path, nil)
	for _, to := range []string{"victim", "nothing"} { // the file is replaced by a link after it was opened
		_ = os.Remove(path)
		if err := os.Symlink(to, path); err != nil {
			t.Fatal(err)
		}
		if _, err := l.Begin(Intent{Action: "dial"}); err == nil || !strings.Contains(err.Error(), "is a symbolic link") {
			t.Errorf("an intent was written through a link: %v", err)
		}
	}
	if _, err := os.Lstat(filepath.Join(dir, "nothing")); err == nil {
		t.Error("a file was made through a link")
	}
	if b, err := os.ReadFile(victim); err != nil || string(b) != "mine\n" {
		t.Errorf("the file that it leads to is %q %v", b, err)
	}
}

// TestFolderOfOthersIsRefused checks that a folder that another user can change is refused, because this
// user could replace the file.
func TestFolderOfOthersIsRefused(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(testkit.PrivateDir(t), "open")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(Options{Path: filepath.Join(dir, "audit.jsonl")}); err == nil || !strings.Contains(err.Error(), "chmod go-w") {
		t.Errorf("%v", err)
	}
}
