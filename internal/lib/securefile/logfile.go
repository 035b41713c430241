package securefile

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"gopkg.in/natefinch/lumberjack.v2"
)

// LogFile is an [io.Writer] for a log. It writes to a file with rotation, to a device, to
// standard error or, before [LogFile.Open], to nothing. If another program renames or removes
// the file, LogFile creates a new one. It is safe for concurrent use.
type LogFile struct {
	mu        sync.Mutex
	path      string
	ownFolder bool // the folder belongs to the program, so its permissions may be changed
	file      io.WriteCloser
	lastSeen  fs.FileInfo // identifies the file when it was last written; nil before the first write
}

// LogOptions are the settings of a log file.
type LogOptions struct {
	OwnFolder bool  // the folder belongs to the program, so its permissions may be changed
	MaxSize   int64 // size in bytes at which the file is rotated
	Keep      int   // number of rotated files
}

// Open switches the log to the file or device at path. After an error, the log keeps its destination.
// repaired reports whether Open has restricted the permissions of the log's directory.
func (l *LogFile) Open(path string, o LogOptions) (repaired bool, err error) {
	if repaired, err = checkLog(path, o.OwnFolder); err != nil {
		return repaired, err
	}
	var next io.WriteCloser
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
		const mebibyte = 1 << 20
		next = &lumberjack.Logger{Filename: path, MaxSize: int((o.MaxSize + mebibyte - 1) / mebibyte), MaxBackups: o.Keep, LocalTime: true}
	} else if next, err = os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0); err != nil { //nolint:gosec // a device configured by the user
		return repaired, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.release()
	l.path, l.ownFolder, l.file = path, o.OwnFolder, next
	return repaired, nil
}

// Redirect switches the log to w. It never closes w.
func (l *LogFile) Redirect(w io.Writer) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.release()
	l.path, l.file = "", nopCloser{w}
}

// nopCloser is a writer whose Close does nothing.
type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

// release closes the current destination of the log. The caller must hold mu.
func (l *LogFile) release() {
	if l.file != nil {
		_ = l.file.Close() // no data is lost, because every line is written at once
	}
	l.file, l.lastSeen = nil, nil
}

// Write implements [io.Writer]. Without a destination it discards b.
func (l *LogFile) Write(b []byte) (int, error) {
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
		if _, err := checkLog(l.path, l.ownFolder); err != nil {
			return 0, err
		}
	}
	n, err := rotated.Write(b)
	l.lastSeen, _ = os.Lstat(l.path) // nil if the file was removed again
	return n, err
}

// Reopen makes the next write open the file by its name again.
func (l *LogFile) Reopen() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if rotated, isRotated := l.file.(*lumberjack.Logger); isRotated {
		_ = rotated.Close() // every line is written at once
	}
}

// Close closes the destination. Later lines are discarded.
func (l *LogFile) Close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.release()
}

// checkLog creates a log file and its directory if they are missing, and makes the file private.
// It returns an error if the file belongs to another user, or if it is a link, because another
// user's link could redirect the log.
//
// If the permissions of the directory are too wide, checkLog returns an error. If
// ownFolder is true, it restricts the permissions instead and returns true for repaired.
func checkLog(path string, ownFolder bool) (repaired bool, err error) {
	dir := filepath.Dir(path)
	if ownFolder {
		repaired, err = CreateFolder(dir)
	} else if err = os.MkdirAll(dir, 0o700); err == nil {
		if found := FindExposures(dir); len(found) > 0 {
			err = found[0]
		}
	}
	if err != nil {
		return repaired, err
	}
	f, err := OpenAppend(path)
	if err != nil {
		return repaired, err
	}
	return repaired, f.Close()
}
