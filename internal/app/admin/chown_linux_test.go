package admin

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"golang.org/x/sys/unix"

	"wallboard/ui/setup"
)

// dropChown removes the right to change owners from the thread of the test, which ends with the test.
func dropChown(t *testing.T) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs root")
	}
	runtime.LockOSThread()
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var sets [2]unix.CapUserData
	if err := unix.Capget(&header, &sets[0]); err != nil {
		t.Fatal(err)
	}
	sets[0].Effective &^= 1 << unix.CAP_CHOWN
	if err := unix.Capset(&header, &sets[0]); err != nil {
		t.Fatal(err)
	}
}

// TestSetupKeepsConfigurationThatCannotBeShared replaces a configuration as root in a container in which
// root may not change owners. The service could not read the new file, so the old one is kept.
func TestSetupKeepsConfigurationThatCannotBeShared(t *testing.T) {
	t.Parallel()
	b := newTestBackend(t)
	dir := filepath.Dir(b.path)
	const old = "read_only = true\n"
	if err := errors.Join(os.Chmod(dir, 0o750), os.WriteFile(b.path, []byte(old), 0o600)); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(dir, 0, 4242); err != nil {
		t.Skip(err)
	}
	dropChown(t)
	for _, storage := range []setup.Storage{setup.InConfiguration, setup.InFile} {
		if _, err := b.Write(testAnswers(storage), setup.Result{}); !errors.Is(err, os.ErrPermission) {
			t.Errorf("storage %d: %v", storage, err)
		}
		if text, err := os.ReadFile(b.path); err != nil || string(text) != old {
			t.Errorf("storage %d: the configuration is %q, %v", storage, text, err)
		}
		if got := filesIn(t, dir); !slices.Equal(got, []string{"config.toml"}) {
			t.Errorf("storage %d: the folder has %q", storage, got)
		}
	}
}
