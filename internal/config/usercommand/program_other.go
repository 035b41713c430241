//go:build !unix

package usercommand

import "os/exec"

// detachTerminal does nothing on systems where programs cannot open the terminal.
func detachTerminal(*exec.Cmd) {}
