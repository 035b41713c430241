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

	"wallboard/internal/private"
)

// audience is who may read a file with a secret.
type audience int

const (
	ownerOnly         audience = iota // us, and nobody else
	systemdCredential                 // also root's, and readable by its group
)

// accessError is a file that people other than its audience could read or
// have written, or that is no regular file.
type accessError struct {
	problem string
	command string // mends it: comes before the path; "" if no command does
}

func (e *accessError) Error() string { return e.problem }

func (e *accessError) remedy(path string) string {
	if e.command == "" {
		return "name a regular file"
	}
	return "run `" + e.command + " " + shellWord(path) + "`"
}

// exposed tells of every file, folder and link by which other users could change
// what a file says.
func (r *report) exposed(key, path string) { r.unsafe(key, path, private.Exposed(path)) }

// unsafe reports what lets other users change a file.
func (r *report) unsafe(key, path string, by []*private.Problem) {
	for _, p := range by {
		what := "is not safe from other users: it "
		if p.Path != path {
			what = "is not safe from other users: " + p.Path + " "
		}
		r.problems = append(r.problems, Problem{
			File: r.file, Line: r.lines.of(r.at(key)), Key: r.at(key), Problem: what + p.What,
			Remedy: (&accessError{command: p.Command}).remedy(p.Path),
		})
	}
}

// CheckPlace returns why [Load] would refuse a new file at path, whatever is in it:
// other users can change a folder or a link on the way there. The error, if any, is
// [Errors].
func CheckPlace(path string) error {
	r := newReport(path, nil)
	r.unsafe("", path, private.Exposed(filepath.Dir(path)))
	return r.err()
}

// readPrivate reads a secret's file. It asks the open file, not the name, who
// may read it: the name could be another file a moment later.
func readPrivate(path string, who audience) ([]byte, error) {
	f, err := private.OpenFile(path, os.O_RDONLY)
	var link *private.Problem
	if errors.As(err, &link) {
		return nil, &accessError{problem: link.What}
	}
	if err != nil {
		return nil, err //nolint:wrapcheck // reason takes the path out again
	}
	defer f.Close() //nolint:errcheck // only read from
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("stat secret file: %w", err)
	}
	if open := checkAccess(path, info, who); open != nil {
		return nil, open
	}
	return readAtMost(f, maxSecret)
}

// readLimited reads a file that may not be larger than limit bytes.
func readLimited(path string, limit int64) ([]byte, error) {
	f, err := openNow(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // only read from
	return readAtMost(f, limit)
}

// pipeTime is how long the other end of a pipe may take to write.
const pipeTime = 2 * time.Second

// openNow opens a file to read, and does not wait for the other end of a pipe: what is not
// written in time cannot be read.
func openNow(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) //nolint:gosec // the user names the file
	if err != nil {
		return nil, err //nolint:wrapcheck // reason takes the path out again
	}
	_ = f.SetReadDeadline(time.Now().Add(pipeTime)) // a regular file has none
	return f, nil
}

func readAtMost(f *os.File, limit int64) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, err //nolint:wrapcheck // reason takes the path out again
	}
	if int64(len(text)) > limit {
		return nil, errTooLong
	}
	return text, nil
}

// reason returns why a file could not be read, without its name.
func reason(err error) string {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		err = pathErr.Err
	}
	return err.Error()
}
