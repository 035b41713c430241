//go:build unix

package commands

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
	"testing"

	"wallboard/internal/config"
	"wallboard/ui/setup"
)

// TestSetupKeepsMode replaces a configuration that a group may read.
func TestSetupKeepsMode(t *testing.T) {
	t.Parallel()
	for storage, want := range map[setup.Storage]os.FileMode{setup.InFile: 0o640, setup.InEnvironment: 0o640, setup.InClear: 0o600} {
		b := newTestBackend(t)
		group := writeForGroup(t, b.path)
		if _, err := b.Write(testAnswers(storage), setup.Result{}); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(b.path)
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("storage %d: %v, %v", storage, info.Mode(), err)
		}
		if want == 0o640 && groupOf(info) != group {
			t.Errorf("storage %d: group %d, want %d", storage, groupOf(info), group)
		}
		if info, err := os.Stat(b.path + ".old"); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("the old configuration: %v, %v", info, err)
		}
	}
}

// TestInitKeepsMode runs config init --force over a configuration that a group may read.
func TestInitKeepsMode(t *testing.T) {
	t.Parallel()
	b := newTestBackend(t)
	group := writeForGroup(t, b.path)
	i := &initializer{Setup: b.setup, initFlags: initFlags{output: b.path, force: true, auth: config.AuthLogin}}
	i.Streams.Out = io.Discard
	if err := i.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(b.path)
	if err != nil || info.Mode().Perm() != 0o640 || groupOf(info) != group {
		t.Errorf("%v, group %d, want %d: %v", info.Mode(), groupOf(info), group, err)
	}
}

// writeForGroup writes a file with mode 0640 and, if the user may choose it, another group. It
// returns the group.
func writeForGroup(t *testing.T, path string) uint32 {
	t.Helper()
	if err := errors.Join(os.WriteFile(path, []byte("read_only = true\n"), 0o600), os.Chmod(path, 0o640)); err != nil {
		t.Fatal(err)
	}
	_ = os.Chown(path, -1, 65534)
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return groupOf(info)
}

// groupOf returns the group of a file.
func groupOf(info fs.FileInfo) uint32 { return info.Sys().(*syscall.Stat_t).Gid }
