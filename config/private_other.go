//go:build !unix

package config

import "io/fs"

// checkAccess refuses what is not a regular file. Who may read it is not known
// here: the mode that Go makes up on such systems says nothing about it.
func checkAccess(_ string, info fs.FileInfo, _ audience) *accessError {
	if !info.Mode().IsRegular() {
		return &accessError{problem: "is not a regular file"}
	}
	return nil
}
