//go:build unix

package admin

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"wallboard/internal/config"
	"wallboard/internal/words"
	"wallboard/ui/setup"
)

// TestSetupKeepsMode replaces a configuration that a group may read.
func TestSetupKeepsMode(t *testing.T) {
	t.Parallel()
	for storage, want := range map[setup.Storage]os.FileMode{setup.InFile: 0o640, setup.InEnvironment: 0o640, setup.InConfiguration: 0o600} {
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
	i := &ConfigCreator{Options: b.options, Example: b.example, Output: b.path, Force: true, Auth: config.AuthLogin}
	if _, err := i.Write(t.Context()); err != nil {
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

// TestInitTellsReadersOfSecret checks what config init says about the readers of a secret: in a private
// folder, and, as root, in a folder for a service.
func TestInitTellsReadersOfSecret(t *testing.T) {
	t.Parallel()
	for gid, want := range map[int]string{0: "; only you can read it.\n", 4242: "; only root and the group 4242 can read it.\n"} {
		b := newTestBackend(t)
		if gid != 0 {
			if os.Geteuid() != 0 {
				t.Skip("needs root")
			}
			if dir := filepath.Dir(b.path); errors.Join(os.Chmod(dir, 0o750), os.Chown(dir, 0, gid)) != nil {
				t.Skip("owners cannot be changed")
			}
		}
		var errs strings.Builder
		i := &ConfigCreator{
			Options: b.options, Example: b.example, Log: &errs, Output: b.path, Auth: config.AuthLogin, URL: "https://host.example/rtd", User: "anna",
			SecretFile: "password", Secret: "typed password",
		}
		if _, err := i.Write(t.Context()); err != nil || !strings.HasSuffix(errs.String(), want) {
			t.Errorf("group %d: %q, %v", gid, errs.String(), err)
		}
	}
}

// TestSetupAsRootForAService writes into a folder that root has prepared for a service, like
// /etc/wallboard: the folder's group can read the configuration and the secret, and root can load them.
// The previous configuration becomes private.
func TestSetupAsRootForAService(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("needs root")
	}
	const gid = 4242
	for storage, secretPath := range map[setup.Storage]string{setup.InFile: "password", setup.InConfiguration: "config.toml"} {
		b := newTestBackend(t)
		dir := filepath.Dir(b.path)
		if err := errors.Join(os.MkdirAll(dir, 0o750), os.Chmod(dir, 0o750), os.Chown(dir, 0, gid)); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(os.WriteFile(b.path, []byte("read_only = true\n"), 0o600), os.Chmod(b.path, 0o640), os.Chown(b.path, 0, gid)); err != nil {
			t.Fatal(err)
		}
		lines, err := b.Write(testAnswers(storage), setup.Result{})
		if err != nil {
			t.Fatal(err)
		}
		for name, want := range map[string]os.FileMode{secretPath: 0o640, "config.toml": 0o640, "config.toml.old": 0o600} {
			info, err := os.Stat(filepath.Join(dir, name))
			if err != nil || info.Mode().Perm() != want || want == 0o640 && groupOf(info) != gid {
				t.Errorf("storage %d, %s: %v, %v", storage, name, info.Mode(), err)
			}
		}
		if _, err := config.Load(b.path, config.Options{}); err != nil {
			t.Errorf("storage %d: %v", storage, err)
		}
		if all := strings.Join(words.AllIn(lines, nil), "\n"); storage == setup.InFile && !strings.Contains(all, "only root and the group 4242 can read it") {
			t.Error(all)
		}
		// A secret that another group can read is refused.
		if err := os.Chown(filepath.Join(dir, secretPath), 0, gid+1); err != nil {
			t.Fatal(err)
		}
		if _, err := config.Load(b.path, config.Options{}); err == nil || !strings.Contains(err.Error(), "is open to others (mode 0640)") {
			t.Errorf("storage %d, another group: %v", storage, err)
		}
	}
}
