package usercommand

import (
	"context"
	"os/exec"
	"strings"
	"time"
)

// NewProcess returns a command that runs the program args[0] with the other args as arguments. Its
// environment consists of the variables of childEnviron and those in environ. The returned
// TailBuffer receives the output.
func NewProcess(ctx context.Context, args []string, environ ...string) (*exec.Cmd, *TailBuffer) {
	var output TailBuffer
	cmd := exec.CommandContext(ctx, args[0], args[1:]...) //nolint:gosec // from the configuration
	cmd.Stdout, cmd.Stderr = &output, &output
	cmd.Env = append(childEnviron(), environ...)
	cmd.WaitDelay = time.Second // child processes may keep the output open, so limit the wait for its end
	detachTerminal(cmd)
	return cmd, &output
}

// TailBuffer is a writer that keeps only the last bytes written to it.
type TailBuffer struct{ tail []byte }

// Write implements [io.Writer]. It never fails.
func (s *TailBuffer) Write(p []byte) (int, error) {
	const maxBytes = 400
	s.tail = append(s.tail, p[max(0, len(p)-maxBytes):]...)
	s.tail = s.tail[max(0, len(s.tail)-maxBytes):]
	return len(p), nil
}

// LastLine returns the last line of the output without changes.
func (s *TailBuffer) LastLine() string {
	lines := strings.Split(strings.TrimSpace(string(s.tail)), "\n")
	return lines[len(lines)-1]
}
