package operations

import (
	"context"
	"errors"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/words"
	"wallboard/model/resource"
)

// newRunCommand returns the commands for multichannel campaign runs (document 1, section Power
// Dialer, edition 1.4.0).
func newRunCommand(set *cmdutil.Setup) *cobra.Command {
	return cmdutil.NewGroup("run", "Show, add and change the runs of multichannel campaigns",
		newRunShow(set), newRunAdd(set), newRunEdit(set))
}

func runFields() []bodyField {
	return []bodyField{
		{"campaignId", "id of the campaign"},
		{"listId", "id of the list"},
		{"name", "name"},
		{"number", "number it sends from"},
		{"template", "template of the message"},
		{"runStatus", "status, for example DISABLE"},
		{"instantMessagingRunStatus", "status of instant messaging, for example DISABLE"},
		{"startDate", "when it begins"},
		{"endDate", "when it ends"},
		{"scheduledStartDate", "when it is to begin"},
		{"scheduledEndDate", "when it is to end"},
		{"instantMessagingStartDate", "when instant messaging begins"},
		{"instantMessagingEndDate", "when instant messaging ends"},
	}
}

func newRunShow(set *cmdutil.Setup) *cobra.Command {
	var (
		campaign *int
		name     string
		end      resource.Time
	)
	return newOperationCommand(set, operation{
		use: "show [ID]", short: "Show a run, by its id or by campaign and name",
		example: "wallboard run show 42\nwallboard run show --campaign-id 12 --name spring",
		args:    cobra.MaximumNArgs(1),
		flags: func(fs *pflag.FlagSet) {
			declareFlag(fs, "campaign-id", "id of the campaign", &campaign)
			fs.StringVar(&name, "name", "", "name of the run")
			declareFlag(fs, "instant-messaging-end-date", "when its instant messaging ends", &end)
		},
		run: func(ctx context.Context, s *invocation, args []string) error {
			var (
				run    resource.Run
				err    error
				byName = campaign != nil && name != ""
			)
			switch {
			case len(args) == 1 && !byName:
				var id int
				if id, err = parseID(args[0]); err != nil {
					return err
				}
				run, err = s.client.Runs.Run(ctx, id, end)
			case len(args) == 0 && byName:
				run, err = s.client.Runs.RunNamed(ctx, *campaign, name)
			default:
				return cmdutil.NewUsageError(errors.New("name either the id of the run, or --campaign-id and --name"))
			}
			if err != nil {
				return s.queryError("The run cannot be read", err)
			}
			return printResource(s, run)
		},
	})
}

func newRunAdd(set *cmdutil.Setup) *cobra.Command {
	return newCreateCommand(set, operation{
		use: "add", short: "Add a run to a campaign",
		long:    "Add creates a run. Its contacts come from --file.",
		example: "wallboard run add --file run.json --campaign-id 12",
	}, runFields(), func(ctx context.Context, s *invocation, run resource.Run) words.ActionReport {
		return s.actionClient.Runs.AddRun(ctx, run)
	})
}

func newRunEdit(set *cmdutil.Setup) *cobra.Command {
	return newUpdateCommand(set, operation{use: "edit ID", short: "Change a run; what is not named stays"}, runFields(),
		func(ctx context.Context, s *invocation, text string) (run resource.Run, err error) {
			id, err := parseID(text)
			if err != nil {
				return run, err
			}
			if run, err = s.client.Runs.Run(ctx, id, resource.Time{}); err != nil {
				return run, s.queryError("The run cannot be read", err)
			}
			return run, nil
		},
		func(ctx context.Context, s *invocation, before, after resource.Run) (words.ActionReport, error) {
			return s.actionClient.Runs.EditRun(ctx, before, after), nil
		})
}
