// Package flock locks files against the other programs of the machine. A lock ends
// with the open file, so that a program that dies leaves none behind. Where the
// system has no flock, every lock is had at once.
package flock

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"wallboard/internal/private"
)

// ErrLocked is a file that another program has locked.
var ErrLocked = errors.New("another program has locked it")

// poll is how often a lock is tried again.
const poll = 5 * time.Millisecond

// Lock takes a file's lock from other programs and from other open files. It waits
// so long for it at most, because a program that was stopped while it had the lock
// must not stop all others; then the error is [ErrLocked]. With 0 it tries once.
func Lock(f *os.File, wait time.Duration) error { return take(f, exclusive, wait) }

// LockShared keeps those away who use [Lock], not others who use LockShared.
func LockShared(f *os.File, wait time.Duration) error { return take(f, shared, wait) }

// Hold makes a file and locks it as [Lock] does, until release. Folders that are
// missing are made.
func Hold(path string, wait time.Duration) (release func(), err error) {
	k, err := Keep(path, wait)
	if err != nil {
		return nil, err
	}
	return k.Release, nil
}

// Kept is a lock on a file of a name, for as long as somebody has it. A nil one is none.
type Kept struct {
	f    *os.File
	path string
}

// Keep is [Hold] for who wants to know later whether the lock is still one: a file that was
// taken away or replaced keeps nobody out.
func Keep(path string, wait time.Duration) (*Kept, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("lock: %w", err)
	}
	f, err := private.Update(path)
	if err != nil {
		return nil, fmt.Errorf("lock: %w", err)
	}
	if err := Lock(f, wait); err != nil {
		_ = f.Close() // nothing is in it
		return nil, err
	}
	return &Kept{f, path}, nil
}

// Keeps reports whether the file of the name is still the one that was locked.
func (k *Kept) Keeps() bool {
	if k == nil {
		return false
	}
	ours, err := k.f.Stat()
	if err != nil {
		return false
	}
	there, err := os.Lstat(k.path)
	return err == nil && os.SameFile(ours, there)
}

// Release ends it.
func (k *Kept) Release() {
	if k != nil {
		_ = k.f.Close() // nothing is in it
	}
}

func take(f *os.File, how mode, wait time.Duration) error {
	tries := time.NewTicker(poll)
	defer tries.Stop()
	for left := wait; ; left -= poll {
		if err := try(f, how); !errors.Is(err, ErrLocked) || left <= 0 {
			return err
		}
		<-tries.C
	}
}
