//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package commands

import "os"

// notifyContinued does nothing, because a shell cannot stop a program on these systems.
func notifyContinued(chan<- os.Signal) {}
