//go:build !unix

package usercommand

import "os/exec"

// withoutTerminal does nothing on systems where programs cannot open the terminal.
func withoutTerminal(*exec.Cmd) {}
