// Package securefile protects the files of one user from other users of the machine, and
// locks them against other programs. It reports how others could replace a file, and opens
// and creates files and folders that only this user can access.
//
// On systems where access rights are not known, it only checks for symbolic links. A lock
// ends with the open file, so a program that dies leaves none behind. On systems without
// flock every lock succeeds at once.
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

// Problem is a reason why a file or folder is not safe from other users.
type Problem struct {
	Path       string
	Text       string // without the path: "is open to others (mode 0664)"
	FixCommand string // command that fixes it, without the path; "" if there is none
}

// Error describes the problem and the command that fixes it.
func (p *Problem) Error() string {
	if p.FixCommand == "" {
		return p.Path + " " + p.Text
	}
	return p.Path + " " + p.Text + "; run `" + p.FixCommand + " " + p.Path + "`"
}

// LinkProblem returns the problem of a path that is a symbolic link.
func LinkProblem(path string) *Problem { return &Problem{Path: path, Text: "is a symbolic link"} }

// CreateFolder creates a private folder and the folders above it. If the folder exists and is
// accessible to others, it restricts the mode and sets repaired. A link, a file, another
// user's folder, or a folder that others could replace is a [*Problem].
func CreateFolder(path string) (repaired bool, err error) {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return false, err
	}
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return false, err
	case info.Mode()&fs.ModeSymlink != 0:
		return false, LinkProblem(path)
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

// OpenAppend opens a file for appending and creates it if necessary. It restricts the mode of a
// regular file. A link or another user's file is a [*Problem].
func OpenAppend(path string) (*os.File, error) {
	return openOwn(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY)
}

// OpenUpdate opens a file for reading and writing, and is otherwise like [Append].
func OpenUpdate(path string) (*os.File, error) {
	return openOwn(path, os.O_CREATE|os.O_RDWR)
}

func openOwn(path string, flag int) (*os.File, error) {
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

// StatePath returns the path of a file about the platform at an address, in the folder for the state
// of this program.
func StatePath(name, address, extension string) string {
	sum := sha256.Sum256([]byte(address))
	return filepath.Join(xdg.StateHome, "wallboard", name+"-"+hex.EncodeToString(sum[:6])+extension)
}

// ReadRegular returns the content of a regular file that the user names, of at most maxBytes
// bytes. It follows links, and does not check who can write the file.
func ReadRegular(path string, maxBytes int64) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) //nolint:gosec // the user names the file
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // only read from
	if info, err := f.Stat(); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "read", Path: path, Err: errIrregular}
	}
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

// Read returns the content of a private file of at most maxBytes bytes. A link or another
// user's file is a [*Problem].
func Read(path string, maxBytes int64) ([]byte, error) {
	f, err := OpenFile(path, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // only read from
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
		err = nil // it may have grown meanwhile
	}
	return text[:n], err
}

// Replace writes a file atomically in a private folder. It replaces an existing link
// instead of writing through it.
func Replace(path string, text []byte) error {
	if _, err := CreateFolder(filepath.Dir(path)); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".new-*") // with mode 0600
	if err != nil {
		return err
	}
	_, err = f.Write(text)
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
