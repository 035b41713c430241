package cmdutil

import (
	"io"
	"io/fs"
	"os"
	"sync"

	"gopkg.in/natefinch/lumberjack.v2"

	"wallboard/internal/config"
)

// logState holds the open log and its current problem.
type logState struct {
	mu             sync.Mutex
	log            *logFile // nil: not opened
	currentProblem string
}

func (l *logState) set(f *logFile, trouble string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.log, l.currentProblem = f, trouble
}

func (l *logState) file() *logFile {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.log
}

func (l *logState) problem() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.currentProblem
}

// logFile writes a log to its destination: a file with rotation, a device, standard error or,
// initially, none. If the file is renamed or removed, logFile creates a new one. It is safe for
// concurrent use.
type logFile struct {
	mu        sync.Mutex
	path      string
	ownFolder bool // the folder belongs to the program
	file      io.WriteCloser
	lastSeen  fs.FileInfo // file last seen at path; nil before the first write
}

// open switches the log to the file in the configuration. On an error the log is unchanged.
// repaired is true if the permissions of the log's folder were restricted.
func (l *logFile) open(c *config.Log) (repaired bool, err error) {
	path, ownFolder := c.Path(), c.File == ""
	if repaired, err = checkLogFile(path, ownFolder); err != nil {
		return repaired, err
	}
	var next io.WriteCloser
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
		const mebibyte = 1 << 20
		next = &lumberjack.Logger{Filename: path, MaxSize: int((c.MaxSize + mebibyte - 1) / mebibyte), MaxBackups: c.Keep, LocalTime: true}
	} else if next, err = os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0); err != nil { //nolint:gosec // a device configured by the user
		return repaired, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.release()
	l.path, l.ownFolder, l.file = path, ownFolder, next
	return repaired, nil
}

// writeTo switches the log to w. The log never closes w.
func (l *logFile) writeTo(w io.Writer) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.release()
	l.path, l.file = "", nopCloser{w}
}

// nopCloser is a writer whose Close does nothing.
type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

// release closes the current destination of the log. The caller holds mu.
func (l *logFile) release() {
	if l.file != nil {
		_ = l.file.Close() // every line is written at once
	}
	l.file, l.lastSeen = nil, nil
}

// Write implements [io.Writer]. Without a destination it discards the text.
func (l *logFile) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		return len(b), nil
	}
	rotated, isRotated := l.file.(*lumberjack.Logger)
	if !isRotated {
		return l.file.Write(b)
	}
	if now, err := os.Lstat(l.path); l.lastSeen != nil && (err != nil || !os.SameFile(now, l.lastSeen)) {
		_ = rotated.Close() // the next write opens the file by name again
		if _, err := checkLogFile(l.path, l.ownFolder); err != nil {
			return 0, err
		}
	}
	n, err := rotated.Write(b)
	l.lastSeen, _ = os.Lstat(l.path) // nil if the file is gone again
	return n, err
}

// reopen makes the next write open the file by its name.
func (l *logFile) reopen() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if rotated, isRotated := l.file.(*lumberjack.Logger); isRotated {
		_ = rotated.Close() // every line is written at once
	}
}

func (l *logFile) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.release()
}
