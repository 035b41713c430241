//go:build !unix

package securefile

import (
	"io/fs"
	"os"
)

// OpenFile opens a file that is not a symbolic link.
func OpenFile(path string, flag int) (*os.File, error) {
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return nil, LinkProblem(path)
	}
	return os.OpenFile(path, flag, 0o600) //nolint:gosec // the caller names the file and adds the context
}

// isOpenToOthers returns false, because the mode that Go reports on such systems is meaningless.
func isOpenToOthers(fs.FileInfo) bool { return false }

// OthersPermissions returns no permissions.
func OthersPermissions(string, fs.FileInfo) fs.FileMode { return 0 }

func ownerProblem(string, fs.FileInfo) *Problem { return nil }

// FindExposures returns no problems.
func FindExposures(string) []*Problem { return nil }
