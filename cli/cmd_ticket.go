package cli

import (
	"context"
	"errors"
	"iter"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"wallboard/model/resource"
	"wallboard/restclient"
)

// newTicket builds the commands of support tickets (document 1, section SMS and
// support tickets, edition 1.4.0).
func newTicket(b *board) *cobra.Command {
	return group("ticket", "Search support tickets, their agents and customers",
		b.newTicketSearch(), b.newTicketAgents(), b.newTicketCustomers())
}

func (b *board) newTicketSearch() *cobra.Command {
	var (
		in     *body[resource.TicketQuery]
		custom []string
	)
	return b.operation(operation{
		use: "search", short: "Search support tickets",
		long: "Search lists the articles of the tickets that were found; --json has everything that the platform answers.\n" +
			"Flags that name a list can be given several times.",
		example: "wallboard ticket search --service-code SRV01 --state-id 2 --custom-field CUSTOM_01=gold",
		flags: func(fs *pflag.FlagSet) {
			in = newBody[resource.TicketQuery](
				fs,
				field{"context", "context, for example IVR"},
				field{"customerId", "customer"},
				field{"ownerId", "owner"},
				field{"serviceCode", "service"},
				field{"stateId", "state"},
				field{"submitterId", "who submitted it"},
				field{"pageNumber", "page, from 1"},
				field{"pageSize", "size of a page"},
			)
			fs.StringArrayVar(&custom, "custom-field", nil, "custom field, as KEY=VALUE")
		},
		run: func(ctx context.Context, s *session, _ []string) error {
			q, err := in.orEmpty(s.streams.In)
			if err != nil {
				return err
			}
			for _, c := range custom {
				key, value, ok := strings.Cut(c, "=")
				if !ok || key == "" {
					return usageError{errors.New("--custom-field: want KEY=VALUE")}
				}
				if q.CustomFields == nil {
					q.CustomFields = make(map[string][]string)
				}
				q.CustomFields[key] = append(q.CustomFields[key], value)
			}
			found, err := s.client.SearchTickets(ctx, q)
			if err != nil {
				return s.failed("The tickets can not be read", err)
			}
			if s.json {
				return showOne(s, found)
			}
			articles := found.Articles
			if len(articles) == 0 && found.Article != nil {
				articles = []resource.Article{*found.Article}
			}
			return showAll(s, articles,
				column{"TICKET", "ticket_id"}, column{"ARTICLE", "id"}, column{"CREATED", "created_at"},
				column{"TYPE", "type"}, column{"FROM", "from|created_by"}, column{"TO", "to"}, column{"SUBJECT", "subject"})
		},
	})
}

// people are the flags of a search for agents or customers.
type people struct{ q resource.PersonQuery }

func (p *people) flags(fs *pflag.FlagSet) {
	bind(fs, "index", "read only from this place on", &p.q.Index)
	bind(fs, "size", "read only so many", &p.q.Size)
}

// show prints the people of one page when --index or --size names it, else all.
func (p *people) show(
	ctx context.Context, s *session, args []string,
	page func(context.Context, resource.PersonQuery) (restclient.Result[resource.Person], error),
	all func(context.Context, resource.PersonQuery) iter.Seq2[resource.Person, error],
) error {
	q := p.q
	if len(args) > 0 {
		q.SearchKey = args[0]
	}
	list, err := readPaged(q.Index != nil || q.Size != nil,
		func() (restclient.Result[resource.Person], error) { return page(ctx, q) }, all(ctx, q))
	if err != nil {
		return s.failed("They can not be read", err)
	}
	return showAll(s, list,
		column{"NAME", "displayName|name"}, column{"SURNAME", "surname"}, column{"USER", "username|publicUsername"},
		column{"ID", "uid|value"}, column{"EMAIL", "email"}, column{"LANGUAGE", "language"}, column{"SERVICES", "serviceCodes"})
}

func (b *board) newTicketAgents() *cobra.Command {
	var p people
	return b.operation(operation{
		use: "agents [KEY]", short: "List the agents of tickets, all or those that match",
		args: cobra.MaximumNArgs(1),
		flags: func(fs *pflag.FlagSet) {
			p.flags(fs)
			fs.StringVar(&p.q.Services, "services", "", "only those of these services")
		},
		run: func(ctx context.Context, s *session, args []string) error {
			return p.show(ctx, s, args, s.client.TicketAgents, s.client.AllTicketAgents)
		},
	})
}

func (b *board) newTicketCustomers() *cobra.Command {
	var p people
	return b.operation(operation{
		use: "customers [KEY]", short: "List the customers of tickets, all or those that match",
		args: cobra.MaximumNArgs(1), flags: p.flags,
		run: func(ctx context.Context, s *session, args []string) error {
			return p.show(ctx, s, args, s.client.TicketCustomers, s.client.AllTicketCustomers)
		},
	})
}
