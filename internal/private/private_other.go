//go:build !unix

package private

import (
	"io/fs"
	"os"
)

// OpenFile opens a file that is no symbolic link.
func OpenFile(path string, flag int) (*os.File, error) {
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return nil, Link(path)
	}
	return os.OpenFile(path, flag, 0o600) //nolint:gosec,wrapcheck // the caller names the file, and says what it is for
}

// Who may do what with a file is not known here: the mode that Go makes up on
// such systems says nothing about it.

func open(fs.FileInfo) bool { return false }

// Others returns what a file lets other users do.
func Others(string, fs.FileInfo) fs.FileMode { return 0 }

func foreign(string, fs.FileInfo) *Problem { return nil }

// Exposed returns what lets other users change what stands in a file.
func Exposed(string) []*Problem { return nil }
