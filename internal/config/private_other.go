//go:build !unix

package config

import "io/fs"

// checkAccess refuses files that are not regular. It does not check readers, because the
// mode that Go reports on these systems is meaningless.
func checkAccess(_ string, info fs.FileInfo, _ audience) *accessError {
	if !info.Mode().IsRegular() {
		return &accessError{problem: "is not a regular file"}
	}
	return nil
}
