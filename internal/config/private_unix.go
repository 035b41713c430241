//go:build unix

package config

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"wallboard/internal/lib/securefile"
)

// checkAccess returns a problem if users other than readers can read the file, if it belongs to
// another user, or if it is not a regular file. Otherwise it returns nil. It accepts a file that
// root shares with a service; see [securefile.IsSharedWithService].
func checkAccess(path string, info fs.FileInfo, readers permittedReaders) *accessError {
	if !info.Mode().IsRegular() {
		return &accessError{problem: "is not a regular file"}
	}
	if securefile.IsSharedWithService(path, info) {
		return nil
	}
	forbidden := fs.FileMode(0o077)
	if readers == systemdCredential {
		forbidden = 0o027
	}
	if securefile.OthersPermissions(path, info)&forbidden != 0 {
		return &accessError{problem: fmt.Sprintf("is open to others (mode %04o)", info.Mode().Perm()), command: "chmod 600"}
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return &accessError{problem: "has no owner"}
	}
	if uid := int(stat.Uid); uid != os.Geteuid() && (readers != systemdCredential || uid != 0) {
		return &accessError{problem: fmt.Sprintf("belongs to another user (uid %d)", uid), command: fmt.Sprintf("chown %d", os.Geteuid())}
	}
	return nil
}
