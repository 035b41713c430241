package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"time"

	"github.com/adrg/xdg"

	"wallboard/internal/config"
	"wallboard/internal/history"
	"wallboard/internal/lib/securefile"
	"wallboard/model"
	"wallboard/model/contact"
	uihistory "wallboard/ui/history"
)

// CacheDir returns the directory in which answers of the statistical data service are cached.
func CacheDir() string { return filepath.Join(xdg.CacheHome, "wallboard", "history") }

// BudgetPath returns the path of the file in which all processes of a user count their requests to
// the platform at address. The file is used even without a cache.
func BudgetPath(address string) string {
	return securefile.StatePath("history", address, ".budget")
}

// HistoryOptions returns the options of a client of the statistical data service.
func HistoryOptions(c *config.Config, log *slog.Logger) history.Options {
	h := &c.History
	o := history.Options{
		URL: h.URL, APIKey: h.APIKey, TLS: h.TLSConfig(), Timeout: h.Timeout, Location: h.Location(), Holidays: c.Holidays(),
		Batch: h.Batch, Names: h.Names, Groups: h.Groups, BudgetFile: BudgetPath(h.URL), Logger: log,
	}
	if h.CacheSize > 0 {
		o.CacheDir, o.CacheSize = CacheDir(), int64(h.CacheSize)
	}
	return o
}

// NewHistoryClient creates a client of the statistical data service. The client sends nothing
// before its first use.
func NewHistoryClient(c *config.Config, log *slog.Logger) (*history.Client, error) {
	client, err := history.New(HistoryOptions(c, log))
	if err != nil {
		return nil, fmt.Errorf("[history]: %w", err)
	}
	return client, nil
}

// historyReader reads the history for boards.
type historyReader struct {
	*history.Client

	address    string
	insecure   bool
	keyVersion int // increases when the API key changes, so that boards ask again
}

var _ uihistory.Reader = historyReader{}

// State implements uihistory.Reader.
func (r historyReader) State() (string, bool) {
	err, pending := r.Client.State()
	switch {
	case !pending:
		return r.address + ": not asked yet", true
	case err != nil:
		return r.address + ": " + HistorySentence(err), false
	}
	return r.address, true
}

// Insecure implements uihistory.Reader.
func (r historyReader) Insecure() bool { return r.insecure }

// Day implements uihistory.Reader.
func (r historyReader) Day(ctx context.Context, date time.Time, kind contact.Kind) (contact.Comparison, error) {
	c, err := r.Client.Day(ctx, date, kind)
	return c, ExplainHistory(err)
}

// DayAgainst implements uihistory.Reader.
func (r historyReader) DayAgainst(ctx context.Context, date, other time.Time, kind contact.Kind) (contact.Comparison, error) {
	c, err := r.Client.DayAgainst(ctx, date, other, kind)
	return c, ExplainHistory(err)
}

// WeeklyAverages implements uihistory.Reader.
func (r historyReader) WeeklyAverages(ctx context.Context, date time.Time, weeks int, kind contact.Kind) (contact.WeeklyAverages, error) {
	h, err := r.Client.WeeklyAverages(ctx, date, weeks, kind)
	return h, ExplainHistory(err)
}

// HeatOfMonth implements uihistory.Reader.
func (r historyReader) HeatOfMonth(ctx context.Context, date time.Time, kind contact.Kind) (contact.WeeklyAverages, error) {
	h, err := r.Client.HeatOfMonth(ctx, date, kind)
	return h, ExplainHistory(err)
}

// GroupBys implements uihistory.Reader.
func (r historyReader) GroupBys(ctx context.Context, kind contact.Kind) ([]string, error) {
	list, err := r.Client.GroupBys(ctx, kind)
	return list, ExplainHistory(err)
}

// Groups implements uihistory.Reader.
func (r historyReader) Groups(ctx context.Context, q contact.GroupQuery) ([]contact.Group, error) {
	list, err := r.Client.Groups(ctx, q)
	return list, ExplainHistory(err)
}

// Calls implements uihistory.Reader.
func (r historyReader) Calls(ctx context.Context, q contact.Query, progress func(contact.Progress)) (model.Found[contact.Call], error) {
	list, err := model.Collect(r.Client.Calls(ctx, q, progress))
	return list, ExplainHistory(err)
}

// Call implements uihistory.Reader.
func (r historyReader) Call(ctx context.Context, kind contact.Kind, id string) (contact.Call, error) {
	c, err := r.Client.Call(ctx, kind, id)
	return c, ExplainHistory(err)
}

// Contacts implements uihistory.Reader.
func (r historyReader) Contacts(ctx context.Context, q contact.AddressQuery, progress func(contact.Progress)) (model.Found[contact.Contact], error) {
	list, err := model.Collect(r.Client.Contacts(ctx, q, progress))
	return list, ExplainHistory(err)
}

// Contact implements uihistory.Reader.
func (r historyReader) Contact(ctx context.Context, uuid string) (contact.Contact, error) {
	c, err := r.Client.Contact(ctx, uuid)
	return c, ExplainHistory(err)
}

// historyError is an error whose message is a sentence for the viewer.
type historyError struct {
	text string
	err  error
}

func (e historyError) Error() string { return e.text }

func (e historyError) Unwrap() error { return e.err }

// ExplainHistory returns an error whose message is a sentence for the viewer. It returns nil and
// context.Canceled unchanged.
func ExplainHistory(err error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	return historyError{HistorySentence(err), err}
}

// platformMessage returns the platform's error message as a part of a sentence. when says when to
// try again.
func platformMessage(e *history.Error) (message, when string) {
	when = "in a minute"
	if e != nil && e.Message != "" {
		message = " (it says: " + e.Message + ")"
	}
	if e != nil && !e.Retry.IsZero() {
		when = "at " + e.Retry.Local().Format(time.TimeOnly)
	}
	return message, when
}

// statusPhrase returns the HTTP status of an error as a part of a sentence, or "" if the error has
// none.
func statusPhrase(e *history.Error) string {
	if e == nil || e.Status == 0 {
		return ""
	}
	return fmt.Sprintf(": what is before it answered with status %d", e.Status)
}

// HistorySentence returns a sentence for the viewer that explains an error and the possible remedy.
func HistorySentence(err error) string {
	var e *history.Error
	errors.As(err, &e)
	message, when := platformMessage(e)
	switch {
	case errors.Is(err, history.ErrKey):
		return "The statistical data service refused the API key. Check api_key in [history]: it is in the platform's administration console, Advanced, data model."
	case errors.Is(err, history.ErrBudget):
		return "The 100 requests that the platform allows in a minute are used up. Ask again " + when + "."
	case errors.Is(err, history.ErrRate):
		return "The platform reports too many requests. Ask again " + when + "; for two minutes only half as many requests are sent."
	case errors.Is(err, history.ErrTimeout), errors.Is(err, context.DeadlineExceeded):
		return "The statistical data service did not answer in time. Ask for less, or give it more with timeout in [history]."
	case errors.Is(err, history.ErrUnavailable):
		return "The statistical data service is not there for now" + statusPhrase(e) + message + ". It was asked several times; ask again in a minute."
	case errors.Is(err, history.ErrUnreachable):
		return "The statistical data service cannot be reached" + message + ". Check url in [history] and the network."
	case errors.Is(err, history.ErrUnknownOperation):
		op := ""
		if e != nil {
			op = e.Operation
		}
		return "This is not known on this server: " + op + message + ". If the platform has it under another name, write the name under [history.names], or under [history.groups] for a way to group."
	case errors.Is(err, history.ErrMonth):
		return "The statistical data service misses the year or the month of the question" + message + ". It understands other questions than its description shows."
	case errors.Is(err, history.ErrPage):
		return "The statistical data service does not give so many at a time" + message + ". Ask for fewer with --limit."
	case errors.Is(err, history.ErrNotFound):
		return "There is none with this id."
	case errors.Is(err, history.ErrNoData):
		return "The platform knows no number for this time."
	case errors.Is(err, history.ErrTooLarge):
		return "The answer is too large. Ask for a shorter time."
	case errors.Is(err, history.ErrInvalid) && e != nil:
		return "This cannot be asked: " + e.Message + "."
	case errors.Is(err, history.ErrAnswer):
		return "The answer cannot be understood" + message + ". Is url in [history] the address of the statistical data service?"
	}
	return "The statistical data service refused the question" + message + "."
}
