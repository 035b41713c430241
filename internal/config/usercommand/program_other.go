//go:build !unix

package usercommand

import "os/exec"

// detachTerminal does nothing, because programs cannot open the board's terminal on these systems.
func detachTerminal(*exec.Cmd) {}
