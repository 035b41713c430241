//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package securefile

import (
	"errors"
	"os"
	"syscall"
)

type mode int

const (
	exclusive mode = syscall.LOCK_EX
	shared    mode = syscall.LOCK_SH
)

func try(f *os.File, how mode) error {
	err := syscall.Flock(int(f.Fd()), int(how)|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) || errors.Is(err, syscall.EINTR) {
		return ErrLocked
	}
	return os.NewSyscallError("flock", err)
}

// Unlock releases a lock. An error does not matter, because closing the file releases it
// too.
func Unlock(f *os.File) { _ = syscall.Flock(int(f.Fd()), syscall.LOCK_UN) }
