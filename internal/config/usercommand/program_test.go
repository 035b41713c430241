//go:build linux

package usercommand

import (
	"strings"
	"testing"
)

// A program gets the environment that it needs, but no secret of the board.
func TestNoSecrets(t *testing.T) { //nolint:paralleltest // it changes the environment
	for _, name := range []string{"WALLBOARD_PASSWORD", "MY_RTD_TOKEN", "CREDENTIALS_DIRECTORY", "SSH_AUTH_SOCK"} {
		t.Setenv(name, "/a/secret")
	}
	t.Setenv("LC_TIME", "it_IT")
	env := strings.Join(childEnviron(), "\n")
	if strings.Contains(env, "secret") || !strings.Contains(env, "PATH=") || !strings.Contains(env, "LC_TIME=it_IT") {
		t.Errorf("the environment is %s", env)
	}
}

// TestNoTerminal runs a program that looks for the terminal of its session.
func TestNoTerminal(t *testing.T) {
	t.Parallel()
	cmd, said := NewProcess(t.Context(), []string{"/bin/sh", "-c", `echo "$EXTRA"; exec 2>/dev/null; : </dev/tty && echo a terminal`}, "EXTRA=more")
	if err := cmd.Run(); err == nil {
		t.Error("it has a terminal")
	}
	if said.LastLine() != "more" {
		t.Errorf("it said %q", said.tail)
	}
}
