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
	"wallboard/internal/words"
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
	client        *history.Client
	address       string
	insecure      bool
	apiKeyVersion int // increases when the API key changes, so that boards ask again
}

var _ uihistory.Reader = historyReader{}

// IsWorking implements uihistory.Reader.
func (r historyReader) IsWorking() bool {
	err, pending := r.client.LastResult()
	return !pending || err == nil
}

// Location implements uihistory.Reader.
func (r historyReader) Location() *time.Location { return r.client.Location() }

// Budget implements uihistory.Reader.
func (r historyReader) Budget() contact.Budget { return r.client.Budget() }

// Insecure implements uihistory.Reader.
func (r historyReader) Insecure() bool { return r.insecure }

// CompareDay implements uihistory.Reader.
func (r historyReader) CompareDay(ctx context.Context, date time.Time, kind contact.Kind) (contact.Comparison, error) {
	c, err := r.client.CompareDay(ctx, date, kind)
	return c, ExplainHistory(err)
}

// CompareDays implements uihistory.Reader.
func (r historyReader) CompareDays(ctx context.Context, date, other time.Time, kind contact.Kind) (contact.Comparison, error) {
	c, err := r.client.CompareDays(ctx, date, other, kind)
	return c, ExplainHistory(err)
}

// WeeklyAverages implements uihistory.Reader.
func (r historyReader) WeeklyAverages(ctx context.Context, date time.Time, weeks int, kind contact.Kind) (contact.WeeklyAverages, error) {
	h, err := r.client.WeeklyAverages(ctx, date, weeks, kind)
	return h, ExplainHistory(err)
}

// WeeklyAveragesOfMonth implements uihistory.Reader.
func (r historyReader) WeeklyAveragesOfMonth(ctx context.Context, date time.Time, kind contact.Kind) (contact.WeeklyAverages, error) {
	h, err := r.client.MonthlyAverages(ctx, date, kind)
	return h, ExplainHistory(err)
}

// GroupByValues implements uihistory.Reader.
func (r historyReader) GroupByValues(ctx context.Context, kind contact.Kind) ([]string, error) {
	list, err := r.client.GroupByValues(ctx, kind)
	return list, ExplainHistory(err)
}

// Groups implements uihistory.Reader.
func (r historyReader) Groups(ctx context.Context, q contact.GroupQuery) ([]contact.Group, error) {
	list, err := r.client.Groups(ctx, q)
	return list, ExplainHistory(err)
}

// Calls implements uihistory.Reader.
func (r historyReader) Calls(ctx context.Context, q contact.Query, progress func(contact.Progress)) (model.FetchedList[contact.Call], error) {
	list, err := model.Collect(r.client.Calls(ctx, q, progress))
	return list, ExplainHistory(err)
}

// Call implements uihistory.Reader.
func (r historyReader) Call(ctx context.Context, kind contact.Kind, id string) (contact.Call, error) {
	c, err := r.client.Call(ctx, kind, id)
	return c, ExplainHistory(err)
}

// Contacts implements uihistory.Reader.
func (r historyReader) Contacts(ctx context.Context, q contact.AddressQuery, progress func(contact.Progress)) (model.FetchedList[contact.Contact], error) {
	list, err := model.Collect(r.client.Contacts(ctx, q, progress))
	return list, ExplainHistory(err)
}

// Contact implements uihistory.Reader.
func (r historyReader) Contact(ctx context.Context, uuid string) (contact.Contact, error) {
	c, err := r.client.Contact(ctx, uuid)
	return c, ExplainHistory(err)
}

// ExplainHistory returns an error whose message is a sentence for the viewer. It returns nil and
// context.Canceled unchanged.
func ExplainHistory(err error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	return words.NewError(historySentence(err), err)
}

// platformMessage returns sentences with the HTTP status, for an unavailable service, and the
// platform's error message. It returns the zero Text if there are none.
func platformMessage(e *history.Error) words.Text {
	var message, status words.Text
	if e != nil && e.Message != "" {
		message = words.AppHistorySays(e.Message)
	}
	if e != nil && e.Status != 0 && errors.Is(e, history.ErrUnavailable) {
		status = words.AppHistoryStatus(e.Status)
	}
	return words.JoinSentences(status, message)
}

// retryTime returns a phrase that says when to ask again.
func retryTime(e *history.Error) words.Text {
	if e == nil || e.Retry.IsZero() {
		return words.AppHistoryInAMinute()
	}
	return words.AppHistoryAt(e.Retry.Local().Format(time.TimeOnly))
}

// historySentence returns a text for the viewer that explains an error and the possible remedy.
func historySentence(err error) words.Text {
	var e *history.Error
	errors.As(err, &e)
	switch {
	case errors.Is(err, history.ErrInvalidKey):
		return words.AppHistoryKey()
	case errors.Is(err, history.ErrBudgetExhausted):
		return words.AppHistoryBudget(retryTime(e))
	case errors.Is(err, history.ErrRateLimit):
		return words.AppHistoryRate(retryTime(e))
	case errors.Is(err, history.ErrTimeout), errors.Is(err, context.DeadlineExceeded):
		return words.AppHistoryTimeout()
	case errors.Is(err, history.ErrNotFound):
		return words.AppHistoryNotFound()
	case errors.Is(err, history.ErrNoData):
		return words.AppHistoryNoData()
	case errors.Is(err, history.ErrTooLarge):
		return words.AppHistoryTooLarge()
	case errors.Is(err, history.ErrInvalidQuery) && e != nil:
		return words.AppHistoryInvalid(e.Message)
	}
	return words.JoinSentences(refusalText(err, e), platformMessage(e))
}

// refusalText returns a text for an error that the platform may have explained.
func refusalText(err error, e *history.Error) words.Text {
	switch {
	case errors.Is(err, history.ErrUnavailable):
		return words.AppHistoryUnavailable()
	case errors.Is(err, history.ErrUnreachable):
		return words.AppHistoryUnreachable()
	case errors.Is(err, history.ErrUnknownOperation):
		operation := ""
		if e != nil {
			operation = e.Operation
		}
		return words.AppHistoryUnknown(operation)
	case errors.Is(err, history.ErrMonthRequired):
		return words.AppHistoryMonth()
	case errors.Is(err, history.ErrPageSize):
		return words.AppHistoryPage()
	case errors.Is(err, history.ErrInvalidAnswer):
		return words.AppHistoryAnswer()
	}
	return words.AppHistoryRefused()
}
