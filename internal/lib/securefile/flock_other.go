//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package securefile

import "os"

type lockMode int

const exclusive, shared lockMode = 0, 1

func tryLock(*os.File, lockMode) error { return nil }

// Unlock does nothing, because this system has no locks.
func Unlock(*os.File) {}
