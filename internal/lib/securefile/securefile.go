// Package securefile protects the files of one user from other users of the machine, and from other
// programs that use the files at the same time. It opens and creates files and directories that
// only the current user can access, reports how other users could replace a file, and locks files.
// It also writes the files into an [Archive] and restores them, and writes a log with rotation.
//
// On systems other than Unix, the access rights are unknown, and the package only rejects
// symbolic links. A lock ends when the file is closed, so a program that crashes leaves no
// lock behind. On systems without flock, locking always succeeds at once.
package securefile

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/adrg/xdg"
)

// Problem describes why a file or directory is not protected from other users. It implements
// [error].
type Problem struct {
	Path       string
	Text       string // problem without the path, such as "is open to others (mode 0664)"
	FixCommand string // shell command that fixes the problem, without the path; "" if there is none
}

// Error returns the path, the problem and the command that fixes it.
func (p *Problem) Error() string {
	if p.FixCommand == "" {
		return p.Path + " " + p.Text
	}
	return p.Path + " " + p.Text + "; run `" + p.FixCommand + " " + p.Path + "`"
}

// SymlinkProblem returns a [Problem] that says that path is a symbolic link.
func SymlinkProblem(path string) *Problem { return &Problem{Path: path, Text: "is a symbolic link"} }

// CreateFolder creates a private directory and its parents. If the directory exists and other
// users can access it, CreateFolder restricts its mode and returns true for repaired. The
// error is a [*Problem] if path is a link to a directory, if the directory belongs to another
// user, or if other users could replace it.
func CreateFolder(path string) (repaired bool, err error) {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return false, err
	}
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return false, err
	case info.Mode()&fs.ModeSymlink != 0:
		return false, SymlinkProblem(path)
	case !info.IsDir():
		return false, &Problem{Path: path, Text: "is not a folder"}
	}
	if p := ownerProblem(path, info); p != nil {
		return false, p
	}
	if isOpenToOthers(info) {
		if err := os.Chmod(path, 0o700); err != nil { //nolint:gosec // a folder
			return false, err
		}
		repaired = true
	}
	if found := FindExposures(path); len(found) > 0 {
		return repaired, found[0]
	}
	return repaired, nil
}

// WithoutPath returns the cause of a [*fs.PathError], without the operation and the path. It
// returns other errors unchanged.
func WithoutPath(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	return err
}

// OpenAppend opens a file for appending, and creates it with mode 0600 if it is missing. If
// other users can access the file, OpenAppend restricts its mode. The error is a [*Problem] if
// path is a link or the file belongs to another user.
func OpenAppend(path string) (*os.File, error) {
	return openPrivate(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY)
}

// OpenUpdate is like [OpenAppend], but opens the file for reading and writing.
func OpenUpdate(path string) (*os.File, error) {
	return openPrivate(path, os.O_CREATE|os.O_RDWR)
}

func openPrivate(path string, flag int) (*os.File, error) {
	f, err := OpenFile(path, flag)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && info.Mode().IsRegular() {
		if p := ownerProblem(path, info); p != nil {
			err = p
		} else if isOpenToOthers(info) {
			err = f.Chmod(0o600)
		}
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// StatePath returns the path of a state file for one platform. name and extension are parts of
// the file name; address is the address of the platform.
func StatePath(name, address, extension string) string {
	sum := sha256.Sum256([]byte(address))
	return filepath.Join(xdg.StateHome, "wallboard", name+"-"+hex.EncodeToString(sum[:6])+extension)
}

// OpenRegular opens a regular file, whose path comes from the user, for reading. It returns an
// error for other files, such as a named pipe, which would block. OpenRegular follows links
// and does not check who can write to the file.
func OpenRegular(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) //nolint:gosec // the user names the file
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "read", Path: path, Err: errIrregular}
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// ReadRegular returns the content of a file that [OpenRegular] can open. It returns an error
// if the file is larger than maxBytes.
func ReadRegular(path string, maxBytes int64) ([]byte, error) {
	f, err := OpenRegular(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // the file is only read
	text, err := io.ReadAll(io.LimitReader(f, maxBytes+1))
	if err == nil && int64(len(text)) > maxBytes {
		err = &fs.PathError{Op: "read", Path: path, Err: fmt.Errorf("it is larger than %d bytes", maxBytes)}
	}
	if err != nil {
		return nil, err
	}
	return text, nil
}

var errIrregular = errors.New("it is not a regular file")

// Read returns the content of a private file. It returns an error if the file is larger than
// maxBytes. The error is a [*Problem] if path is a link or not a regular file, or if the file
// belongs to another user.
func Read(path string, maxBytes int64) ([]byte, error) {
	f, err := OpenFile(path, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // the file is only read
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, &Problem{Path: path, Text: "is not a regular file"}
	case info.Size() > maxBytes:
		return nil, fmt.Errorf("%s is larger than %d bytes", path, maxBytes)
	}
	if p := ownerProblem(path, info); p != nil {
		return nil, p
	}
	text := make([]byte, info.Size())
	n, err := f.ReadAt(text, 0)
	if n == len(text) {
		err = nil // ReadAt returned io.EOF, although it read everything
	}
	return text[:n], err
}

// Create writes a new file with mode 0600 by calling write, and syncs it to the disk. If the file
// exists, it returns an error that is [fs.ErrExist]. If writing fails, it removes the file.
func Create(path string, write func(*os.File) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) //nolint:gosec // the path is the caller's
	if err != nil {
		return err
	}
	if err = write(f); err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		_ = os.Remove(path) // an incomplete file is useless
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// Replace atomically writes text to the file at path. It creates the file's directory, or
// makes it private. If path is a link, Replace replaces the link and not its target.
func Replace(path string, text []byte) error {
	if _, err := CreateFolder(filepath.Dir(path)); err != nil {
		return err
	}
	return Write(path, text)
}

// Write is like [Replace], but the file's directory must exist and is not changed.
func Write(path string, text []byte) error {
	return writeNew(path, text, func(*os.File) error { return nil })
}

// ReplaceKeeping is like [Replace], but does not change an existing directory. If it replaces
// a file, the new file has the mode and the owner of the old one.
func ReplaceKeeping(path string, text []byte) error {
	if _, err := os.Stat(filepath.Dir(path)); errors.Is(err, fs.ErrNotExist) {
		return Replace(path, text)
	}
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Write(path, text)
	}
	if err != nil {
		return err
	}
	return writeNew(path, text, func(f *os.File) error {
		return errors.Join(f.Chmod(info.Mode().Perm()), copyOwner(f, info))
	})
}

// ReplaceByShared is like [Write], but shares the file with a service (see
// [ShareWithService]). It does not preserve the mode and the owner of an existing file. If the
// file cannot be shared, it replaces nothing.
func ReplaceByShared(path string, text []byte) error { return writeNew(path, text, ShareWithService) }

// writeNew writes a new file with mode 0600, calls setAccess to set its mode and owner, and renames it
// to path.
func writeNew(path string, text []byte, setAccess func(*os.File) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".new-*") // with mode 0600
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err == nil {
		err = setAccess(f)
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // a partial file is useless
	}
	return err
}
