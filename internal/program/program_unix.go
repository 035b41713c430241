//go:build unix

package program

import (
	"os/exec"
	"syscall"
)

// withoutTerminal gives a program a session of its own: it cannot open the terminal
// that the board is drawn on, to ask for a password for instance.
func withoutTerminal(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
