// Package cli implements the command line of the program. It parses commands and flags, reads
// the configuration, writes to the standard streams and sets the exit code. Package app runs
// the platforms.
//
// A goroutine handles SIGHUP. All goroutines have ended when [Run] returns, except for a
// pending read from the terminal after a canceled question, which cannot be interrupted.
package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"syscall"

	"charm.land/fang/v2"
	"github.com/spf13/cobra"

	"wallboard/internal/app"
	"wallboard/internal/app/admin"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/cli/commands"
	"wallboard/internal/cli/operations"
	"wallboard/internal/config"
	"wallboard/internal/lib/terminal"
	"wallboard/ui/term"
)

// Run executes a command line and returns the exit code: 0 for success, 1 for a failure, 2 for
// a wrong command line or configuration. A command that acts on the platform or queries it can
// also return 3 if nothing was sent, and 4 if the outcome is unknown. The command status can
// also return 10 and 11 for alerts.
func Run(ctx context.Context, args []string, s cmdutil.Streams) int {
	log.SetOutput(io.Discard) // net/http logs unsolicited responses, which may contain a session
	hup := &terminal.Hangups{}
	root := newRoot(s, hup)
	root.SetArgs(cleanArguments(root, args))
	root.SetIn(s.In)
	root.SetOut(s.Out)
	root.SetErr(s.Err)
	ctx, stopHangups := hup.Watch(ctx, s.OnTerminal)
	defer stopHangups()
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	defer context.AfterFunc(ctx, stop)() // after the first signal, a second one kills the program
	commandErr := captureErrors(root)
	setHelpFunctions(root)
	err := fang.Execute(ctx, root, fang.WithVersion(admin.BuildVersion()), fang.WithoutManpage(), fang.WithColorSchemeFunc(helpColours),
		fang.WithErrorHandler(func(io.Writer, fang.Styles, error) {})) // the error is printed below
	err = cmp.Or(*commandErr, err)
	// For a statusError, the line on standard output is enough. If the terminal reads no
	// output, it would not read the error either.
	if err != nil && !errors.As(err, new(statusError)) && !errors.Is(err, term.ErrNotReading) {
		_, _ = fmt.Fprintln(s.Err, "wallboard:", err) // if writing to standard error fails, nothing can be reported
	}
	return exitCodeOf(err)
}

// captureErrors hides the errors of all commands from fang. It returns a pointer to the error of
// the command that runs. Without it, fang would query the terminal for its colors before it prints
// an error, and would wait forever if the pending read of a canceled question consumed the answer.
//
// captureErrors also makes wrong arguments and flags errors of the command line. A command
// without Args takes no arguments.
func captureErrors(root *cobra.Command) *error {
	commandErr := new(error)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		*commandErr = cmdutil.NewUsageError(err)
		return nil
	})
	root.InitDefaultCompletionCmd("") // otherwise fang adds this command later, and wrap cannot change it
	var wrap func(cmd *cobra.Command)
	wrap = func(cmd *cobra.Command) {
		for _, child := range cmd.Commands() {
			wrap(child)
		}
		args, run := cmd.Args, cmd.RunE
		if args == nil {
			args = cobra.NoArgs
		}
		if run == nil {
			run = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		}
		cmd.Args = cobra.ArbitraryArgs
		cmd.RunE = func(cmd *cobra.Command, words []string) error {
			if err := args(cmd, words); err != nil {
				*commandErr = cmdutil.NewUsageError(err)
				return nil
			}
			*commandErr = run(cmd, words)
			return nil
		}
	}
	wrap(root)
	return commandErr
}

func exitCodeOf(err error) int {
	var configErrs config.Errors
	var usage cmdutil.UsageError
	var configErr app.ConfigError
	var outcome cmdutil.UnconfirmedError
	var status statusError
	switch {
	case err == nil:
		return cmdutil.ExitOK
	case errors.As(err, &status):
		return int(status)
	case errors.As(err, &outcome):
		return outcome.ExitCode()
	case errors.As(err, &configErrs), errors.As(err, &configErr), errors.As(err, &usage):
		return cmdutil.ExitUsage
	}
	return cmdutil.ExitFailed
}

// newRoot returns the root command with all commands below it.
func newRoot(s cmdutil.Streams, hup *terminal.Hangups) *cobra.Command {
	setup := &cmdutil.Setup{Streams: s, Options: loadOptions}
	b := &commandSetup{Setup: setup, sources: configSources{setup: setup}, hangups: hup, env: app.Environment{Version: admin.BuildVersion()}}
	guide := &commands.Guide{Setup: b.Setup, OpenBoard: b.runBoard, Demo: func(ctx context.Context) error {
		demo := newDemoCommand(b) // with the default flags
		demo.SetContext(ctx)
		return demo.RunE(demo, nil)
	}}
	root := &cobra.Command{
		Use:   "wallboard",
		Short: "A contact-center wallboard for the terminal",
		Long: "Wallboard shows what services, groups, agents and campaigns of a contact center are doing, live.\n\n" +
			"Without a command it opens the board on the configured platform, or asks for the platform if there is no\n" +
			"configuration. Try it without one: wallboard demo.\n\n" +
			"Commands that act on the platform or query it exit with 0 if confirmed, 1 if refused or failed,\n" +
			"2 for a wrong command line or configuration, 3 if nothing was sent, and 4 if the outcome is unknown.",
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE:          func(cmd *cobra.Command, _ []string) error { return guide.Open(cmd.Context(), b.textMode.enabled) },
	}
	root.PersistentFlags().StringVar(&b.ConfigPath, "config", "", "configuration file (default "+config.DefaultPath()+")")
	root.PersistentFlags().StringVar(&b.Platform, "platform", "", "use only the configured platform with this name")
	root.PersistentFlags().BoolVar(&b.ReadOnly, "read-only", false, "disable all actions on the platform")
	root.PersistentFlags().BoolVar(&b.ReducedMotion, "reduced-motion", false, "disable flashing and movement, like ui.flash = false")
	root.PersistentFlags().BoolVar(&b.JSON, "json", false, "write the result of commands for scripts as JSON")
	b.addMetricsFlags(root.Flags())
	b.addPlainFlags(root.Flags())
	b.addNotifyFlag(root.Flags())
	root.AddCommand(newKioskCommand(b), newDemoCommand(b), markAsService(commands.SimulatorCommand(s), hup), newDumpCommand(b), newStatusCommand(b), newMetricsCommand(b), newNotifyCommand(b), commands.ConfigCommand(b.Setup), commands.VersionCommand(b.Setup), commands.ManCommand(s), commands.DocsCommand(s), commands.ThemesCommand(b.Setup), commands.WordsCommand(b.Setup), commands.DoctorCommand(b.Setup), commands.FleetCommand(b.Setup), commands.SetupCommand(guide))
	root.AddCommand(newHandoverCommand(b), commands.ReviewCommand(b.Setup), newBreaksCommand(b), newAskCommand(b), newMCPCommand(b), commands.MarkCommand(b.Setup), newServeCommand(b), commands.ClusterCommand(b.Setup), commands.ViewCommand(b.Setup), commands.RecordCommand(b.Setup), commands.AlertsCommand(b.Setup), commands.PlayCommand(b.Setup), commands.BackupCommand(b.Setup), commands.RestoreCommand(b.Setup), commands.ReceiptCommand(b.Setup), commands.VerifyCommand(b.Setup), commands.PrivacyCommand(b.Setup))
	root.AddCommand(operations.Commands(b.Setup)...)
	return root
}

// markAsService marks the program as a service while the command runs, because SIGHUP does not end
// a service.
func markAsService(cmd *cobra.Command, hup *terminal.Hangups) *cobra.Command {
	run := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		defer hup.MarkService()()
		return run(cmd, args)
	}
	return cmd
}
