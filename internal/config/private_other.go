//go:build !unix

package config

import "io/fs"

// checkAccess returns a problem if the file is not a regular file. It does not check who may read
// the file, because the mode that Go reports on these systems is meaningless.
func checkAccess(_ string, info fs.FileInfo, _ audience) *accessError {
	if !info.Mode().IsRegular() {
		return &accessError{problem: "is not a regular file"}
	}
	return nil
}
