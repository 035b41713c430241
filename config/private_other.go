//go:build !unix

package config

import (
	"io/fs"
	"os"
)

// openNoFollow opens a file for reading.
func openNoFollow(path string) (*os.File, error) {
	return os.Open(path) //nolint:gosec,wrapcheck // the user names the file; reason takes the path out again
}

// checkAccess refuses what is not a regular file. Who may read it is not known
// here: the mode that Go makes up on such systems says nothing about it.
func checkAccess(info fs.FileInfo, _ audience) *accessError {
	if !info.Mode().IsRegular() {
		return &accessError{problem: "is not a regular file"}
	}
	return nil
}
