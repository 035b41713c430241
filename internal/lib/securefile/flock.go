package securefile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// ErrLocked means that another program has locked the file.
var ErrLocked = errors.New("another program has locked it")

// pollInterval is the interval between attempts to lock.
const pollInterval = 5 * time.Millisecond

// Lock locks a file against other programs and other open files. It waits at most for the
// given time, because a program that was stopped while holding the lock must not block all
// others; then the error is [ErrLocked]. With 0 it tries once.
func Lock(f *os.File, wait time.Duration) error { return lockWithin(f, exclusive, wait) }

// LockShared is like [Lock], but several programs can hold a shared lock at the same time.
func LockShared(f *os.File, wait time.Duration) error { return lockWithin(f, shared, wait) }

// HoldLock creates a file and locks it like [Lock], until release is called. It creates missing
// folders.
func HoldLock(path string, wait time.Duration) (release func(), err error) {
	k, err := LockPath(path, wait)
	if err != nil {
		return nil, err
	}
	return k.Release, nil
}

// PathLock is a held lock on a named file. A nil PathLock holds none.
type PathLock struct {
	file *os.File
	path string
}

// LockPath is like [HoldLock] for callers that check later whether the lock is still effective: a
// lock on a file that was removed or replaced excludes nobody.
func LockPath(path string, wait time.Duration) (*PathLock, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("lock: %w", err)
	}
	file, err := OpenUpdate(path)
	if err != nil {
		return nil, fmt.Errorf("lock: %w", err)
	}
	if err := Lock(file, wait); err != nil {
		_ = file.Close() // the file is empty
		return nil, err
	}
	return &PathLock{file, path}, nil
}

// IsEffective reports whether the name still refers to the locked file.
func (k *PathLock) IsEffective() bool {
	if k == nil {
		return false
	}
	lockedInfo, err := k.file.Stat()
	if err != nil {
		return false
	}
	pathInfo, err := os.Lstat(k.path)
	return err == nil && os.SameFile(lockedInfo, pathInfo)
}

// Release releases the lock.
func (k *PathLock) Release() {
	if k != nil {
		_ = k.file.Close() // the file is empty
	}
}

func lockWithin(f *os.File, how lockMode, wait time.Duration) error {
	ticker := time.NewTicker(pollInterval)
	defer ticker.Stop()
	for remaining := wait; ; remaining -= pollInterval {
		if err := tryLock(f, how); !errors.Is(err, ErrLocked) || remaining <= 0 {
			return err
		}
		<-ticker.C
	}
}
