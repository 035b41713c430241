package command

import (
	"io"
	"io/fs"
	"os"
	"sync"

	"gopkg.in/natefinch/lumberjack.v2"

	"wallboard/config"
)

// logging is the log that a program has opened, and what is wrong with it.
type logging struct {
	mu      sync.Mutex
	log     *logFile // nil: none was opened
	trouble string
}

func (l *logging) set(f *logFile, trouble string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.log, l.trouble = f, trouble
}

func (l *logging) file() *logFile {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.log
}

func (l *logging) said() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.trouble
}

// logFile is where a log is written: a file that is put aside when it has grown to its
// limit, a device, standard error or, to begin with, nowhere. A file that has lost its name
// is closed, and a new one begun. Its methods are safe for concurrent use.
type logFile struct {
	mu    sync.Mutex
	path  string
	own   bool // in a folder of ours
	file  io.WriteCloser
	named fs.FileInfo // the file that had the name last; nil before the first look
}

// open writes to the file that the configuration names from now on. With an error nothing
// changes.
func (l *logFile) open(c *config.Log) (repaired bool, err error) {
	path, own := c.Path(), c.File == ""
	if repaired, err = checkLogFile(path, own); err != nil {
		return repaired, err
	}
	var next io.WriteCloser
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
		const mebibyte = 1 << 20
		next = &lumberjack.Logger{Filename: path, MaxSize: int((c.MaxSize + mebibyte - 1) / mebibyte), MaxBackups: c.Keep, LocalTime: true}
	} else if next, err = os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0); err != nil { //nolint:gosec // a device that the user names
		return repaired, err //nolint:wrapcheck // moveLog says what it is about
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.let()
	l.path, l.own, l.file = path, own, next
	return repaired, nil
}

// writeTo writes to w from now on, which is not closed.
func (l *logFile) writeTo(w io.Writer) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.let()
	l.path, l.file = "", unclosed{w}
}

// unclosed is a writer that stays open.
type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }

// let lets go of what is written to. The caller holds mu.
func (l *logFile) let() {
	if l.file != nil {
		_ = l.file.Close() // every line was written at once
	}
	l.file, l.named = nil, nil
}

// Write implements [io.Writer]. What goes nowhere is not an error.
func (l *logFile) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		return len(b), nil
	}
	rotated, is := l.file.(*lumberjack.Logger)
	if !is {
		return l.file.Write(b) //nolint:wrapcheck // of a writer as it is
	}
	if now, err := os.Lstat(l.path); l.named != nil && (err != nil || !os.SameFile(now, l.named)) {
		_ = rotated.Close() // it opens the file of the name again
		if _, err := checkLogFile(l.path, l.own); err != nil {
			return 0, err
		}
	}
	n, err := rotated.Write(b)
	l.named, _ = os.Lstat(l.path) // nil where it is gone again
	return n, err                 //nolint:wrapcheck // of a writer as it is
}

// reopen opens the file of the name again with the next line.
func (l *logFile) reopen() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if rotated, is := l.file.(*lumberjack.Logger); is {
		_ = rotated.Close() // every line was written at once
	}
}

func (l *logFile) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.let()
}
