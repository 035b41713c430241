package testkit

import (
	"os"
	"os/signal"
	"path/filepath"
	"testing"
)

// PrivateDir returns a new directory, like [testing.TB.TempDir], that only its owner can
// use. The mode of TempDir depends on the user's umask, and the product refuses files in a
// directory that others can change.
func PrivateDir(tb testing.TB) string {
	tb.Helper()
	dir := tb.TempDir()
	if err := os.Chmod(dir, 0o700); err != nil { //nolint:gosec // a directory
		tb.Fatal(err)
	}
	return dir
}

// SetHome sets a separate home directory for the test process, so that no test uses the files
// of the user who runs it, and returns a function that removes it. Code that has read the
// environment before must read it again.
func SetHome() (remove func(), err error) {
	dir, err := os.MkdirTemp("", "wallboard-test")
	if err != nil {
		return nil, err
	}
	for name, below := range map[string]string{
		"HOME": "", "USERPROFILE": "", "LOCALAPPDATA": "local", "APPDATA": "roaming", "XDG_CONFIG_HOME": "config",
		"XDG_CACHE_HOME": "cache", "XDG_DATA_HOME": "data", "XDG_STATE_HOME": "state",
	} {
		if err := os.Setenv(name, filepath.Join(dir, below)); err != nil {
			return nil, err
		}
	}
	return func() { _ = os.RemoveAll(dir) }, nil // otherwise the system removes it some day
}

// GoalFactor returns the factor by which a benchmark may miss its goal: 1, or 4 with -short,
// which continuous integration passes because its machines may be slow or busy. A change to
// a slower algorithm still exceeds a factor of 4.
func GoalFactor() float64 {
	if testing.Short() {
		return 4
	}
	return 1
}

// StartSignalHandling starts the runtime's handling of signals. The first use of signals in a
// bubble of testing/synctest would bind the runtime's channels to that bubble, and a signal
// outside of it would end the process, so TestMain calls it before any bubble exists.
func StartSignalHandling() {
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt)
	signal.Stop(c)
}
