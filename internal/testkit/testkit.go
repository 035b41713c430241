// Package testkit holds what tests of several packages share. It starts no
// goroutines.
package testkit

import (
	"os"
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
