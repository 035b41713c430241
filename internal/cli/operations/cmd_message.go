package operations

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/lib/textnorm"
	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/restclient"
)

// newMessagesCommand returns the commands for the messaging history and chat-app templates
// (document 1, section Power Dialer, edition 1.4.0).
func newMessagesCommand(set *cmdutil.Setup) *cobra.Command {
	return cmdutil.NewGroup("messages", "Search the messaging history, and list chat-app templates",
		newMessageSearch(set), newTemplatesCommand(set))
}

func newMessageSearch(set *cmdutil.Setup) *cobra.Command {
	var (
		in     *body[resource.MessageQuery]
		page   paging
		search resource.MessageSearch
		all    bool
	)
	return newOperationCommand(set, operation{
		use: "search", short: "Search the messaging history",
		long: "Search asks for the messages of a month, one page of them, or with --all every page. Filters come from --file, as the platform's documentation shows them.\n" +
			"The path of this operation is not documented: name it in [rest.paths] as message-history.",
		example: "wallboard messages search --year 2026 --month 11 --json",
		flags: func(fs *pflag.FlagSet) {
			in = newBody[resource.MessageQuery](fs)
			page.addFlags(fs)
			fs.BoolVar(&all, "all", false, "read every page")
			declareFlag(fs, "year", "year of the messages", &search.Year)
			declareFlag(fs, "month", "month of the messages, 1 to 12", &search.Month)
		},
		run: func(ctx context.Context, s *invocation, _ []string) error {
			q, err := in.newFromFlags(s.streams.In)
			if err != nil {
				return err
			}
			if page.isSinglePage() {
				q.Pagination = &resource.Pagination{PageNumber: page.number, PageSize: page.size}
			}
			if q.Search == nil && (search.Year != nil || search.Month != nil) {
				q.Search = &resource.MessageSearch{}
			}
			if q.Search != nil {
				q.Search.Year, q.Search.Month = cmp.Or(search.Year, q.Search.Year), cmp.Or(search.Month, q.Search.Month)
			}
			var first restclient.Page
			if p := q.Pagination; p != nil {
				first = restclient.Page{Number: p.PageNumber, Size: p.PageSize}
			}
			list, err := restclient.ReadPages(!all, first,
				func(p restclient.Page) (restclient.Result[resource.MessageRecord], error) {
					query := q
					if p != first {
						query.Pagination = &resource.Pagination{PageNumber: p.Number, PageSize: p.Size}
					}
					return s.client.Messages.MessageHistory(ctx, query)
				}, s.client.Messages.AllMessages(ctx, q))
			if err != nil {
				return s.queryError("The messaging history cannot be read", err)
			}
			return printFound(s, list, hintFor(!all, hintUseAll),
				Column{"TIME", "messageInsertTime|insertTime|imInsertTime"}, Column{"CAMPAIGN", "campaign.name"},
				Column{"FROM", "messageFromNumber"}, Column{"TO", "messageToNumber|imRecipientId"},
				Column{"TEMPLATE", "messageTemplate"}, Column{"STATUS", "imStatus"}, Column{"RESULT", "messageResult"},
				Column{"MESSAGE", "messageId"})
		},
	})
}

func newTemplatesCommand(set *cmdutil.Setup) *cobra.Command {
	var (
		in     *body[resource.TemplateQuery]
		keyEnv string
		all    bool
	)
	return newOperationCommand(set, operation{
		use: "templates", short: "List the chat-app templates of a number",
		example: "wallboard messages templates --number 390212345678 --api-key-env CHATAPP_KEY",
		flags: func(fs *pflag.FlagSet) {
			in = newBody[resource.TemplateQuery](
				fs,
				bodyField{"number", "number of the account"},
				bodyField{"sid", "sid of the account"},
				bodyField{"limit", "how many at most"},
				bodyField{"offset", "how many to skip"},
			)
			fs.BoolVar(&all, "all", false, "read every page")
			fs.StringVar(&keyEnv, "api-key-env", "", "name of the environment variable that holds the key of the account")
		},
		run: func(ctx context.Context, s *invocation, _ []string) error {
			q, err := in.newFromFlags(s.streams.In)
			if err != nil {
				return err
			}
			if keyEnv != "" {
				if q.APIKey = os.Getenv(keyEnv); q.APIKey == "" {
					return cmdutil.NewUsageError(errors.New("--api-key-env: the environment variable is not set or empty"))
				}
			}
			list, err := restclient.ReadPaged(!all,
				func() (restclient.Result[resource.Template], error) { return s.client.Messages.Templates(ctx, q) },
				func(rows int) (restclient.Result[resource.Template], bool) {
					query, size := q, 1
					if q.Offset != nil {
						rows += *q.Offset
					}
					query.Limit, query.Offset = &size, &rows
					next, err := s.client.Messages.Templates(ctx, query)
					return next, err == nil
				}, s.client.Messages.AllTemplates(ctx, q))
			if err != nil {
				return s.queryError("The templates cannot be read", err)
			}
			return printFound(s, list, hintFor(!all, hintUseAll),
				Column{"NAME", "name"}, Column{"LANGUAGE", "language"}, Column{"CATEGORY", "category"},
				Column{"STATUS", "status"}, Column{"PARTS", "components"})
		},
	})
}

// newSMSCommand returns the command that sends a text message (document 1, section SMS and support
// tickets, edition 1.4.0).
func newSMSCommand(set *cmdutil.Setup) *cobra.Command {
	return cmdutil.NewGroup("sms", "Send text messages", newSMSSend(set))
}

func newSMSSend(set *cmdutil.Setup) *cobra.Command {
	var in *body[resource.SMS]
	return newOperationCommand(set, operation{
		use: "send", short: "Send a text message",
		long: "Send sends one text message, which costs money: a long text is sent as several SMS, " + strconv.Itoa(model.MaxSMSParts) + " at most. An outcome that is unknown (exit code 4) means that it may be\n" +
			"on its way: it is never sent again by itself.",
		example:  "wallboard sms send --phone-number +393331234567 --message 'Your call is due at 5 pm' --yes",
		isAction: true, needsConfirm: alwaysConfirm,
		flags: func(fs *pflag.FlagSet) {
			in = newBody[resource.SMS](
				fs,
				bodyField{"phoneNumber", "number to send to"},
				bodyField{"message", "text"},
				bodyField{"username", "user who sends"},
				bodyField{"accountId", "account, where there are several"},
			)
		},
		run: func(ctx context.Context, s *invocation, _ []string) error {
			sms, err := in.applyTo(s.streams.In, resource.SMS{})
			if err != nil {
				return err
			}
			sms.PhoneNumber = textnorm.PhoneNumber(sms.PhoneNumber)
			if err := s.confirm(ctx, fmt.Sprintf("Send to %s, %s: %q?", sms.PhoneNumber, describeLength(sms.Message), sms.Message), ""); err != nil {
				return err
			}
			return s.printReport(s.actionClient.Messages.SendSMS(ctx, sms))
		},
	})
}

// describeLength describes the length of a text message in characters. If the message needs
// several SMS, it adds their number.
func describeLength(text string) string {
	size := "1 character"
	if n := utf8.RuneCountInString(text); n != 1 {
		size = strconv.Itoa(n) + " characters"
	}
	if parts := model.SMSParts(text); parts > 1 {
		size += fmt.Sprintf(" as %d SMS", parts)
	}
	return size
}
