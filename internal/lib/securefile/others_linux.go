package securefile

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// maxAccountFileSize is the maximum size of a user or group file in bytes.
const maxAccountFileSize = 16 << 20

// isPrivateGroup reports whether the group of a file is the primary group of the current user
// and has no other member. Many distributions create such a group for each user and set the
// umask to 002. isPrivateGroup returns false for a file with an access control list, because
// the list changes the meaning of the group bits.
func isPrivateGroup(path string, info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return false
	}
	if _, err := syscall.Getxattr(path, "system.posix_acl_access", nil); !errors.Is(err, syscall.ENODATA) && !errors.Is(err, syscall.EOPNOTSUPP) {
		return false
	}
	users, err := readAccountFile("/etc/passwd")
	if err != nil {
		return false
	}
	groups, err := readAccountFile("/etc/group")
	if err != nil {
		return false
	}
	return isSoleMember(users, groups, os.Geteuid(), int(stat.Gid))
}

func readAccountFile(path string) ([]byte, error) {
	f, err := os.Open(path) //nolint:gosec // one of two constant paths
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // the file is only read
	text, err := io.ReadAll(io.LimitReader(f, maxAccountFileSize+1))
	if err == nil && len(text) > maxAccountFileSize {
		err = fs.ErrInvalid
	}
	return text, err
}

// isSoleMember reports whether gid is the primary group of the user uid and has no other member.
// users and groups are the contents of /etc/passwd and /etc/group. isSoleMember returns false for
// users and groups of a directory service, because it cannot list their members.
func isSoleMember(users, groups []byte, uid, gid int) bool {
	id, group := strconv.Itoa(uid), strconv.Itoa(gid)
	var names []string
	for line := range bytes.Lines(users) {
		f := strings.Split(strings.TrimSpace(string(line)), ":")
		switch {
		case strings.HasPrefix(f[0], "+"): // the file includes users of a directory service
			return false
		case len(f) < 4:
		case f[2] == id && f[3] == group:
			names = append(names, f[0])
		case f[2] == id || f[3] == group:
			return false
		}
	}
	known := false
	for line := range bytes.Lines(groups) {
		f := strings.Split(strings.TrimSpace(string(line)), ":")
		switch {
		case strings.HasPrefix(f[0], "+"):
			return false
		case len(f) < 4 || f[2] != group:
		case slices.ContainsFunc(strings.Split(f[3], ","), func(m string) bool { return m != "" && !slices.Contains(names, m) }):
			return false
		default:
			known = true
		}
	}
	return known && len(names) > 0
}
