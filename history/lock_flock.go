//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package history

import (
	"errors"
	"os"
	"syscall"
	"time"
)

// A program that was stopped while it had the lock must not stop all others.
const (
	lockWait = time.Second
	lockPoll = 5 * time.Millisecond
)

// lock takes the file's lock from other programs and other open files.
func lock(f *os.File) error {
	poll := time.NewTicker(lockPoll)
	defer poll.Stop()
	for range lockWait / lockPoll {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
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

// unlock gives the lock back; closing the file does so as well.
func unlock(f *os.File) { _ = syscall.Flock(int(f.Fd()), syscall.LOCK_UN) }
