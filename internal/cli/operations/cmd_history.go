package operations

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"wallboard/internal/app"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/history"
	"wallboard/model"
	"wallboard/model/contact"
	"wallboard/model/resource"
)

// historyCommand holds the flags and the state shared by all commands that query the history.
type historyCommand struct {
	set *cmdutil.Setup
	csv bool

	from, to, groupBy, id    string
	outbound, count          bool
	limit                    int
	mailSuffix, organization string
	incomplete               *model.Incomplete // describes the missing part if the result is incomplete

	command       string
	client        *history.Client
	progressShown bool // the terminal shows a progress line
}

func newHistoryCommand(set *cmdutil.Setup) *cobra.Command {
	return cmdutil.NewGroup("history", "Read the history from the statistical data service",
		newContactsCommand(set, "calls", "calls", contact.Inbound), newContactsCommand(set, "videos", "video calls", contact.Video),
		newContactsCommand(set, "chats", "chats", contact.Chat), newAddressBookCommand(set), newSupportCommand(set), newHistoryReport(set), newHistoryIntervals(set))
}

// newCommand returns a command that creates a client of the statistical data service and then calls
// run.
func (a *historyCommand) newCommand(use, short, example string, run func(ctx context.Context) error) *cobra.Command {
	cmd := &cobra.Command{Use: use, Short: short, Example: example}
	cmd.ValidArgsFunction = cobra.NoFileCompletions
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		a.command = strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()+" ")
		c, err := a.set.Load(false)
		if err != nil {
			return err
		}
		if !c.History.IsConfigured() {
			return cmdutil.NewUsageError(errors.New("there is no [history] in the configuration; `wallboard " + a.command + "` needs the statistical data service"))
		}
		log, closeLog := a.set.StartLog(c, new(slog.LevelVar))
		defer closeLog()
		if a.client, err = app.NewHistoryClient(c, log); err != nil {
			return cmdutil.NewUsageError(err)
		}
		defer a.client.Close()
		err = run(cmd.Context())
		a.endProgress()
		return a.commandError(err)
	}
	return cmd
}

// commandError converts an error of the client to an error of a command, with the matching exit
// code. In JSON mode it also prints an error of the service as JSON.
func (a *historyCommand) commandError(err error) error {
	var usage cmdutil.UsageError
	switch {
	case err == nil || errors.As(err, &usage):
		return err
	case errors.Is(err, context.Canceled):
		return errors.New("canceled")
	case errors.Is(err, history.ErrInvalidQuery):
		return cmdutil.NewUsageError(app.ExplainHistory(err))
	case !errors.As(err, new(*history.Error)) && !errors.Is(err, context.DeadlineExceeded):
		return err // the error is not from the service
	}
	outcome := cmdutil.UnconfirmedError{Outcome: resource.OutcomeRejected, Text: app.ExplainHistory(err).Error()}
	outcomeWord := "failed"
	if errors.Is(err, history.ErrUnreachable) || errors.Is(err, history.ErrBudgetExhausted) {
		outcome.Outcome, outcomeWord = resource.OutcomeNotSent, resource.OutcomeNotSent.String()
	}
	if a.set.JSON {
		if err := cmdutil.WriteJSON(a.set.Streams.Out, resultDocument{Command: a.command, Outcome: outcomeWord, Text: outcome.Text}); err != nil {
			return err
		}
	}
	return outcome
}

func newContactsCommand(set *cmdutil.Setup, use, plural string, kind contact.Kind) *cobra.Command {
	a := &historyCommand{set: set}
	cmd := a.newCommand(use, "List (newest first), count or look at "+plural+" that have ended", "  wallboard history "+use+" --from yesterday --count\n"+
		"  wallboard history "+use+" --from -30d --to today --by ORGANIZATION --csv\n"+
		"  wallboard history "+use+" --id 1773741600.42 --json", func(ctx context.Context) error {
		if a.outbound {
			kind = contact.Outbound
		}
		return printHistory(ctx, a, contactQueries(a, kind))
	})
	fs := cmd.Flags()
	a.addQueryFlags(fs, "contact with this id, with its steps")
	fs.IntVar(&a.limit, "limit", 0, "maximum number; 0: all")
	if kind == contact.Inbound {
		fs.BoolVar(&a.outbound, "outbound", false, "outbound calls instead of inbound ones")
	}
	return cmd
}

// addQueryFlags adds the flags that select the output of [printHistory].
func (a *historyCommand) addQueryFlags(fs *pflag.FlagSet, one string) {
	a.addRangeFlags(fs)
	fs.StringVar(&a.id, "id", "", "show the "+one)
	fs.BoolVar(&a.count, "count", false, "count only")
	fs.StringVar(&a.groupBy, "by", "", "count by this grouping, as named by the platform: ORGANIZATION, …")
	fs.BoolVar(&a.csv, "csv", false, "write the result as CSV")
}

func (a *historyCommand) addRangeFlags(fs *pflag.FlagSet) {
	fs.StringVar(&a.from, "from", "", "begin: a day (2026-03-17, yesterday, monday or -7d) or a time (2026-03-17T10:00) of the contact center (default today)")
	fs.StringVar(&a.to, "to", "", "end, exclusive (default one day after the start)")
}

// timeRange returns the range that --from and --to select.
func (a *historyCommand) timeRange() (contact.Range, error) {
	loc := a.client.Location()
	now := time.Now().In(loc)
	r := contact.Range{From: contact.StartOfDay(now, 0)}
	var err error
	if a.from != "" {
		if r.From, err = contact.ParseDayOrInstant(a.from, now); err != nil {
			return r, cmdutil.NewUsageError(fmt.Errorf("--from: %w", err))
		}
	}
	r.To = r.From.AddDate(0, 0, 1)
	if a.to != "" {
		if r.To, err = contact.ParseDayOrInstant(a.to, now); err != nil {
			return r, cmdutil.NewUsageError(fmt.Errorf("--to: %w", err))
		}
	}
	if !r.From.Before(r.To) {
		return r, cmdutil.NewUsageError(errors.New("--to must be after --from"))
	}
	return r, nil
}

// historyQueries holds the queries for one kind of data, and the function that prints its items.
type historyQueries[T any] struct {
	byID   func(ctx context.Context, id string) (T, error)
	groups func(ctx context.Context, by string, r contact.Range) ([]contact.Group, error)
	count  func(context.Context, contact.Range) (int, error)
	list   func(context.Context, contact.Range) iter.Seq2[T, error]
	print  func([]T) error
}

func contactQueries(a *historyCommand, kind contact.Kind) historyQueries[contact.Call] {
	return historyQueries[contact.Call]{
		byID: func(ctx context.Context, id string) (contact.Call, error) { return a.client.Call(ctx, kind, id) },
		groups: func(ctx context.Context, by string, r contact.Range) ([]contact.Group, error) {
			return a.client.Groups(ctx, contact.GroupQuery{Kind: kind, By: by, Range: r})
		},
		count: func(ctx context.Context, r contact.Range) (int, error) { return a.client.Count(ctx, kind, r) },
		list: func(ctx context.Context, r contact.Range) iter.Seq2[contact.Call, error] {
			return a.client.Calls(ctx, contact.Query{Kind: kind, Range: r, Limit: a.limit, Newest: true}, a.showProgress)
		},
		print: a.printCalls,
	}
}

// printHistory prints the output that the flags select: the item with an ID, counts by group,
// a total count, or a list.
func printHistory[T any](ctx context.Context, a *historyCommand, q historyQueries[T]) error {
	if a.limit < 0 {
		return cmdutil.NewUsageError(errors.New("--limit is negative"))
	}
	if a.id != "" {
		item, err := q.byID(ctx, a.id)
		if err != nil {
			return err
		}
		return q.print([]T{item})
	}
	r, err := a.timeRange()
	if err != nil {
		return err
	}
	switch {
	case a.groupBy != "":
		groups, err := q.groups(ctx, a.groupBy, r)
		if err != nil {
			return err
		}
		return a.printGroups(groups)
	case a.count:
		n, err := q.count(ctx, r)
		if err != nil {
			return err
		}
		return a.printCount(n)
	}
	found, err := model.Collect(q.list(ctx, r))
	if err != nil {
		return err
	}
	a.incomplete = found.Short
	return q.print(found.Items)
}

func (a *historyCommand) printCount(n int) error {
	return a.printResult(n, []string{"count"}, [][]string{{strconv.Itoa(n)}})
}

func (a *historyCommand) printGroups(groups []contact.Group) error {
	rows := make([][]string, len(groups))
	for i, g := range groups {
		rows[i] = []string{cmp.Or(g.Name, "(none)"), g.ID, strconv.Itoa(g.Count)}
	}
	return a.printResult(groups, []string{"name", "id", "count"}, rows)
}

// printCalls prints contacts, with a line for each step.
func (a *historyCommand) printCalls(calls []contact.Call) error {
	loc := a.client.Location()
	moment := func(t time.Time) string {
		if t.IsZero() {
			return ""
		}
		return t.In(loc).Format("2006-01-02 15:04:05 -07:00")
	}
	var rows [][]string
	for _, c := range calls {
		for _, s := range c.Steps {
			took := ""
			if !s.Start.IsZero() && !s.End.Before(s.Start) {
				took = strconv.FormatInt(int64(s.End.Sub(s.Start)/time.Second), 10)
			}
			rows = append(rows, []string{c.ID, strconv.Itoa(s.Number), moment(s.Start), moment(s.End), took})
		}
	}
	if calls == nil {
		calls = []contact.Call{}
	}
	return a.printResult(calls, []string{"id", "step", "start", "end", "seconds"}, rows)
}

func newAddressBookCommand(set *cmdutil.Setup) *cobra.Command {
	a := &historyCommand{set: set}
	cmd := a.newCommand("contacts", "Search the address book", "  wallboard history contacts --organization Acme --mail @example.com", a.searchContacts)
	fs := cmd.Flags()
	fs.StringVar(&a.id, "id", "", "show the contact with this uuid")
	fs.StringVar(&a.mailSuffix, "mail", "", "only contacts with a mail address that ends with this")
	fs.StringVar(&a.organization, "organization", "", "only contacts of organizations whose name contains this")
	fs.BoolVar(&a.count, "count", false, "count only")
	fs.IntVar(&a.limit, "limit", 0, "maximum number; 0: all")
	fs.BoolVar(&a.csv, "csv", false, "write the result as CSV")
	return cmd
}

func (a *historyCommand) searchContacts(ctx context.Context) error {
	if a.limit < 0 {
		return cmdutil.NewUsageError(errors.New("--limit is negative"))
	}
	q := contact.AddressQuery{MailEnd: a.mailSuffix, Organization: a.organization, Limit: a.limit}
	list := []contact.Contact{}
	switch {
	case a.id != "":
		c, err := a.client.Contact(ctx, a.id)
		if err != nil {
			return err
		}
		list = append(list, c)
	case a.count:
		n, err := a.client.ContactsCount(ctx, q)
		if err != nil {
			return err
		}
		return a.printCount(n)
	default:
		found, err := model.Collect(a.client.Contacts(ctx, q, a.showProgress))
		if err != nil {
			return err
		}
		list, a.incomplete = append(list, found.Items...), found.Short
	}
	rows := make([][]string, len(list))
	for i, c := range list {
		rows[i] = []string{c.UUID, c.FullName, c.Organization, strings.Join(c.Mail, " ")}
	}
	return a.printResult(list, []string{"uuid", "name", "organization", "mail"}, rows)
}

func newSupportCommand(set *cmdutil.Setup) *cobra.Command {
	a := &historyCommand{set: set}
	cmd := a.newCommand("support", "List, count or look at support records (Advanced edition)", "  wallboard history support --from yesterday --count\n"+
		"  wallboard history support --id 4711 --json", func(ctx context.Context) error {
		return printHistory(ctx, a, historyQueries[contact.Record]{a.client.Support, a.client.SupportGroups, a.client.SupportCount, a.client.Supports, a.printRecords})
	})
	a.addQueryFlags(cmd.Flags(), "record with this id")
	return cmd
}

// printRecords prints support records, with a column for each field that the platform returns.
func (a *historyCommand) printRecords(records []contact.Record) error {
	var head []string
	rows := make([][]string, len(records))
	for i, record := range records {
		for _, field := range record {
			if i == 0 {
				head = append(head, field.Name)
			}
			rows[i] = append(rows[i], field.Value)
		}
	}
	return a.printResult(records, head, rows)
}

// printResult prints a result as JSON, CSV or a table. If the result is incomplete, it adds a
// note to the JSON or, in the other formats, writes it to standard error.
func (a *historyCommand) printResult(v any, head []string, rows [][]string) error {
	a.endProgress()
	hint := hintRunAgain
	if a.limit > 0 {
		hint = hintOmitLimit
	}
	out, incomplete := a.set.Streams, incompleteText(a.incomplete, hint)
	var err error
	switch {
	case a.set.JSON:
		r := resultDocument{Command: a.command, Outcome: resource.OutcomeConfirmed.String(), Warning: incomplete, Result: v}
		if a.incomplete != nil && a.incomplete.Total >= 0 {
			r.Total = &a.incomplete.Total
		}
		return cmdutil.WriteJSON(out.Out, r)
	case a.csv:
		err = writeCSV(out, head, rows)
	case len(rows) > 0:
		err = cmdutil.WriteTable(out.Out, append([][]string{head}, rows...))
	case incomplete == "":
		incomplete = "Nothing found."
	}
	if err != nil || incomplete == "" {
		return err
	}
	_, err = fmt.Fprintln(out.Err, incomplete)
	return err
}

// writeCSV writes a heading and rows as CSV to standard output.
func writeCSV(out cmdutil.Streams, head []string, rows [][]string) error {
	if err := contact.WriteCSV(out.Out, head, rows); err != nil {
		return fmt.Errorf("write: %w", err)
	}
	return nil
}

// showProgress shows the progress of a query on one line of standard error. It does nothing if
// standard error is not a terminal.
func (a *historyCommand) showProgress(p contact.Progress) {
	f, ok := cmdutil.TerminalOf(a.set.Streams.Err)
	if !ok {
		return
	}
	text := fmt.Sprintf("%d read", p.Read)
	if p.Total > 0 {
		text = fmt.Sprintf("%d of %d read", p.Read, p.Total)
	}
	if p.Wait > 0 {
		text += fmt.Sprintf(", waiting %d s for the platform's limit of requests", int(p.Wait.Seconds())+1)
	}
	a.progressShown = true
	_, _ = fmt.Fprintf(f, "\r\x1b[K%s", text) // progress is not important enough to report an error
}

// endProgress clears the progress line.
func (a *historyCommand) endProgress() {
	if a.progressShown {
		a.progressShown = false
		_, _ = fmt.Fprint(a.set.Streams.Err, "\r\x1b[K")
	}
}
