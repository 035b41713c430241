//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package commands

import "os"

// notifyContinued does nothing: here no shell can stop the program.
func notifyContinued(chan<- os.Signal) {}
