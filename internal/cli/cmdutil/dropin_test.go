package cmdutil

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"wallboard/internal/config"
	"wallboard/internal/lib/testkit"
)

// TestDropInChanges checks that a new, a changed and a removed file in conf.d are changes of the
// configuration, and that the folder is watched even before it exists.
func TestDropInChanges(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(testkit.PrivateDir(t), "site [1]*") // not a pattern
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	s := &Setup{ConfigPath: filepath.Join(dir, "config.toml"), Options: func() config.Options { return config.Options{} }}
	site := filepath.Join(dir, "conf.d", "milan.toml")
	writeFile := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	writeFile(s.ConfigPath, "[ui]\nmouse = false\n")
	for _, step := range []struct {
		name   string
		change func() error
	}{
		{"new", func() error { writeFile(site, "[ui]\nsite = \"Milan\"\n"); return nil }},
		{"changed", func() error { writeFile(site, "[ui]\nsite = \"Milan North\"\n"); return nil }},
		{"removed", func() error { return os.Remove(site) }},
	} {
		if _, err := s.LoadAll(true); err != nil {
			t.Fatal(err)
		}
		if s.HasConfigChanged() || !slices.Contains(s.WatchedFiles(), filepath.Dir(site)) {
			t.Errorf("before %s: changed, or not watched: %q", step.name, s.WatchedFiles())
		}
		if err := os.MkdirAll(filepath.Dir(site), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := step.change(); err != nil {
			t.Fatal(err)
		}
		if !s.HasConfigChanged() {
			t.Errorf("%s is no change", step.name)
		}
	}
}
