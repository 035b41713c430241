package operations

import (
	"context"
	"fmt"
	"iter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/lib/textnorm"
	"wallboard/internal/words"
	"wallboard/model/resource"
	"wallboard/restclient"
)

// newListCommand returns the commands for dialer lists and their items (document 1, section Power Dialer).
func newListCommand(set *cmdutil.Setup) *cobra.Command {
	return cmdutil.NewGroup("list", "Search, show, create and change dialer lists and their items",
		newListSearch(set), newListShow(set), newListCreate(set), newListUpdate(set),
		newItemsAdd(set), newItemsDelete(set), newItemsReset(set))
}

func listFields() []bodyField {
	return []bodyField{
		{"name", "name"},
		{"voicemailEnabled", "whether to leave messages on answering machines"},
		{"noAnswerAttempts", "attempts when nobody answers"},
		{"noAnswerTimeout", "wait between them"},
		{"busyAttempts", "attempts when busy"},
		{"busyTimeout", "wait between them"},
		{"cancelAttempts", "attempts after a cancelled call"},
		{"cancelTimeout", "wait between them"},
		{"congestionAttempts", "attempts when the network is congested"},
		{"congestionTimeout", "wait between them"},
		{"voicemailAttempts", "attempts after an answering machine"},
		{"voicemailTimeout", "wait between them"},
		{"vendorClosedAttempts", "attempts when the service is closed"},
		{"vendorClosedTimeout", "wait between them"},
	}
}

func newListSearch(set *cmdutil.Setup) *cobra.Command {
	var page paging
	return newOperationCommand(set, operation{
		use: "search [TERM]", short: "List the lists, all or those whose id or name matches",
		args: cobra.MaximumNArgs(1), flags: page.addFlags,
		run: func(ctx context.Context, s *invocation, args []string) error {
			term := ""
			if len(args) > 0 {
				term = args[0]
			}
			lists, err := restclient.ReadPages(page.isSinglePage(), page.pageRequest(),
				func(p restclient.Page) (restclient.Result[resource.List], error) {
					return s.client.Lists.SearchLists(ctx, term, p)
				}, s.client.Lists.AllLists(ctx, term))
			if err != nil {
				return s.queryError("The lists cannot be read", err)
			}
			return printFound(s, lists, hintFor(page.isSinglePage(), hintOmitPages),
				Column{"ID", "id"}, Column{"NAME", "name"}, Column{"NO ANSWER", "noAnswerAttempts"},
				Column{"BUSY", "busyAttempts"}, Column{"CONGESTION", "congestionAttempts"}, Column{"VOICEMAIL", "voicemailEnabled"})
		},
	})
}

// readList returns the list with the given ID. It searches all lists for it, because document
// 1 has no operation that reads a single list.
func readList(ctx context.Context, s *invocation, text string) (resource.List, error) {
	return findByID(s, text, "list", func(term string) iter.Seq2[resource.List, error] { return s.client.Lists.AllLists(ctx, term) },
		func(l resource.List) *int { return l.ID })
}

func newListShow(set *cmdutil.Setup) *cobra.Command {
	return newShowCommand(set, operation{use: "show ID", short: "Show a list"}, readList)
}

func newListCreate(set *cmdutil.Setup) *cobra.Command {
	return newCreateCommand(set, operation{use: "create", short: "Create a list"}, listFields(), func(ctx context.Context, s *invocation, l resource.List) words.ActionReport {
		return s.actionClient.Lists.CreateList(ctx, l)
	})
}

func newListUpdate(set *cmdutil.Setup) *cobra.Command {
	return newUpdateCommand(set, operation{use: "update ID", short: "Change a list; what is not named stays"}, listFields(), readList,
		func(ctx context.Context, s *invocation, before, after resource.List) (words.ActionReport, error) {
			return s.actionClient.Lists.UpdateList(ctx, before, after), nil
		})
}

func itemFields() []bodyField {
	return []bodyField{
		{"id", "id of the item"},
		{"itemNumber", "number of the item"},
		{"campaignId", "id of the campaign"},
		{"listId", "id of the list"},
		{"phoneNumber", "number to call"},
		{"data", "data of the item, once for each"},
	}
}

func newItemsAdd(set *cmdutil.Setup) *cobra.Command {
	var in *body[resource.Item]
	return newOperationCommand(set, operation{
		use: "add-items", short: "Add contacts to a list",
		long: "Add-items adds the item that the flags describe, or all of a file: an array of items as JSON. A flag then holds for each of them.",
		example: "wallboard list add-items --list-id 7 --phone-number +390212345678 --data Rossi\n" +
			"jq -c . items.json | wallboard list add-items --list-id 7 --file -",
		isAction: true,
		flags:    func(fs *pflag.FlagSet) { in = newBody[resource.Item](fs, itemFields()...) },
		run: func(ctx context.Context, s *invocation, _ []string) error {
			items, err := in.readBodies(s.streams.In)
			if err != nil {
				return err
			}
			for i := range items {
				items[i].PhoneNumber = textnorm.PhoneNumber(items[i].PhoneNumber)
			}
			s.openCampaignFeed(ctx, s.itemCampaigns(items))
			s.campaignFeed.Await(ctx)
			return s.printReport(s.actionClient.Lists.AddItems(ctx, items))
		},
	})
}

func newItemsDelete(set *cmdutil.Setup) *cobra.Command {
	var in *body[resource.Item]
	var reset bool
	return newOperationCommand(set, operation{
		use: "delete-items", short: "Delete contacts of a list",
		long: "Delete-items deletes the item that the flags describe, or all of a file: an array of items as JSON.\n" +
			"The statistics of the list are only consolidated with --reset-stats, which also restarts an active campaign.",
		example:  "wallboard list delete-items --list-id 7 --id 1234",
		isAction: true, needsConfirm: alwaysConfirm,
		flags: func(fs *pflag.FlagSet) {
			in = newBody[resource.Item](fs, itemFields()...)
			fs.BoolVar(&reset, "reset-stats", false, "clear the list's statistics afterwards")
		},
		run: func(ctx context.Context, s *invocation, _ []string) error {
			items, err := in.readBodies(s.streams.In)
			if err != nil {
				return err
			}
			s.openCampaignFeed(ctx, s.itemCampaigns(items))
			requiredWord := fmt.Sprintf("delete %d", len(items))
			if err := s.confirm(ctx, fmt.Sprintf("Delete %d items for good?", len(items)), requiredWord); err != nil {
				return err
			}
			s.campaignFeed.Await(ctx)
			return s.printReport(s.actionClient.Lists.DeleteItems(ctx, items, reset))
		},
	})
}

func newItemsReset(set *cmdutil.Setup) *cobra.Command {
	return newOperationCommand(set, operation{
		use: "reset-items", short: "Reset the list items: of ALL lists",
		long: "Reset-items makes the dialer forget what became of the items, so that they are called again.\n" +
			"The service takes no list: all items are reset.",
		isAction: true, needsConfirm: alwaysConfirm,
		run: func(ctx context.Context, s *invocation, _ []string) error {
			if err := s.confirm(ctx, "Reset the items of ALL lists?", "reset all"); err != nil {
				return err
			}
			return s.printReport(s.actionClient.Lists.ResetItems(ctx))
		},
	})
}
