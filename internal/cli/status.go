package cli

import (
	"context"
	"errors"
	"log/slog"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"wallboard/internal/app"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/report/headless"
	"wallboard/ui/term"
)

// Exit codes of `wallboard status`, besides 0 (no action needed), 1 (not live) and 2 (wrong
// command line or configuration).
const (
	exitWarning  = 10
	exitCritical = 11
)

// statusError is an exit code of `wallboard status` or `wallboard ask` as an error. Its message is
// not printed, because standard output already says what the code means.
type statusError int

func (e statusError) Error() string { return "status " + strconv.Itoa(int(e)) }

type statusFlags struct {
	waitFlags
	follow bool
}

func newStatusCommand(b *commandSetup) *cobra.Command {
	var fl statusFlags
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Print the state of the floor in one line",
		Long: "Status connects, waits until everything is live, and writes one line: service level, waiting calls and ready\n" +
			"agents of the whole floor for calls, the number of situations, and the most urgent one. Situations about daily\n" +
			"figures are counted separately, as \"today\".\n" +
			"With --json it writes the situations with their causes and alerts, the figures and the\n" +
			"state of the connection, without figures of agents.\n\n" +
			"The exit code is 0 if no action is needed, 10 if the worst is a warning or a daily figure, 11 if a situation\n" +
			"is critical now, 1 if not everything is live, and 2 for a wrong command line or configuration.\n\n" +
			"Some alerts need a minimum duration, \"stranded\" for example 20 seconds. If such a condition holds, and no board\n" +
			"with [record] has raised the alert already, status waits until it is certain, if that takes at most 30 seconds.\n" +
			"--watch sets another time; --watch 0 does not wait.",
		Example: "wallboard status\nwallboard status --watch 3m --json | jq .situations\nwallboard status --follow",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := fl.check(); err != nil {
				return err
			}
			var follower *app.ConfigObserver
			if fl.follow {
				defer b.hangups.MarkService()()
				follower = newConfigObserver()
				out, release := term.LimitOutput(cmd.Context(), b.Streams.Out)
				defer release()
				b.Streams.Out = out
			}
			// Log only warnings, because the output is a single line.
			return b.withPlatform(cmd.Context(), slog.LevelWarn, app.PlatformOptions{}, func(p *app.Platform, v *headless.Viewer) error {
				ctx, stop := p.Run(cmd.Context(), follower)
				defer stop()
				return fl.run(ctx, b.Setup, p, v)
			})
		},
	}
	fl.addTo(cmd.Flags())
	cmd.Flags().BoolVar(&fl.follow, "follow", false, "keep running and write a line after each change, at most one per second")
	return cmd
}

// run writes the state of the floor, once or, with --follow, after each change. If the state
// needs attention, it returns an error with the exit code.
func (fl *statusFlags) run(ctx context.Context, s *cmdutil.Setup, p *app.Platform, v *headless.Viewer) error {
	if err := v.AwaitLive(ctx, fl.wait); err != nil {
		return err
	}
	tick := time.NewTicker(headless.EvaluateInterval)
	defer tick.Stop()
	deadline := time.Now()
	if observe := fl.startEvaluation(ctx, p, v); !fl.follow || fl.flags.Changed("watch") {
		deadline = time.Now().Add(observe)
	}
	for lastLine := ""; ; {
		v.Evaluate()
		if isOver := !time.Now().Before(deadline); isOver || !v.IsLive() {
			if line := v.StatusLine(terminalLanguage(p.Config())); line != lastLine {
				lastLine = line
				if err := writeStatus(s, p, v, fl.follow); err != nil {
					return err
				}
			}
			if !fl.follow {
				return statusResult(v)
			}
		}
		select {
		case <-ctx.Done():
			if cause := context.Cause(ctx); !errors.Is(cause, context.Canceled) {
				return cause
			}
			return statusResult(v)
		case <-tick.C:
		}
	}
}

// statusResult returns the error with the exit code for the state of the floor, or nil if no
// action is needed.
func statusResult(v *headless.Viewer) error {
	critical, warning, today := v.CountSituations()
	switch {
	case !v.IsLive():
		return statusError(cmdutil.ExitFailed)
	case critical > 0:
		return statusError(exitCritical)
	case warning+today > 0:
		return statusError(exitWarning)
	}
	return nil
}

// writeStatus writes the state of the floor as a line of text or, with --json, as a JSON
// document. If several is true, each document is a single line.
func writeStatus(s *cmdutil.Setup, p *app.Platform, v *headless.Viewer, several bool) error {
	if s.JSON && several {
		return cmdutil.WriteJSONLine(s.Streams.Out, v.StatusDoc())
	}
	return cmdutil.WriteResult(s.Streams.Out, s.JSON, v.StatusDoc(), v.StatusLine(terminalLanguage(p.Config()))+"\n")
}
