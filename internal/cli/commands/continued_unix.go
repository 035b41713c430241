//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package commands

import (
	"os"
	"os/signal"
	"syscall"
)

// notifyContinued sends to c when the program continues after it was stopped.
func notifyContinued(c chan<- os.Signal) { signal.Notify(c, syscall.SIGCONT) }
