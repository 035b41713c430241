package cmdutil

import (
	"io"
	"io/fs"
	"os"
	"sync"

	"gopkg.in/natefinch/lumberjack.v2"

	"wallboard/internal/config"
)

// logState holds the open log and the reason why it cannot be written, if any.
type logState struct {
	mu             sync.Mutex
	log            *logFile // nil: not open
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

// logFile is an [io.Writer] for a log. It writes to a file with rotation, to a device, to
// standard error or, before open is called, to nothing. If another program renames or removes
// the file, logFile creates a new one. It is safe for concurrent use.
type logFile struct {
	mu        sync.Mutex
	path      string
	ownFolder bool // the folder belongs to the program, so its permissions may be changed
	file      io.WriteCloser
	lastSeen  fs.FileInfo // identifies the file when it was last written; nil before the first write
}

// open switches the log to the destination in the configuration. After an error, the log keeps its
// destination. repaired reports whether open has restricted the permissions of the log's directory.
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

// writeTo switches the log to w. It never closes w.
func (l *logFile) writeTo(w io.Writer) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.release()
	l.path, l.file = "", nopCloser{w}
}

// nopCloser is a writer whose Close does nothing.
type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

// release closes the current destination of the log. The caller must hold mu.
func (l *logFile) release() {
	if l.file != nil {
		_ = l.file.Close() // no data is lost, because every line is written at once
	}
	l.file, l.lastSeen = nil, nil
}

// Write implements [io.Writer]. Without a destination it discards b.
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
		_ = rotated.Close() // the next write opens the new file
		if _, err := checkLogFile(l.path, l.ownFolder); err != nil {
			return 0, err
		}
	}
	n, err := rotated.Write(b)
	l.lastSeen, _ = os.Lstat(l.path) // nil if the file was removed again
	return n, err
}

// reopen makes the next write open the file by its name again.
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
