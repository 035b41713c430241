// Package cli is the command line. It is the only package that knows all the
// others: it reads the configuration, wires the parts together, writes to the
// standard streams and decides the exit code.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"charm.land/fang/v2"
	"github.com/spf13/cobra"

	"wallboard/config"
)

// Exit codes.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2 // a wrong command line or configuration
)

// Streams are where a command reads and writes.
type Streams struct {
	In  io.Reader
	Out io.Writer
	Err io.Writer
}

// Run runs the command that args name and returns the exit code: 0 for
// success, 1 for a failure, 2 for a wrong command line or configuration.
func Run(ctx context.Context, args []string, s Streams) int {
	root := newRoot(s)
	root.SetArgs(args)
	root.SetIn(s.In)
	root.SetOut(s.Out)
	root.SetErr(s.Err)
	err := fang.Execute(ctx, root,
		fang.WithVersion(version()),
		fang.WithErrorHandler(func(w io.Writer, _ fang.Styles, err error) {
			_, _ = fmt.Fprintln(w, "wallboard:", err) // there is nowhere else to say it
		}),
		fang.WithNotifySignal(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)) // a closed SSH session hangs up
	return exitCode(err)
}

// usageError is a wrong command line.
type usageError struct{ error }

// Unwrap returns the cause.
func (e usageError) Unwrap() error { return e.error }

// noArgs is cobra.NoArgs with the exit code of a wrong command line.
func noArgs(cmd *cobra.Command, args []string) error {
	if err := cobra.NoArgs(cmd, args); err != nil {
		return usageError{err}
	}
	return nil
}

func exitCode(err error) int {
	var wrong config.Errors
	var usage usageError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &wrong), errors.As(err, &usage):
		return exitUsage
	}
	return exitFailed
}

// newRoot builds the commands.
func newRoot(s Streams) *cobra.Command {
	b := &board{streams: s}
	root := &cobra.Command{
		Use:   "wallboard",
		Short: "A contact-center wallboard for the terminal",
		Long: "Wallboard shows what services, groups, agents and campaigns of a contact center are doing, live.\n\n" +
			"Without a command it opens the board on the configured platform. Try it without one: wallboard demo.",
		Args:          noArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE:          func(cmd *cobra.Command, _ []string) error { return b.run(cmd.Context()) },
	}
	root.PersistentFlags().StringVar(&b.config, "config", "", "configuration file (default "+config.DefaultPath()+")")
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	root.AddCommand(newDemo(b), newSimulator(s), newDump(b), newConfig(b), newVersion(s))
	return root
}

func newVersion(s Streams) *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(s.Out, "wallboard", version())
			return err //nolint:wrapcheck // it names the stream
		},
	}
}

func newConfig(b *board) *cobra.Command {
	cmd := &cobra.Command{
		Use: "config", Short: "Work with the configuration", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(&cobra.Command{
		Use: "check", Short: "Check the configuration and say everything that is wrong with it", Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			if _, err := b.load(false); err != nil {
				return err
			}
			path := b.config
			if path == "" {
				path = config.DefaultPath()
			}
			_, err := fmt.Fprintln(b.streams.Out, path+": ok")
			return err //nolint:wrapcheck // it names the stream
		},
	})
	return cmd
}
