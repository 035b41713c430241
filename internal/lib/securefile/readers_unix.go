//go:build unix

package securefile

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// FindReader returns a problem if other users can read a file, if it belongs to another user, or if
// it is not a regular file. It accepts a file that root shares with a service; see
// [IsSharedWithService]. With credential, root may own the file and its group may read it, like the
// credentials of systemd. FindReader returns nil if there is no problem.
func FindReader(path string, info fs.FileInfo, credential bool) *Problem {
	if !info.Mode().IsRegular() {
		return &Problem{Path: path, Text: "is not a regular file"}
	}
	if IsSharedWithService(path, info) {
		return nil
	}
	forbidden := fs.FileMode(0o077)
	if credential {
		forbidden = 0o027
	}
	if OthersPermissions(path, info)&forbidden != 0 {
		return &Problem{Path: path, Text: fmt.Sprintf("is open to others (mode %04o)", info.Mode().Perm()), FixCommand: "chmod 600"}
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return &Problem{Path: path, Text: "has no owner"}
	}
	if uid := int(stat.Uid); uid != os.Geteuid() && (!credential || uid != 0) {
		return &Problem{Path: path, Text: fmt.Sprintf("belongs to another user (uid %d)", uid), FixCommand: fmt.Sprintf("chown %d", os.Geteuid())}
	}
	return nil
}
