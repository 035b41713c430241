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

// Runner runs the user's commands. A nil Runner has no commands.
type Runner struct {
	Commands []Command
	// Audit records each command before it runs and after it has ended.
	Audit Audit

	running sync.WaitGroup
}

// Audit records commands in the audit file. Type Log of package internal/control/audit implements
// it.
type Audit interface {
	Begin(audit.Intent) (func(audit.Result) error, error)
}

// List returns the commands. A nil Runner has none.
func (d *Runner) List() []Command {
	if d == nil {
		return nil
	}
	return d.Commands
}

// Wait waits until no command is running.
func (d *Runner) Wait() { d.running.Wait() }

// Run runs a command with a record. It waits until the command ends, but at most for the command's
// timeout. It returns the last line of the output without control characters. The error is the
// reason why the command failed.
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

// auditTarget describes a record for the audit file: the most specific word of the record and its
// value, such as "user anna".
func auditTarget(r Record) string {
	for _, w := range Placeholders() {
		if w != "channel" && r[w] != "" {
			return w + " " + r[w]
		}
	}
	return "nothing"
}

// auditParameters returns the name and the program of a command for the audit file. For a link it
// also returns the address without the inserted values. It omits the arguments of a program,
// because they may contain a secret from the configuration.
func auditParameters(c *Command, args []string) map[string]string {
	out := map[string]string{"command": c.Name, "program": args[0]}
	if c.Link != "" {
		host, _, _ := strings.Cut(c.Link, "{")
		out["link"], _, _ = strings.Cut(host, "?")
	}
	return out
}

var errStart = errors.New("the program cannot be started; check its name and permissions")

// execute runs a program without a terminal, for at most timeout. It returns the last line of the
// output.
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
