package securefile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// ErrLocked means that another program, or another open file of this program, holds the lock
// of a file.
var ErrLocked = errors.New("another program has locked it")

// pollInterval is the interval between attempts to lock a file.
const pollInterval = 5 * time.Millisecond

// Lock locks a file exclusively, against other programs and other open files of this program. While
// the file is locked, Lock retries; after wait it returns [ErrLocked]. A program that was stopped
// while it held the lock therefore does not block others forever. If wait is 0, Lock tries once.
func Lock(f *os.File, wait time.Duration) error { return lockWithin(f, exclusive, wait) }

// LockShared is like [Lock], but several programs can hold a shared lock at the same time.
func LockShared(f *os.File, wait time.Duration) error { return lockWithin(f, shared, wait) }

// HoldLock opens the file at path and locks it like [Lock]. It creates the file and its
// directories if they are missing. release releases the lock.
func HoldLock(path string, wait time.Duration) (release func(), err error) {
	k, err := LockPath(path, wait)
	if err != nil {
		return nil, err
	}
	return k.Release, nil
}

// PathLock is a lock on the file at a path. A nil PathLock is not locked.
type PathLock struct {
	file *os.File
	path string
}

// LockPath is like [HoldLock], but returns a [PathLock]. Its IsEffective method reports whether the
// lock still excludes other programs, which ends when the file is removed or replaced.
func LockPath(path string, wait time.Duration) (*PathLock, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("lock: %w", err)
	}
	file, err := OpenUpdate(path)
	if err != nil {
		return nil, fmt.Errorf("lock: %w", err)
	}
	if err := Lock(file, wait); err != nil {
		_ = file.Close() // nothing was written, so the error does not matter
		return nil, err
	}
	return &PathLock{file, path}, nil
}

// IsEffective reports whether the locked file is still the file at its path. It returns false
// for a nil PathLock.
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

// Release releases the lock. It does nothing for a nil PathLock.
func (k *PathLock) Release() {
	if k != nil {
		_ = k.file.Close() // nothing was written, so the error does not matter
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
