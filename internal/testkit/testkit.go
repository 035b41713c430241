// Package testkit holds what tests of several packages share. It starts no
// goroutines.
package testkit

import (
	"os"
	"path/filepath"
	"testing"
)

// PrivateDir returns a new directory, as [testing.TB.TempDir] does, that only its
// owner can use. TempDir leaves the mode to the umask of the user, and the product
// refuses files in a directory that others can change.
func PrivateDir(tb testing.TB) string {
	tb.Helper()
	dir := tb.TempDir()
	if err := os.Chmod(dir, 0o700); err != nil { //nolint:gosec // a directory
		tb.Fatal(err)
	}
	return dir
}

// Home gives the test process a home directory of its own, so that no test reads or
// writes the files of the user who runs it, and returns a function that removes the
// directory. Whatever has read the environment before must read it again.
func Home() (remove func(), err error) {
	dir, err := os.MkdirTemp("", "wallboard-test")
	if err != nil {
		return nil, err //nolint:wrapcheck // the caller ends with it
	}
	for name, below := range map[string]string{
		"HOME": "", "USERPROFILE": "", "LOCALAPPDATA": "local", "APPDATA": "roaming", "XDG_CONFIG_HOME": "config",
		"XDG_CACHE_HOME": "cache", "XDG_DATA_HOME": "data", "XDG_STATE_HOME": "state",
	} {
		if err := os.Setenv(name, filepath.Join(dir, below)); err != nil {
			return nil, err //nolint:wrapcheck // likewise
		}
	}
	return func() { _ = os.RemoveAll(dir) }, nil // the system clears it up one day
}
