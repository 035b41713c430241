package app

import (
	"os"
	"path/filepath"
	"testing"

	"wallboard/internal/lib/testkit"
)

func TestSaveFile(t *testing.T) {
	t.Parallel()
	dir := testkit.PrivateDir(t)
	for _, tt := range []struct{ name, want string }{
		{"shift.md", "shift.md"},
		{"shift.md", "shift-2.md"}, // an existing file is not replaced
		{"shift.md", "shift-3.md"},
		{"none", "none"},
		{"../../etc/passwd", "passwd"}, // only the last part of the path is used
		{"/x/day.csv", "day.csv"},
	} {
		path, err := SaveFile(dir, tt.name, []byte(tt.want))
		if want := filepath.Join(dir, tt.want); err != nil || path != want {
			t.Errorf("%s is saved as %s, want %s: %v", tt.name, path, want, err)
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil || string(text) != tt.want {
			t.Errorf("%s holds %q: %v", path, text, err)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s can be read by others: %v, %v", path, info.Mode(), err)
		}
	}
	if path, err := SaveFile(filepath.Join(dir, "gone"), "x.csv", nil); err == nil {
		t.Errorf("a file is saved where there is no directory: %s", path)
	}
}
