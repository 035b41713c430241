// Package operations implements the commands for scripts: a command for each operation of the
// configuration service (document 1), the commands that read the history from the statistical
// data service (document 3), and the commands that read the audit log. The command history
// report formats a day of the contact center as text, CSV, Markdown or an HTML page.
package operations

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"wallboard/internal/app"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/config"
	"wallboard/internal/control"
	"wallboard/model/resource"
	"wallboard/restclient"
)

// Commands returns the commands that act on the platform, and those that read from it or from
// the audit log.
func Commands(set *cmdutil.Setup) []*cobra.Command {
	return []*cobra.Command{
		newCallCommand(set), newCampaignCommand(set), newListCommand(set), newRunCommand(set), newMessagesCommand(set), newSMSCommand(set), newTicketCommand(set), newChatCommand(set),
		newContactCommand(set), newAuthCommand(set), newAuditCommand(set), newHistoryCommand(set), newCacheCommand(set),
	}
}

// operation describes a command that executes an operation of the configuration service
// (document 1).
type operation struct {
	use, short, long, example string

	args  cobra.PositionalArgs // nil: none
	flags func(*pflag.FlagSet)
	// choices maps flags to the values that a shell suggests.
	choices  map[string][]string
	isAction bool // the operation changes the platform, so it is refused in read-only mode
	// needsConfirm reports whether the operation is hard to undo. In that case, the command
	// asks for confirmation on a terminal, and elsewhere requires --yes. If needsConfirm is
	// nil, no confirmation is needed.
	needsConfirm func() bool
	run          func(ctx context.Context, s *invocation, args []string) error
}

// invocation holds the state of a command while it runs.
type invocation struct {
	streams      cmdutil.Streams
	command      string // name of the command, such as "campaign stop"
	json         bool
	assumeYes    bool
	config       *config.Config
	client       *restclient.Client
	actionClient *control.ActionClient // nil: the operation does not act
	cleanups     []func()

	// loadFullConfig reads the configuration again, including the settings of the real-time service.
	loadFullConfig func() (*config.Config, error)
	campaignFeed   control.CampaignFeed
}

// newOperationCommand returns the command that executes an operation.
func newOperationCommand(set *cmdutil.Setup, o operation) *cobra.Command {
	cmd := &cobra.Command{Use: o.use, Short: o.short, Long: o.long, Example: o.example, Args: o.args}
	if o.flags != nil {
		o.flags(cmd.Flags())
	}
	s := &invocation{streams: set.Streams}
	cmd.ValidArgsFunction = cobra.NoFileCompletions // completing an argument must not query the platform
	for flag, words := range o.choices {
		if err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)); err != nil {
			panic("cli: " + err.Error()) // unreachable: every test that builds the commands would panic
		}
	}
	if o.needsConfirm != nil {
		cmd.Flags().BoolVar(&s.assumeYes, "yes", false, "do not ask")
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		s.command, s.json = strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()+" "), set.JSON
		defer s.close()
		if err := s.prepare(set, o); err != nil {
			return err
		}
		return o.run(cmd.Context(), s, args)
	}
	return cmd
}

// alwaysConfirm is the needsConfirm function of operations that are hard to undo.
func alwaysConfirm() bool { return true }

// prepare reads the configuration, opens the log, and creates the client. For an action, it also
// creates the action client. It sends nothing to the platform.
func (s *invocation) prepare(set *cmdutil.Setup, o operation) error {
	only := set.Options()
	only.RESTOnly = true
	c, err := set.LoadWith(only)
	if err != nil {
		return err
	}
	switch {
	case o.isAction && (set.ReadOnly || c.ReadOnly):
		return cmdutil.NewUsageError(errors.New("read-only: nothing may be changed; " + app.ReadOnlyReason(set.ReadOnly)))
	case !c.REST.IsConfigured():
		return cmdutil.NewUsageError(errors.New("there is no [rest] in the configuration; `wallboard " + s.command + "` needs the configuration service"))
	case o.needsConfirm != nil && o.needsConfirm() && !s.assumeYes && !s.isInteractive():
		return cmdutil.NewUsageError(errors.New("`wallboard " + s.command + "` is hard to undo, and the input is no terminal for a confirmation: add --yes"))
	}
	s.config, s.loadFullConfig = c, func() (*config.Config, error) { return set.Load(false) }
	log, closeLog := set.StartLog(c, new(slog.LevelVar))
	s.cleanups = append(s.cleanups, closeLog)
	return s.connect(log, o.isAction)
}

// close calls the cleanup functions, the last one first.
func (s *invocation) close() {
	for i := len(s.cleanups) - 1; i >= 0; i-- {
		s.cleanups[i]()
	}
}

// connect creates the client. If isAction is true, it also creates the action client.
func (s *invocation) connect(log *slog.Logger, isAction bool) error {
	client, err := app.NewRESTClient(s.config, log)
	if err != nil {
		return cmdutil.NewUsageError(err)
	}
	s.client = client
	s.cleanups = append(s.cleanups, func() { app.EndSession(client) })
	if !isAction {
		return nil
	}
	desk, closeAudit, err := app.NewActionClient(s.config, client, control.Options{Feed: s.campaignFeed.Latest, NoFeedReason: s.campaignFeed.MissingReason, Logger: log})
	if err != nil {
		return err
	}
	s.actionClient = desk
	s.cleanups = append(s.cleanups, closeAudit)
	return nil
}

// exactArguments returns an error unless args has as many arguments as the usage line of the
// command and none of them is blank.
func exactArguments(cmd *cobra.Command, args []string) error {
	want := strings.Fields(cmd.Use)[1:]
	for i, name := range want {
		if i >= len(args) || strings.TrimSpace(args[i]) == "" {
			return fmt.Errorf("%s is missing: %s", name, cmd.UseLine())
		}
	}
	if len(args) > len(want) {
		return fmt.Errorf("unexpected argument %q; a flag for yes or no takes its value after =, as in --flag=false", args[len(want)])
	}
	return nil
}

// findByID returns the resource with an ID from the results of a search for that ID. what names
// the kind of resource.
func findByID[T any](s *invocation, text, what string, search func(term string) iter.Seq2[T, error], idOf func(T) *int) (none T, err error) {
	id, err := parseID(text)
	if err != nil {
		return none, err
	}
	for v, err := range search(fmt.Sprint(id)) { // yields an error at the end if the result is incomplete
		if err != nil {
			return none, s.queryError("The "+what+"s cannot be read", err)
		}
		if n := idOf(v); n != nil && *n == id {
			return v, nil
		}
	}
	return none, s.queryError("", cmdutil.UnconfirmedError{Outcome: resource.OutcomeRejected, Text: fmt.Sprintf("There is no %s %d.", what, id)})
}

// parseID parses an ID of the platform, a 32-bit integer that is not negative.
func parseID(text string) (int, error) {
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil || n < 0 {
		return 0, cmdutil.NewUsageError(fmt.Errorf("%q is not an id: want a whole number", text))
	}
	return int(n), nil
}
