package operations

import (
	"context"
	"errors"
	"iter"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"wallboard/internal/cli/cmdutil"
	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/restclient"
)

// newTicketCommand returns the commands for support tickets (document 1, section SMS and support
// tickets, edition 1.4.0).
func newTicketCommand(set *cmdutil.Setup) *cobra.Command {
	return cmdutil.NewGroup("ticket", "Search support tickets, their agents and customers",
		newTicketSearch(set), newTicketAgents(set), newTicketCustomers(set))
}

func newTicketSearch(set *cmdutil.Setup) *cobra.Command {
	var (
		in     *body[resource.TicketQuery]
		custom []string
		all    bool
	)
	return newOperationCommand(set, operation{
		use: "search", short: "Search support tickets",
		long: "Search lists the articles of the tickets that were found; --json contains all their fields.\n" +
			"It reads one page, which the platform chooses where no flag does, and with --all every page.\n" +
			"Flags that name a list can be given several times.",
		example: "wallboard ticket search --service-code SRV01 --state-id 2 --custom-field CUSTOM_01=gold",
		flags: func(fs *pflag.FlagSet) {
			in = newBody[resource.TicketQuery](
				fs,
				bodyField{"context", "context, for example IVR"},
				bodyField{"customerId", "customer"},
				bodyField{"ownerId", "owner"},
				bodyField{"serviceCode", "service"},
				bodyField{"stateId", "state"},
				bodyField{"submitterId", "submitter"},
				bodyField{"pageNumber", "page, from 1"},
				bodyField{"pageSize", "size of a page"},
			)
			fs.BoolVar(&all, "all", false, "read every page")
			fs.StringArrayVar(&custom, "custom-field", nil, "custom field, as KEY=VALUE")
		},
		run: func(ctx context.Context, s *invocation, _ []string) error {
			q, err := in.newFromFlags(s.streams.In)
			if err != nil {
				return err
			}
			for _, c := range custom {
				key, value, ok := strings.Cut(c, "=")
				if !ok || key == "" {
					return cmdutil.NewUsageError(errors.New("--custom-field: want KEY=VALUE"))
				}
				if q.CustomFields == nil {
					q.CustomFields = make(map[string][]string)
				}
				q.CustomFields[key] = append(q.CustomFields[key], value)
			}
			found, err := restclient.ReadPaged(!all,
				func() (restclient.Result[resource.Ticket], error) { return s.client.Tickets.SearchTickets(ctx, q) }, nil, s.client.Tickets.AllTickets(ctx, q))
			if err != nil {
				return s.queryError("The tickets cannot be read", err)
			}
			return s.showTickets(found, hintFor(!all, hintUseAll))
		},
	})
}

// showTickets prints a row for each article of the tickets. A ticket without articles gets a
// single row.
func (s *invocation) showTickets(found model.FetchedList[resource.Ticket], hint incompleteHint) error {
	if s.json {
		return printFound(s, found, hint)
	}
	lines := model.FetchedList[any]{Short: found.Short}
	for _, t := range found.Items {
		articles, unseen := t.AllArticles(), t.MissingArticleIDs()
		for _, a := range articles {
			lines.Items = append(lines.Items, a)
		}
		for _, id := range unseen {
			lines.Items = append(lines.Items, map[string]any{"id": id, "subject": "(the platform sent its number only)"})
		}
		if len(articles)+len(unseen) == 0 {
			lines.Items = append(lines.Items, map[string]any{"ticket_id": t.Key(), "subject": t.Summary()})
		}
	}
	return printFound(s, lines, hint,
		Column{"TICKET", "ticket_id"}, Column{"ARTICLE", "id"}, Column{"CREATED", "created_at"},
		Column{"TYPE", "type"}, Column{"FROM", "from|created_by"}, Column{"TO", "to"},
		Column{"SUBJECT", "subject"})
}

// personSearch holds the flags of a search for agents or customers.
type personSearch struct {
	query    resource.PersonQuery
	services []string
}

func (p *personSearch) addFlags(fs *pflag.FlagSet) {
	declareFlag(fs, "index", "read only from this place on", &p.query.Index)
	declareFlag(fs, "size", "read only so many", &p.query.Size)
}

// printPeople prints the agents or customers that the flags select. It reads a single page if
// --index or --size is set, otherwise all pages.
func (p *personSearch) printPeople(
	ctx context.Context, s *invocation, args []string,
	page func(context.Context, resource.PersonQuery) (restclient.Result[resource.Person], error),
	all func(context.Context, resource.PersonQuery) iter.Seq2[resource.Person, error],
) error {
	q := p.query
	q.Services = strings.Join(p.services, ",")
	if len(args) > 0 {
		q.SearchKey = args[0]
	}
	onePage := q.Index != nil || q.Size != nil
	list, err := restclient.ReadPaged(onePage,
		func() (restclient.Result[resource.Person], error) { return page(ctx, q) }, nil, all(ctx, q))
	if err != nil {
		return s.queryError("They cannot be read", err)
	}
	return printFound(s, list, hintFor(onePage, hintOmitSize),
		Column{"NAME", "displayName|name"}, Column{"SURNAME", "surname"}, Column{"USER", "username|publicUsername"},
		Column{"ID", "uid|value"}, Column{"EMAIL", "email"}, Column{"LANGUAGE", "language"}, Column{"SERVICES", "serviceCodes"})
}

func newTicketAgents(set *cmdutil.Setup) *cobra.Command {
	var p personSearch
	return newOperationCommand(set, operation{
		use: "agents [KEY]", short: "List the agents of tickets, all or those that match",
		args: cobra.MaximumNArgs(1),
		flags: func(fs *pflag.FlagSet) {
			p.addFlags(fs)
			fs.StringSliceVar(&p.services, "services", nil, "only tickets of these services, separated by commas or one flag for each")
		},
		run: func(ctx context.Context, s *invocation, args []string) error {
			return p.printPeople(ctx, s, args, s.client.Tickets.TicketAgents, s.client.Tickets.AllTicketAgents)
		},
	})
}

func newTicketCustomers(set *cmdutil.Setup) *cobra.Command {
	var p personSearch
	return newOperationCommand(set, operation{
		use: "customers [KEY]", short: "List the customers of tickets, all or those that match",
		args: cobra.MaximumNArgs(1), flags: p.addFlags,
		run: func(ctx context.Context, s *invocation, args []string) error {
			return p.printPeople(ctx, s, args, s.client.Tickets.TicketCustomers, s.client.Tickets.AllTicketCustomers)
		},
	})
}
