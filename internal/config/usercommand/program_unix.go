//go:build unix

package usercommand

import (
	"os/exec"
	"syscall"
)

// detachTerminal makes a program run in a session of its own. It therefore cannot open the board's
// terminal, for example to ask for a password.
func detachTerminal(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
