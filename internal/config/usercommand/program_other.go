//go:build !unix

package usercommand

import "os/exec"

// detachTerminal does nothing, because programs on these systems cannot open the board's terminal.
func detachTerminal(*exec.Cmd) {}
