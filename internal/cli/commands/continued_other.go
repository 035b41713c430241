//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package commands

import "os"

// notifyOnContinue does nothing, because a shell cannot stop a program on these systems.
func notifyOnContinue(chan<- os.Signal) {}
