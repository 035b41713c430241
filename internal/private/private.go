// Package private keeps the files of one user from the other users of the
// machine: it says who else could put something else in a file's place, and
// opens and makes files and folders that nobody else can use.
//
// Where the system does not tell who may do what with a file, it looks at
// nothing but symbolic links.
package private

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Problem is why a file or a folder is not safe from other users.
type Problem struct {
	Path    string
	What    string // without the path: "is open to others (mode 0664)"
	Command string // mends it: comes before the path; "" if no command does
}

// Error says what is wrong with what, and what mends it.
func (p *Problem) Error() string {
	if p.Command == "" {
		return p.Path + " " + p.What
	}
	return p.Path + " " + p.What + "; run `" + p.Command + " " + p.Path + "`"
}

// Link says that a name is a symbolic link.
func Link(path string) *Problem { return &Problem{Path: path, What: "is a symbolic link"} }

// Folder makes a folder of ours, and those above it, for us alone. One that is
// there already is closed to others if it is open to them; repaired tells so. One
// that is a link, no folder or another user's, or in a folder where others can put
// another one in its place, is a [*Problem].
func Folder(path string) (repaired bool, err error) {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return false, err //nolint:wrapcheck // the caller says what it is for
	}
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return false, err //nolint:wrapcheck // the caller says what it is for
	case info.Mode()&fs.ModeSymlink != 0:
		return false, Link(path)
	case !info.IsDir():
		return false, &Problem{Path: path, What: "is no folder"}
	}
	if p := foreign(path, info); p != nil {
		return false, p
	}
	if open(info) {
		if err := os.Chmod(path, 0o700); err != nil { //nolint:gosec // a folder
			return false, err //nolint:wrapcheck // the caller says what it is for
		}
		repaired = true
	}
	if found := Exposed(path); len(found) > 0 {
		return repaired, found[0]
	}
	return repaired, nil
}

// Append opens a file to write at its end, and makes it if it is not there. A
// regular file is closed to others; a link, or another user's file, is a
// [*Problem].
func Append(path string) (*os.File, error) {
	return own(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY)
}

// Update opens a file to read and to write, and makes it if it is not there, as
// [Append] does.
func Update(path string) (*os.File, error) {
	return own(path, os.O_CREATE|os.O_RDWR)
}

func own(path string, flag int) (*os.File, error) {
	f, err := OpenFile(path, flag)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && info.Mode().IsRegular() {
		if p := foreign(path, info); p != nil {
			err = p
		} else if open(info) {
			err = f.Chmod(0o600)
		}
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Read returns what is in a file of ours of at most so many bytes; a link, or
// another user's file, is a [*Problem].
func Read(path string, most int64) ([]byte, error) {
	f, err := OpenFile(path, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // only read from
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err //nolint:wrapcheck // the caller says what it is for
	case !info.Mode().IsRegular():
		return nil, &Problem{Path: path, What: "is not a regular file"}
	case info.Size() > most:
		return nil, fmt.Errorf("%s is larger than %d bytes", path, most)
	}
	if p := foreign(path, info); p != nil {
		return nil, p
	}
	text := make([]byte, info.Size())
	n, err := f.ReadAt(text, 0)
	if n == len(text) {
		err = nil // it may have grown
	}
	return text[:n], err
}

// Replace writes a file that is either the old or the new one, never a part, in
// a folder of ours. Whatever had the name before, nothing is written through it.
func Replace(path string, text []byte) error {
	if _, err := Folder(filepath.Dir(path)); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".new-*") // of mode 0600
	if err != nil {
		return err //nolint:wrapcheck // the caller says what it is for
	}
	_, err = f.Write(text)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // a part of it is of no use
	}
	return err //nolint:wrapcheck // the caller says what it is for
}
