//go:build unix

package usercommand

import (
	"os/exec"
	"syscall"
)

// withoutTerminal starts a program in its own session, so that it cannot open the board's
// terminal, for example to ask for a password.
func withoutTerminal(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
