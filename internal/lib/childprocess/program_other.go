//go:build !unix

package childprocess

import "os/exec"

// withoutTerminal does nothing on systems where programs cannot open the terminal.
func withoutTerminal(*exec.Cmd) {}
