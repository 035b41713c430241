//go:build unix

package usercommand

import (
	"os/exec"
	"syscall"
)

// detachTerminal puts a program into its own session when it starts, so that it cannot open the
// board's terminal, for example to ask for a password.
func detachTerminal(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
