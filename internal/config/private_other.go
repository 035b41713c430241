//go:build !unix

package config

import "io/fs"

// checkAccess returns a problem if the file is not a regular file. It does not check which users
// can read the file, because the file mode has no meaning on these systems.
func checkAccess(_ string, info fs.FileInfo, _ permittedReaders) *accessError {
	if !info.Mode().IsRegular() {
		return &accessError{problem: "is not a regular file"}
	}
	return nil
}
