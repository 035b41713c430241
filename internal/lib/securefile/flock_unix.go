//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package securefile

import (
	"errors"
	"os"
	"syscall"
)

type lockMode int

const (
	exclusive lockMode = syscall.LOCK_EX
	shared    lockMode = syscall.LOCK_SH
)

func tryLock(f *os.File, how lockMode) error {
	err := syscall.Flock(int(f.Fd()), int(how)|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) || errors.Is(err, syscall.EINTR) {
		return ErrLocked
	}
	return os.NewSyscallError("flock", err)
}

// Unlock releases a lock. It ignores errors, because closing the file releases the lock too.
func Unlock(f *os.File) { _ = syscall.Flock(int(f.Fd()), syscall.LOCK_UN) }
