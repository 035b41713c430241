package cmdutil

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"wallboard/internal/lib/testkit"
)

// checkFile checks the content of a file and that only its owner can read it.
func checkFile(t *testing.T, path, want string) {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != want || info.Mode().Perm() != 0o600 {
		t.Errorf("%s has %q with mode %v, %v", path, text, info.Mode(), err)
	}
}

// TestWriteOutput checks that an existing file becomes private, and that links and special files are
// written to and not replaced.
func TestWriteOutput(t *testing.T) {
	t.Parallel()
	dir := testkit.PrivateDir(t)
	path, link := filepath.Join(dir, "a.md"), filepath.Join(dir, "link.md")
	if err := errors.Join(os.WriteFile(path, []byte("a longer text of before"), 0o600), os.Chmod(path, 0o644), os.Symlink(path, link)); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{path, filepath.Join(dir, "new.md"), link} {
		if err := WriteOutput(io.Discard, file, "text\n"); err != nil {
			t.Fatal(err)
		}
		checkFile(t, file, "text\n")
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is %v, %v", info, err)
	}
	if err := WriteOutput(io.Discard, os.DevNull, "text\n"); err != nil {
		t.Error(err)
	}
	var out strings.Builder
	if err := WriteOutput(&out, "", "text\n"); err != nil || out.String() != "text\n" {
		t.Errorf("%q, %v", out.String(), err)
	}
	if err := WriteOutput(io.Discard, filepath.Join(dir, "missing", "a.md"), "text\n"); err == nil {
		t.Error("there is no folder")
	}
}

// TestCreateFile checks that existing files are kept, and that incomplete ones are removed.
func TestCreateFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(testkit.PrivateDir(t), "a.zip")
	write := func(text string, fails error) func(*os.File) error {
		return func(f *os.File) error {
			_, err := f.WriteString(text)
			return errors.Join(err, fails)
		}
	}
	full := errors.New("no space")
	if err := CreateFile(path, "", write("a", full)); !errors.Is(err, full) {
		t.Error(err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("an incomplete file is left")
	}
	if err := CreateFile(path, "", write("a", nil)); err != nil {
		t.Fatal(err)
	}
	var usage UsageError
	if err := CreateFile(path, "; never replaced", write("b", nil)); !errors.As(err, &usage) || !strings.Contains(err.Error(), "a.zip exists; never replaced") {
		t.Error(err)
	}
	checkFile(t, path, "a")
}
