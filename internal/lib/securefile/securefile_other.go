//go:build !unix

package securefile

import (
	"io/fs"
	"os"
)

// OpenFile opens the file at path. If flag contains [os.O_CREATE], it creates a missing file
// with mode 0600. It returns an error for a symbolic link.
func OpenFile(path string, flag int) (*os.File, error) {
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return nil, SymlinkProblem(path)
	}
	return os.OpenFile(path, flag, 0o600) //nolint:gosec // the caller names the file and adds the context
}

// isOpenToOthers returns false, because the mode that Go reports on systems other than Unix has
// no meaning.
func isOpenToOthers(fs.FileInfo) bool { return false }

// OthersPermissions returns no permissions, because they are unknown on systems other than Unix.
func OthersPermissions(string, fs.FileInfo) fs.FileMode { return 0 }

func ownerProblem(string, fs.FileInfo) *Problem { return nil }

// FindExposures returns no problems, because access rights are unknown on systems other than Unix.
func FindExposures(string) []*Problem { return nil }

// ServiceGroup returns "", because this system has no groups with which a file could be shared.
func ServiceGroup(string) string { return "" }

// ShareWithService changes nothing on this system.
func ShareWithService(*os.File) error { return nil }

// copyOwner does nothing, because owners are unknown on systems other than Unix.
func copyOwner(*os.File, fs.FileInfo) error { return nil }
