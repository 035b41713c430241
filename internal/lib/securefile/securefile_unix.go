//go:build unix

package securefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// OpenFile opens the file at path. If flag contains [os.O_CREATE], it creates a missing file
// with mode 0600. It does not follow a symbolic link, and does not wait for the other end of a
// named pipe.
func OpenFile(path string, flag int) (*os.File, error) {
	f, err := os.OpenFile(path, flag|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0o600) //nolint:gosec // the caller names the file
	if errors.Is(err, syscall.ELOOP) {
		return nil, SymlinkProblem(path)
	}
	return f, err
}

// isOpenToOthers reports whether the mode of a file gives any permission to the group or to others.
func isOpenToOthers(info fs.FileInfo) bool { return info.Mode().Perm()&0o077 != 0 }

// OthersPermissions returns the group and other permissions of a file. It leaves out the group
// permissions if the current user is the only member of the group.
func OthersPermissions(path string, info fs.FileInfo) fs.FileMode {
	mode := info.Mode().Perm() & 0o077
	if mode&0o070 != 0 && isPrivateGroup(path, info) {
		mode &^= 0o070
	}
	return mode
}

// ownerProblem returns a [Problem] if a file belongs neither to the current user nor to root,
// otherwise nil.
func ownerProblem(path string, info fs.FileInfo) *Problem {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return &Problem{Path: path, Text: "has no owner"}
	}
	if uid := int(stat.Uid); uid != os.Geteuid() && uid != 0 {
		return &Problem{
			Path: path, Text: fmt.Sprintf("belongs to another user (uid %d)", uid),
			FixCommand: fmt.Sprintf("chown %d", os.Geteuid()),
		}
	}
	return nil
}

// maxLinks is the maximum number of symbolic links followed on a path.
const maxLinks = 40

// FindExposures returns the problems that let other users change or replace a file. The file, the
// directories above it and the links on the path must belong to the current user or root, and other
// users must not be able to write to them. A group without another member counts as the current
// user (see [OthersPermissions]). Sticky directories such as /tmp, where users can remove only
// their own files, may be writable for all. FindExposures ignores files that it cannot examine.
func FindExposures(path string) []*Problem {
	full, err := filepath.Abs(path)
	if err != nil {
		return nil
	}
	w := pathWalker{dir: "/", remaining: strings.Split(full, "/")}
	w.inspect("/")
	for more := true; more && len(w.remaining) > 0; {
		more = w.step()
	}
	return w.problems
}

// pathWalker follows a path from the root, including the targets of links, and collects problems.
type pathWalker struct {
	dir       string   // a folder without links in its path
	remaining []string // remaining path elements
	links     int      // number of links followed
	problems  []*Problem
}

// step goes to the next path element. It returns false if the element cannot be examined, or
// is a link that cannot be followed.
func (w *pathWalker) step() bool {
	name := w.remaining[0]
	w.remaining = w.remaining[1:]
	switch name {
	case "", ".":
		return true
	case "..":
		w.dir = filepath.Dir(w.dir)
		return true
	}
	next := filepath.Join(w.dir, name)
	info := w.inspect(next)
	if info == nil {
		return false
	}
	if info.Mode()&fs.ModeSymlink == 0 {
		w.dir = next
		return true
	}
	target, err := os.Readlink(next)
	if w.links++; err != nil || w.links > maxLinks {
		return false
	}
	if filepath.IsAbs(target) {
		w.dir = "/"
	}
	w.remaining = append(strings.Split(target, "/"), w.remaining...)
	return true
}

// inspect examines a file, directory or link and records its problem, if any. It returns nil
// if it cannot examine the path.
func (w *pathWalker) inspect(path string) fs.FileInfo {
	info, err := os.Lstat(path)
	if err != nil {
		return nil
	}
	for _, known := range w.problems {
		if known.Path == path {
			return info
		}
	}
	mode := info.Mode()
	if p := ownerProblem(path, info); p != nil {
		w.problems = append(w.problems, p)
	} else if mode&fs.ModeSymlink == 0 && (!mode.IsDir() || mode&fs.ModeSticky == 0) && OthersPermissions(path, info)&0o022 != 0 {
		w.problems = append(w.problems, &Problem{
			Path: path, Text: fmt.Sprintf("can be changed by others (mode %04o)", mode.Perm()), FixCommand: "chmod go-w",
		})
	}
	return info
}

// serviceGroup returns the group of the directory that contains the file at path. ok is false
// unless root has prepared the directory for a service: it belongs to root and to another
// group, which can enter but not change it, and other users cannot change it.
func serviceGroup(path string) (gid uint32, ok bool) {
	info, err := os.Stat(filepath.Dir(path))
	if err != nil {
		return 0, false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok || stat.Uid != 0 || stat.Gid == 0 || info.Mode().Perm()&0o072 != 0o050 {
		return 0, false
	}
	return stat.Gid, true
}

// IsSharedWithService reports whether a file belongs to root and only the group of its directory
// has access besides root, at most to read it. Root must have prepared the directory for a service.
func IsSharedWithService(path string, info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok || stat.Uid != 0 || info.Mode().Perm()&0o037 != 0 {
		return false
	}
	gid, ok := serviceGroup(path)
	return ok && gid == stat.Gid
}

// ServiceGroup returns the name of the group that can read a file shared with a service, or ""
// if the file is not shared.
func ServiceGroup(path string) string {
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm()&0o040 == 0 || !IsSharedWithService(path, info) {
		return ""
	}
	gid, _ := serviceGroup(path)
	id := strconv.FormatUint(uint64(gid), 10)
	if group, err := user.LookupGroupId(id); err == nil {
		return group.Name
	}
	return id
}

// ShareWithService lets the group of the directory read an open file if root writes the file into a
// directory prepared for a service, such as /etc/wallboard. Otherwise it changes nothing.
func ShareWithService(f *os.File) error {
	gid, ok := serviceGroup(f.Name())
	if !ok || os.Geteuid() != 0 {
		return nil
	}
	if err := errors.Join(f.Chown(0, int(gid)), f.Chmod(0o640)); err != nil {
		return fmt.Errorf("let the service read the file: %w", err)
	}
	return nil
}

// copyOwner gives a file the owner and the group of another file.
func copyOwner(f *os.File, original fs.FileInfo) error {
	if stat, ok := original.Sys().(*syscall.Stat_t); ok {
		return f.Chown(int(stat.Uid), int(stat.Gid))
	}
	return nil
}
