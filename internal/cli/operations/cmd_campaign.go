package operations

import (
	"context"
	"fmt"
	"iter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/words"
	"wallboard/model/resource"
	"wallboard/restclient"
)

// newCampaignCommand returns the commands for dialer campaigns (document 1, section Power Dialer).
func newCampaignCommand(set *cmdutil.Setup) *cobra.Command {
	return cmdutil.NewGroup("campaign", "List, show, create, change, start and stop dialer campaigns",
		newCampaignList(set), newCampaignShow(set), newCampaignCreate(set), newCampaignUpdate(set),
		newCampaignStart(set), newCampaignStop(set))
}

func campaignFields() []bodyField {
	return []bodyField{
		{"name", "name"},
		{"serviceCode", "code of the service"},
		{"enabled", "whether it may run"},
		{"startDate", "when it begins"},
		{"endDate", "when it ends"},
		{"priority", "priority"},
		{"reservedChannels", "channels kept for it"},
		{"busyChannels", "busy channels"},
		{"busyChannelsType", "kind of busy channels, for example PRESENT"},
		{"abilitazioneId", "id of its calling hours (abilitazione)"},
		{"type", "kind of campaign, for example CALL (edition 1.4.0)"},
		{"usersToNotify", "user to notify, once for each (edition 1.4.0)"},
	}
}

func newCampaignList(set *cmdutil.Setup) *cobra.Command {
	var page paging
	var term restclient.CampaignTerm
	return newOperationCommand(set, operation{
		use: "list [TERM]", short: "List campaigns, all or those whose id or name matches",
		args: cobra.MaximumNArgs(1),
		flags: func(fs *pflag.FlagSet) {
			page.addFlags(fs)
			declareFlag(fs, "priority", "only those of this priority", &term.Priority)
		},
		run: func(ctx context.Context, s *invocation, args []string) error {
			if len(args) > 0 {
				term.Term = args[0]
			}
			list, err := restclient.ReadPages(page.isSinglePage(), page.pageRequest(),
				func(p restclient.Page) (restclient.Result[resource.Campaign], error) {
					return s.client.Campaigns.SearchCampaigns(ctx, term, p)
				}, s.client.Campaigns.AllCampaigns(ctx, term))
			if err != nil {
				return s.queryError("The campaigns cannot be read", err)
			}
			return printFound(s, list, hintFor(page.isSinglePage(), hintOmitPages),
				Column{"ID", "id"}, Column{"NAME", "name"}, Column{"SERVICE", "serviceCode"}, Column{"ENABLED", "enabled"},
				Column{"PRIORITY", "priority"}, Column{"START", "startDate"}, Column{"END", "endDate"},
				Column{"LISTS", "lists"}, Column{"TYPE", "type"})
		},
	})
}

func newCampaignShow(set *cmdutil.Setup) *cobra.Command {
	return newShowCommand(set, operation{use: "show ID", short: "Show a campaign"}, readCampaign)
}

// readCampaign returns the campaign with the given ID. It searches all campaigns for it,
// because document 1 has no operation that reads a single campaign.
func readCampaign(ctx context.Context, s *invocation, text string) (resource.Campaign, error) {
	return findByID(s, text, "campaign", func(term string) iter.Seq2[resource.Campaign, error] {
		return s.client.Campaigns.AllCampaigns(ctx, restclient.CampaignTerm{Term: term})
	}, func(c resource.Campaign) *int { return c.ID })
}

func newCampaignCreate(set *cmdutil.Setup) *cobra.Command {
	return newCreateCommand(set, operation{
		use: "create", short: "Create a campaign",
		example: "wallboard campaign create --name Renewals --service-code SRV01 --priority 5\nwallboard campaign create --file campaign.json",
	}, campaignFields(), func(ctx context.Context, s *invocation, c resource.Campaign) words.ActionReport {
		return s.actionClient.Campaigns.CreateCampaign(ctx, c)
	})
}

func newCampaignUpdate(set *cmdutil.Setup) *cobra.Command {
	var reset bool
	return newUpdateCommand(set, operation{
		use: "update ID", short: "Change a campaign; what is not named stays",
		long: "Update reads the campaign, changes the named fields and writes it back. It fails if another user has changed it in the meantime.\n" +
			"With --reset-stats the statistics are cleared afterwards, and an active campaign is restarted.",
		example:      "wallboard campaign update 12 --priority 9",
		needsConfirm: func() bool { return reset },
		flags: func(fs *pflag.FlagSet) {
			fs.BoolVar(&reset, "reset-stats", false, "clear its statistics after the change")
		},
	}, campaignFields(), readCampaign, func(ctx context.Context, s *invocation, before, after resource.Campaign) (r words.ActionReport, err error) {
		if reset {
			if err := s.confirm(ctx, fmt.Sprintf("Clear the statistics of campaign %d, %s?", *before.ID, before.Name), ""); err != nil {
				return r, err
			}
		}
		return s.actionClient.Campaigns.UpdateCampaign(ctx, before, after, reset), nil
	})
}

func newCampaignStart(set *cmdutil.Setup) *cobra.Command {
	var reset bool
	return newOperationCommand(set, operation{
		use: "start ID", short: "Start a campaign",
		args: exactArguments, isAction: true, needsConfirm: func() bool { return reset },
		flags: func(fs *pflag.FlagSet) {
			fs.BoolVar(&reset, "reset-stats", false, "clear its statistics before")
		},
		run: func(ctx context.Context, s *invocation, args []string) error {
			id, err := parseID(args[0])
			if err != nil {
				return err
			}
			s.openCampaignFeed(ctx, []int64{int64(id)})
			if reset {
				if err := s.confirm(ctx, fmt.Sprintf("Clear the statistics of campaign %d and start it?", id), ""); err != nil {
					return err
				}
			}
			s.campaignFeed.Await(ctx)
			return s.printReport(s.actionClient.Campaigns.StartCampaign(ctx, resource.CampaignSwitch{ID: id, ResetStats: reset}))
		},
	})
}

func newCampaignStop(set *cmdutil.Setup) *cobra.Command {
	var reset bool
	return newOperationCommand(set, operation{
		use: "stop ID", short: "Stop a campaign",
		args: exactArguments, isAction: true, needsConfirm: alwaysConfirm,
		flags: func(fs *pflag.FlagSet) {
			fs.BoolVar(&reset, "reset-stats", false, "clear its statistics afterwards")
		},
		run: func(ctx context.Context, s *invocation, args []string) error {
			id, err := parseID(args[0])
			if err != nil {
				return err
			}
			s.openCampaignFeed(ctx, []int64{int64(id)})
			if !s.assumeYes {
				c, err := readCampaign(ctx, s, args[0])
				if err != nil {
					return err
				}
				if err := s.confirm(ctx, fmt.Sprintf("Stop campaign %d, %s?", id, c.Name), c.Name); err != nil {
					return err
				}
			}
			s.campaignFeed.Await(ctx)
			return s.printReport(s.actionClient.Campaigns.StopCampaign(ctx, resource.CampaignSwitch{ID: id, ResetStats: reset}))
		},
	})
}
