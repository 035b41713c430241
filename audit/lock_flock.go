//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package audit

import (
	"errors"
	"os"
	"syscall"
	"time"
)

// A program that was stopped while it had the lock must not stop all others
// for ever.
const (
	lockWait = 5 * time.Second
	lockPoll = 5 * time.Millisecond
)

// lock takes the file's lock from other programs and other open files.
func lock(f *os.File) error { return flock(f, syscall.LOCK_EX) }

// lockShared keeps writers away, not readers.
func lockShared(f *os.File) error { return flock(f, syscall.LOCK_SH) }

func flock(f *os.File, how int) error {
	poll := time.NewTicker(lockPoll)
	defer poll.Stop()
	for range lockWait / lockPoll {
		err := syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB)
		if err == nil {
			return nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			return os.NewSyscallError("flock", err) //nolint:wrapcheck // the caller says what was done
		}
		<-poll.C
	}
	return errors.New("another program has locked it")
}

// unlock gives the lock back. It cannot fail in a way that matters: closing
// the file gives it back as well.
func unlock(f *os.File) { _ = syscall.Flock(int(f.Fd()), syscall.LOCK_UN) }

func syncDirectory(dir *os.File) error { return dir.Sync() } //nolint:wrapcheck // the caller says what was done
