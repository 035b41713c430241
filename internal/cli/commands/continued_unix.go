//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package commands

import (
	"os"
	"os/signal"
	"syscall"
)

// notifyOnContinue sends a signal to c whenever the program continues after having been stopped
// by a shell.
func notifyOnContinue(c chan<- os.Signal) { signal.Notify(c, syscall.SIGCONT) }
