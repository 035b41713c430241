package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"wallboard/internal/lib/securefile"
	"wallboard/internal/lib/textnorm"
)

// permittedReaders defines which users may read the file of a secret.
type permittedReaders int

const (
	ownerOnly         permittedReaders = iota // only the current user
	systemdCredential                         // the current user, root and the group of the file
)

// accessError means that the permissions of a file do not protect a secret, or that the file is not
// a regular file.
type accessError struct {
	problem string
	command string // command that fixes the problem, without the path; "": none
}

func (e *accessError) Error() string { return e.problem }

func (e *accessError) remedy(path string) string {
	if e.command == "" {
		return "name a regular file"
	}
	return "run `" + e.command + " " + textnorm.QuoteShellWord(path) + "`"
}

// checkExposure adds a problem to key for each file, directory or link through which other users
// could change the file at path.
func (r *report) checkExposure(key, path string) {
	r.addExposures(key, path, securefile.FindExposures(path))
}

// addExposures adds to key the given problems of the file at path, or of directories and links on
// the path.
func (r *report) addExposures(key, path string, problems []*securefile.Problem) {
	file, line := r.place(r.keyInFile(key))
	for _, p := range problems {
		problem := "is not safe from other users: it "
		if p.Path != path {
			problem = "is not safe from other users: " + p.Path + " "
		}
		r.problems = append(r.problems, Problem{
			File: file, Line: line, Key: r.keyInFile(key), Problem: problem + p.Text,
			Remedy: (&accessError{command: p.FixCommand}).remedy(p.Path),
		})
	}
}

// CheckDir returns an error if other users can change a directory or link on path, so that [Load]
// would refuse the file at path. The error is of type [Errors].
func CheckDir(path string) error {
	r := newReport(path, nil)
	r.addExposures("", path, securefile.FindExposures(filepath.Dir(path)))
	return r.err()
}

// checkAccess returns a problem if users other than readers can read the file; see
// [securefile.FindReader]. It returns nil if there is no problem.
func checkAccess(path string, info fs.FileInfo, readers permittedReaders) *accessError {
	if p := securefile.FindReader(path, info, readers == systemdCredential); p != nil {
		return &accessError{problem: p.Text, command: p.FixCommand}
	}
	return nil
}

// readPrivate returns the content of a file with a secret. It returns an [accessError] if users other than
// readers have access, or if path is a symbolic link. It checks the permissions after opening the file,
// because the name could have referred to another file before.
func readPrivate(path string, readers permittedReaders) ([]byte, error) {
	f, err := securefile.OpenFile(path, os.O_RDONLY)
	var link *securefile.Problem
	if errors.As(err, &link) {
		return nil, &accessError{problem: link.Text}
	}
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // only read from
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("stat secret file: %w", err)
	}
	if problem := checkAccess(path, info, readers); problem != nil {
		return nil, problem
	}
	return readAtMost(f, maxSecretBytes)
}

// readText returns the content of a file without its byte order mark. If the file is longer than
// limit bytes, it returns an error.
func readText(path string, limit int64) (string, error) {
	f, err := openNonblocking(path)
	if err != nil {
		return "", err
	}
	defer f.Close() //nolint:errcheck // only read from
	raw, err := readAtMost(f, limit)
	return textnorm.DecodeText(raw), err
}

// pipeTimeout limits how long a read waits for data from a pipe.
const pipeTimeout = 2 * time.Second

// openNonblocking opens a file for reading. If the file is a pipe, it does not wait for a writer,
// and reads fail after pipeTimeout.
func openNonblocking(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) //nolint:gosec // the user names the file
	if err != nil {
		return nil, err
	}
	_ = f.SetReadDeadline(time.Now().Add(pipeTimeout)) // not supported for regular files
	return f, nil
}

func readAtMost(f *os.File, limit int64) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(text)) > limit {
		return nil, errTooLong
	}
	return text, nil
}
