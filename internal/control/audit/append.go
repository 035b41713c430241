package audit

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strconv"
	"time"

	"wallboard/internal/lib/securefile"
)

// appendLine sets the time, the number and, if it is missing, the ID of a line, and then writes the
// line to disk.
func (l *Log) appendLine(ln *line, at time.Time) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.seq++
	ln.Seq, ln.Time = l.seq, at.UTC().Format(timeLayout)
	if ln.ID == "" {
		ln.ID = l.options.Session + "-" + strconv.FormatUint(l.seq, 10)
	}
	if err := l.writeLine(ln); err != nil {
		return fmt.Errorf("write the audit file: %w", err)
	}
	return nil
}

// writeLine appends one line to the file, with the hash of the previous line, while holding the
// file's lock. It first rotates a file that the line would make larger than the maximum size.
func (l *Log) writeLine(ln *line) error {
	size, err := l.lockCurrent()
	if err != nil {
		return err
	}
	defer l.unlock()
	ln.Previous = chainStart // a placeholder with the length of a hash, for computing the size of the line
	b, err := ln.encode()
	if err != nil {
		return err
	}
	if size > 0 && size+int64(len(b)) > l.options.MaxSize {
		if err := l.rotate(); err != nil {
			// Rotating failed. A file that is too large is better than an action that is not
			// recorded.
			l.options.Logger.Warn("the audit file could not be renamed", "error", err)
		} else if size, err = l.lockCurrent(); err != nil {
			return err
		}
	}
	last, torn, err := l.lastLine(size)
	if err != nil {
		return err
	}
	ln.Previous = last
	if b, err = ln.encode(); err != nil {
		return err
	}
	hash := HashLine(b)
	if torn {
		b = append([]byte{'\n'}, b...)
	}
	if _, err := l.file.Write(b); err != nil {
		return err
	}
	if err := l.file.Sync(); err != nil {
		return err
	}
	l.endOffset, l.lastLineHash = size+int64(len(b)), hash
	l.storeHead(Head{Time: ln.Time, ID: ln.ID, Phase: string(ln.Phase), Hash: hash})
	if size == 0 {
		return l.syncDir()
	}
	return nil
}

// maxLockTries is how often lockCurrent tries to lock the file. A try fails if another program renames
// the file meanwhile.
const maxLockTries = 20

// lockTimeout is how long to wait for another program's lock.
const lockTimeout = 5 * time.Second

// lockCurrent opens and locks the file that currently has the name of the audit file, and returns
// its size in bytes. If another program renames the file before it is locked, lockCurrent tries
// again.
func (l *Log) lockCurrent() (int64, error) {
	if err := l.openFolder(); err != nil {
		return 0, err
	}
	for range maxLockTries {
		if err := l.openFile(); err != nil {
			return 0, err
		}
		if err := securefile.Lock(l.file, lockTimeout); err != nil {
			return 0, err
		}
		ours, err := l.file.Stat()
		if err != nil {
			l.unlock()
			return 0, err
		}
		named, err := l.root.Lstat(l.name)
		if err == nil && os.SameFile(ours, named) {
			return ours.Size(), nil
		}
		if cerr := l.closeFile(); cerr != nil {
			return 0, cerr
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return 0, err
		}
	}
	return 0, errors.New("the file is renamed continuously")
}

func (l *Log) openFile() error {
	if l.file != nil {
		return nil
	}
	f, err := securefile.OpenFile(l.options.Path, os.O_RDWR|os.O_APPEND|os.O_CREATE)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &securefile.Problem{Path: l.options.Path, Text: "is not a regular file"}
	}
	if err != nil {
		return errors.Join(err, f.Close())
	}
	if info.Mode().Perm()&0o077 != 0 {
		// The file contains names and actions. If another user owns the file, Chmod fails, and the
		// owner decides who may read it.
		_ = f.Chmod(0o600)
	}
	l.file = f
	return nil
}

// rotate adds one to the number of each older generation, renames the locked file to generation 1
// and closes it.
func (l *Log) rotate() error {
	for n := l.options.MaxGenerations; n > 1; n-- {
		err := l.root.Rename(generationName(l.name, n-1), generationName(l.name, n))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if err := l.root.Rename(l.name, generationName(l.name, 1)); err != nil {
		return err
	}
	return l.closeFile()
}

// generationName returns the name of the n-th generation of renamed files. Generation 1 is the
// newest.
func generationName(name string, n int) string { return name + "." + strconv.Itoa(n) }

// syncDir flushes the directory entry to disk.
func (l *Log) syncDir() error {
	dir, err := l.root.Open(".")
	if err != nil {
		return err
	}
	if runtime.GOOS != "windows" { // Windows cannot sync a directory
		err = dir.Sync()
	}
	return errors.Join(err, dir.Close())
}

// unlock releases the lock of the file. A closed file has already released its lock.
func (l *Log) unlock() {
	if l.file != nil {
		securefile.Unlock(l.file)
	}
}

func (l *Log) closeFile() error {
	f := l.file
	if f == nil {
		return nil
	}
	l.file, l.lastLineHash = nil, ""
	return f.Close()
}
