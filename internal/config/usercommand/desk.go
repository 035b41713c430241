package usercommand

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"time"

	"wallboard/internal/control/audit"
	"wallboard/model"
)

// Runner runs the user's commands. A nil Runner has none.
type Runner struct {
	Commands []Command
	// Audit records each command before it runs and when it ends.
	Audit Audit

	running sync.WaitGroup
}

// Audit records commands; [audit.Log] implements it.
type Audit interface {
	Begin(audit.Intent) (func(audit.Result) error, error)
}

// List returns the commands.
func (d *Runner) List() []Command {
	if d == nil {
		return nil
	}
	return d.Commands
}

// Wait waits for all running commands.
func (d *Runner) Wait() { d.running.Wait() }

// Run runs a command with a record and returns the last line of its output, cleaned. It
// waits until the command ends, at most for its timeout. An error explains why it failed.
func (d *Runner) Run(ctx context.Context, c *Command, r Record) (string, error) {
	args, err := c.expandArgs(r)
	if err != nil {
		return "", err
	}
	d.running.Add(1)
	defer d.running.Done()
	finish, err := d.Audit.Begin(audit.Intent{Action: "command", Target: auditTarget(r), Parameters: auditParameters(c, args)})
	if err != nil {
		return "", fmt.Errorf("the command was not run, because the audit file cannot be written: %w", err)
	}
	output, err := execute(ctx, c.Timeout, args)
	result := audit.Result{Outcome: "confirmed", Sentence: output}
	if err != nil {
		result = audit.Result{Outcome: "unknown", Sentence: err.Error()}
		if errors.Is(err, errStart) {
			result.Outcome = "not sent"
		}
	}
	if auditErr := finish(result); auditErr != nil && err == nil {
		err = fmt.Errorf("the command ended, but the audit file cannot be written: %w", auditErr)
	}
	return output, err
}

// auditTarget returns the description of a record for the audit file.
func auditTarget(r Record) string {
	for _, w := range Placeholders() {
		if w != "channel" && r[w] != "" {
			return w + " " + r[w]
		}
	}
	return "nothing"
}

// auditParameters returns the description of a command for the audit file. It omits the
// arguments: they are in the configuration and may contain a secret.
func auditParameters(c *Command, args []string) map[string]string {
	out := map[string]string{"command": c.Name, "program": args[0]}
	if c.Link != "" {
		host, _, _ := strings.Cut(c.Link, "{")
		out["link"], _, _ = strings.Cut(host, "?")
	}
	return out
}

var errStart = errors.New("the program cannot be started; check its name and permissions")

// execute runs a program without a terminal and returns the last line of its output.
func execute(ctx context.Context, timeout time.Duration, args []string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	cmd, output := NewProcess(ctx, args)
	err := cmd.Run()
	words := model.CleanText(output.LastLine(), model.MaxName)
	exit, exited := errors.AsType[*exec.ExitError](err)
	switch {
	case err == nil || errors.Is(err, exec.ErrWaitDelay):
		return words, nil
	case ctx.Err() != nil:
		return "", fmt.Errorf("it was stopped after %s", timeout)
	case exited && words != "":
		return "", fmt.Errorf("it ended with status %d: %s", exit.ExitCode(), words)
	case exited:
		return "", fmt.Errorf("it ended with status %d", exit.ExitCode())
	}
	return "", errStart
}
