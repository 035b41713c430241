//go:build unix

package config

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// checkAccess returns why others than who may read the file, or nil.
func checkAccess(info fs.FileInfo, who audience) *accessError {
	if !info.Mode().IsRegular() {
		return &accessError{problem: "is not a regular file"}
	}
	mode := info.Mode().Perm()
	forbidden := fs.FileMode(0o077)
	if who == systemdCredential {
		forbidden = 0o027
	}
	if mode&forbidden != 0 {
		return &accessError{problem: fmt.Sprintf("is open to others (mode %04o)", mode), command: "chmod 600"}
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return &accessError{problem: "has no owner"}
	}
	if uid := int(stat.Uid); uid != os.Geteuid() && (who != systemdCredential || uid != 0) {
		return &accessError{problem: fmt.Sprintf("belongs to another user (uid %d)", uid), command: fmt.Sprintf("chown %d", os.Geteuid())}
	}
	return nil
}
