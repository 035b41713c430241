//go:build !unix

package program

import "os/exec"

// withoutTerminal does nothing where programs have no terminal that they could open.
func withoutTerminal(*exec.Cmd) {}
