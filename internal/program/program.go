// Package program runs the programs that a configuration names: without a terminal,
// which is the board's, and without the board's secrets.
package program

import (
	"context"
	"os/exec"
	"strings"
	"time"
)

// Command returns a program to be run, with more of an environment than every one has,
// and what it will have said.
func Command(ctx context.Context, args []string, environ ...string) (*exec.Cmd, *Said) {
	var said Said
	cmd := exec.CommandContext(ctx, args[0], args[1:]...) //nolint:gosec // the configuration names it
	cmd.Stdout, cmd.Stderr = &said, &said
	cmd.Env = append(plain(), environ...)
	cmd.WaitDelay = time.Second // what it has started may hold its output open
	withoutTerminal(cmd)
	return cmd, &said
}

// Said keeps the last of what a program writes.
type Said struct{ last []byte }

// Write implements [io.Writer].
func (s *Said) Write(p []byte) (int, error) {
	const most = 400
	s.last = append(s.last, p[max(0, len(p)-most):]...)
	s.last = s.last[max(0, len(s.last)-most):]
	return len(p), nil
}

// Line is the last line, as the program has written it.
func (s *Said) Line() string {
	lines := strings.Split(strings.TrimSpace(string(s.last)), "\n")
	return lines[len(lines)-1]
}
