package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"wallboard/config"
	"wallboard/control"
	"wallboard/restclient"
)

// operation declares a command for scripts: one operation of the configuration
// service (document 1).
type operation struct {
	use, short, long, example string

	args  cobra.PositionalArgs // nil: none
	flags func(*pflag.FlagSet)
	// choices are what flags are completed with in a shell.
	choices map[string][]string
	acts    bool // it changes something on the platform: refused when read-only
	// asks reports whether what the flags say is hard to undo: the command then
	// asks on a terminal, and needs --yes elsewhere. nil: never.
	asks func() bool
	run  func(ctx context.Context, s *session, args []string) error
}

// session is what an operation works with while its command runs.
type session struct {
	streams Streams
	command string // for example "campaign stop"
	json    bool
	yes     bool
	config  *config.Config
	client  *restclient.Client
	desk    *control.Desk // nil unless the operation acts
	cleanup []func()

	// whole reads the configuration with what the real-time service needs.
	whole func() (*config.Config, error)
	live  lookout
}

// operation builds the command of an operation.
func (b *board) operation(o operation) *cobra.Command {
	cmd := &cobra.Command{Use: o.use, Short: o.short, Long: o.long, Example: o.example, Args: noArgs}
	if o.args != nil {
		cmd.Args = usageArgs(o.args)
	}
	if o.flags != nil {
		o.flags(cmd.Flags())
	}
	s := &session{streams: b.streams}
	cmd.ValidArgsFunction = cobra.NoFileCompletions // nothing is asked of the platform
	for flag, words := range o.choices {
		if err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)); err != nil {
			panic("cli: " + err.Error()) // building the commands in any test finds it
		}
	}
	if o.asks != nil {
		cmd.Flags().BoolVar(&s.yes, "yes", false, "do not ask")
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		s.command, s.json = strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()+" "), b.json
		defer s.close()
		if err := b.openSession(s, o); err != nil {
			return err
		}
		return o.run(cmd.Context(), s, args)
	}
	return cmd
}

// always is for what is hard to undo whatever the flags say.
func always() bool { return true }

// group builds a command that only has others below it.
func group(use, short string, below ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{
		Use: use, Short: short, Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(below...)
	return cmd
}

// openSession reads the configuration and prepares the client, and the desk of
// an operation that acts. Nothing is sent yet.
func (b *board) openSession(s *session, o operation) error {
	only := loadOptions()
	only.RESTOnly = true
	c, err := b.loadWith(only)
	if err != nil {
		return err
	}
	switch {
	case o.acts && (b.readOnly || c.ReadOnly):
		return usageError{errors.New("read-only: nothing may be changed; " + readOnlySource(b.readOnly))}
	case !c.REST.Given():
		return usageError{errors.New("there is no [rest] in the configuration; `wallboard " + s.command + "` needs the configuration service")}
	case o.asks != nil && o.asks() && !s.yes && !s.interactive():
		return usageError{errors.New("`wallboard " + s.command + "` is hard to undo and nobody can be asked here: add --yes if it is meant")}
	}
	s.config, s.whole = c, func() (*config.Config, error) { return b.load(false) }
	log, closeLog, err := b.openLog(c, new(slog.LevelVar))
	if err != nil {
		return err
	}
	s.cleanup = append(s.cleanup, closeLog)
	return s.connect(log, o.acts)
}

// readOnlySource says what to change to act all the same.
func readOnlySource(flag bool) string {
	if flag {
		return "leave --read-only out"
	}
	return "the configuration says read_only = true"
}

// close ends what the session opened, the last first.
func (s *session) close() {
	for i := len(s.cleanup) - 1; i >= 0; i-- {
		s.cleanup[i]()
	}
}

// connect makes the client, and the desk if it is needed.
func (s *session) connect(log *slog.Logger, acts bool) error {
	client, err := newClient(s.config, log)
	if err != nil {
		return usageError{err}
	}
	s.client = client
	s.cleanup = append(s.cleanup, func() { endSession(client) })
	if !acts {
		return nil
	}
	desk, closeAudit, err := newDesk(s.config, client, s.live.latest, s.live.why, log)
	if err != nil {
		return err
	}
	s.desk = desk
	s.cleanup = append(s.cleanup, closeAudit)
	return nil
}

// usageArgs gives a wrong number of arguments the exit code of a wrong command
// line.
func usageArgs(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return usageError{err}
		}
		return nil
	}
}

// arguments checks that all that the usage names is given, and nothing else.
func arguments(cmd *cobra.Command, args []string) error {
	want := strings.Fields(cmd.Use)[1:]
	for i, name := range want {
		if i >= len(args) || strings.TrimSpace(args[i]) == "" {
			return fmt.Errorf("%s is missing: %s", name, cmd.UseLine())
		}
	}
	if len(args) > len(want) {
		return fmt.Errorf("%q is one argument too many; a flag for yes or no takes its value after =, as in --flag=false", args[len(want)])
	}
	return nil
}

// parseID reads an id of the platform, an integer of 32 bits.
func parseID(text string) (int, error) {
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil || n < 0 {
		return 0, usageError{fmt.Errorf("%q is not an id: want a whole number", text)}
	}
	return int(n), nil
}
