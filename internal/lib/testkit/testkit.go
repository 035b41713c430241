package testkit

import (
	"os"
	"os/signal"
	"path/filepath"
	"testing"

	"github.com/adrg/xdg"
)

// PrivateDir returns a new temporary directory that only its owner can use.
// [testing.TB.TempDir] does not suffice: the mode of its directory depends on the umask, and
// the program rejects files in a directory that other users can change.
func PrivateDir(tb testing.TB) string {
	tb.Helper()
	dir := tb.TempDir()
	if err := os.Chmod(dir, 0o700); err != nil { //nolint:gosec // a directory
		tb.Fatal(err)
	}
	return dir
}

// setHome sets up a new, empty home directory in the environment of the test process, because
// tests must not use the files of the user who runs them. Package xdg reads the new
// environment. remove deletes the directory.
func setHome() (remove func(), err error) {
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
	if err := os.Mkdir(filepath.Join(dir, "Downloads"), 0o700); err != nil { // otherwise programs save into the folder of the test
		return nil, err
	}
	xdg.Reload()
	return func() { _ = os.RemoveAll(dir) }, nil // if this fails, the system removes the directory some day
}

// RunInHome runs the tests of a package with a new, empty home directory and deletes it afterwards.
func RunInHome(m *testing.M) {
	remove, err := setHome()
	if err != nil {
		panic(err)
	}
	defer remove()
	m.Run()
}

// GoalFactor returns the factor by which a benchmark may exceed its time goal: 1, or 4 with
// -short. Continuous integration uses -short, because its machines may be slow or busy. An
// algorithm with a worse complexity still exceeds a factor of 4.
func GoalFactor() float64 {
	if testing.Short() {
		return 4
	}
	return 1
}

// StartSignalHandling starts the signal handling of the Go runtime. TestMain must call it
// before any bubble of testing/synctest exists. Otherwise the first use of signals within a
// bubble would bind channels of the runtime to that bubble, and a signal from outside the
// bubble would end the process.
func StartSignalHandling() {
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt)
	signal.Stop(c)
}
