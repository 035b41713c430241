package launch

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"time"

	"wallboard/audit"
	"wallboard/internal/program"
	"wallboard/model"
)

// Desk runs commands. The nil Desk has none.
type Desk struct {
	Commands []Command
	// Audit has a line of each command before it runs, and of its end.
	Audit Audit

	running sync.WaitGroup
}

// Audit is where it is written down what was run: an [audit.Log].
type Audit interface {
	Begin(audit.Intent) (func(audit.Result) error, error)
}

// List returns the commands.
func (d *Desk) List() []Command {
	if d == nil {
		return nil
	}
	return d.Commands
}

// Wait waits for the ends of what runs.
func (d *Desk) Wait() { d.running.Wait() }

// Run runs a command about a record, and returns what is to be said of it: the last
// line of what it wrote, cleaned. It waits for its end, at most for its timeout. An
// error says that it failed, and why.
func (d *Desk) Run(ctx context.Context, c *Command, r Record) (string, error) {
	args, err := c.args(r)
	if err != nil {
		return "", err
	}
	d.running.Add(1)
	defer d.running.Done()
	finish, err := d.Audit.Begin(audit.Intent{Action: "command", Target: target(r), Parameters: parameters(c, args)})
	if err != nil {
		return "", fmt.Errorf("it is not run, since it cannot be written down: %w", err)
	}
	said, err := execute(ctx, c.Timeout, args)
	result := audit.Result{Outcome: "confirmed", Sentence: said}
	if err != nil {
		result = audit.Result{Outcome: "unknown", Sentence: err.Error()}
		if errors.Is(err, errStart) {
			result.Outcome = "not sent"
		}
	}
	if late := finish(result); late != nil && err == nil {
		err = fmt.Errorf("it ended, but that cannot be written down: %w", late)
	}
	return said, err
}

// target is what a record is called in the audit file.
func target(r Record) string {
	for _, w := range Words() {
		if w != "channel" && r[w] != "" {
			return w + " " + r[w]
		}
	}
	return "nothing"
}

// parameters are what the audit file says of a command. The arguments are not in it:
// the configuration says what they are, and one of them may be a secret.
func parameters(c *Command, args []string) map[string]string {
	out := map[string]string{"command": c.Name, "program": args[0]}
	if c.Link != "" {
		host, _, _ := strings.Cut(c.Link, "{")
		out["link"], _, _ = strings.Cut(host, "?")
	}
	return out
}

var errStart = errors.New("it cannot be started; look at its name and whether it may be run")

// execute runs a program without a terminal, and returns the last line that it wrote.
func execute(ctx context.Context, most time.Duration, args []string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	cmd, said := program.Command(ctx, args)
	err := cmd.Run()
	words := model.CleanText(said.Line(), model.MaxName)
	exit, exited := errors.AsType[*exec.ExitError](err)
	switch {
	case err == nil || errors.Is(err, exec.ErrWaitDelay):
		return words, nil
	case ctx.Err() != nil:
		return "", fmt.Errorf("it took longer than %s and was ended", most)
	case exited && words != "":
		return "", fmt.Errorf("it ended with %d: %s", exit.ExitCode(), words)
	case exited:
		return "", fmt.Errorf("it ended with %d", exit.ExitCode())
	}
	return "", errStart
}
