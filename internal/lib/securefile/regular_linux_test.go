package securefile

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestReadRegular reads a file, also through a link, and other things that a path may name.
// A pipe without a writer must not block.
func TestReadRegular(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	for _, err := range []error{
		os.WriteFile(in("file"), []byte("text"), 0o600), os.Symlink("file", in("link")),
		syscall.Mkfifo(in("pipe"), 0o600), os.Mkdir(in("folder"), 0o700),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"file", "link"} {
		if text, err := ReadRegular(in(name), 4); err != nil || string(text) != "text" {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
	for path, want := range map[string]string{
		in("pipe"): "not a regular file", in("folder"): "not a regular file", os.DevNull: "not a regular file", in("missing"): "no such file",
	} {
		if _, err := ReadRegular(path, 4); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := ReadRegular(in("file"), 3); err == nil || !strings.Contains(err.Error(), "larger than 3 bytes") {
		t.Errorf("a large file: %v", err)
	}
}
