package config

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"wallboard/internal/lib/securefile"
	"wallboard/internal/lib/textnorm"
)

// audience says which users may be able to read the file of a secret.
type audience int

const (
	ownerOnly         audience = iota // only the current user
	systemdCredential                 // also root and the group of the file
)

// accessError means that the access rights of a file do not protect a secret, or that the file is
// not a regular file.
type accessError struct {
	problem string
	command string // command that fixes the problem, without the path; "" if there is none
}

func (e *accessError) Error() string { return e.problem }

func (e *accessError) remedy(path string) string {
	if e.command == "" {
		return "name a regular file"
	}
	return "run `" + e.command + " " + quoteShellWord(path) + "`"
}

// checkExposure adds problems to key: one for each file, folder or link through which other users
// could change the file at path.
func (r *report) checkExposure(key, path string) {
	r.addExposures(key, path, securefile.FindExposures(path))
}

// addExposures adds problems about the file at path, or about a folder or link on the path, to key.
func (r *report) addExposures(key, path string, problems []*securefile.Problem) {
	for _, p := range problems {
		problem := "is not safe from other users: it "
		if p.Path != path {
			problem = "is not safe from other users: " + p.Path + " "
		}
		r.problems = append(r.problems, Problem{
			File: r.file, Line: r.lines.LineOf(r.keyInFile(key)), Key: r.keyInFile(key), Problem: problem + p.Text,
			Remedy: (&accessError{command: p.FixCommand}).remedy(p.Path),
		})
	}
}

// CheckDir returns an error if [Load] would refuse every file at path, because other users can
// change a folder or link on the path. The error is of type [Errors].
func CheckDir(path string) error {
	r := newReport(path, nil)
	r.addExposures("", path, securefile.FindExposures(filepath.Dir(path)))
	return r.err()
}

// readPrivate returns the content of a secret's file, or an [accessError] if users other than
// readers have access. It checks the access rights of the open file, because another file could
// have the name by then.
func readPrivate(path string, readers audience) ([]byte, error) {
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

// readText returns the text of a file, with or without a byte order mark. A file of more than limit
// bytes is an error.
func readText(path string, limit int64) (string, error) {
	f, err := openNonblocking(path)
	if err != nil {
		return "", err
	}
	defer f.Close() //nolint:errcheck // only read from
	raw, err := readAtMost(f, limit)
	return textnorm.DecodeText(raw), err
}

// pipeTimeout is how long to wait for the data of a pipe.
const pipeTimeout = 2 * time.Second

// openNonblocking opens a file for reading. If the file is a pipe, it does not wait for a writer,
// and reading fails after pipeTimeout.
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
