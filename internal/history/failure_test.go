package history_test

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"wallboard/internal/history"
	"wallboard/internal/lib/secret"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/simulator"
	"wallboard/model/contact"
)

// TestServiceThatIsNotThereForNow checks that requests are repeated if a proxy reports
// an unavailable service, and that the service does not count as unreachable.
func TestServiceThatIsNotThereForNow(t *testing.T) {
	t.Parallel()
	for _, status := range []int{http.StatusBadGateway, http.StatusServiceUnavailable} {
		synctest.Test(t, func(t *testing.T) {
			w := open(t, nil)
			c := w.client(t, nil)
			w.Statistics().FailRequests(status, 2)
			if _, err := c.Count(t.Context(), contact.Inbound, hour()); err != nil {
				t.Errorf("%d twice: %v", status, err)
			}
			w.Statistics().FailRequests(status, 9)
			_, err := c.Count(t.Context(), contact.Outbound, hour())
			var e *history.Error
			if !errors.Is(err, history.ErrUnavailable) || errors.Is(err, history.ErrUnreachable) || !errors.As(err, &e) || e.Status != status {
				t.Errorf("%d always: %v", status, err)
			}
		})
	}
}

func TestFailures(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		platform func(*simulatorOptions)
		client   func(*history.Options)
		ask      func(*testing.T, *history.Client) error
		want     error
	}{
		{name: "wrong key", client: func(o *history.Options) { o.APIKey = secret.New("wrong") }, want: history.ErrInvalidKey},
		{
			name: "wrong key among the errors", client: func(o *history.Options) { o.APIKey = secret.New("wrong") },
			platform: func(o *simulatorOptions) { o.Stat.Refusals = simulator.RefusalsErrors }, want: history.ErrInvalidKey,
		},
		{
			name: "an operation that the schema lacks", want: history.ErrUnknownOperation,
			platform: func(o *simulatorOptions) { o.Stat.MissingOperations = []string{"inboundCallsCount"} },
		},
		{
			name: "a name that nothing tells", want: history.ErrUnknownOperation,
			platform: func(o *simulatorOptions) { o.Stat.NoIntrospection = true },
			ask: func(t *testing.T, c *history.Client) error {
				_, err := c.SupportCount(t.Context(), hour())
				return err
			},
		},
		{
			name: "an unknown id", want: history.ErrNotFound,
			ask: func(t *testing.T, c *history.Client) error {
				_, err := c.Call(t.Context(), contact.Chat, "1.2")
				return err
			},
		},
		{
			name: "an empty range", want: history.ErrInvalidQuery,
			ask: func(t *testing.T, c *history.Client) error {
				_, err := c.Count(t.Context(), contact.Inbound, contact.Range{From: opening(), To: opening()})
				return err
			},
		},
		{
			name: "a month without data", want: nil,
			ask: func(t *testing.T, c *history.Client) error {
				n, err := c.Count(t.Context(), contact.Inbound, hourOf(2020, time.May, 4, 10))
				if n != 0 {
					t.Errorf("%d contacts", n)
				}
				return err
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := open(t, tt.platform).client(t, tt.client)
			ask := tt.ask
			if ask == nil {
				ask = func(t *testing.T, c *history.Client) error {
					_, err := c.Count(t.Context(), contact.Inbound, hour())
					return err
				}
			}
			if err := ask(t, c); !errors.Is(err, tt.want) {
				t.Errorf("%v, want %v", err, tt.want)
			}
		})
	}
}

func TestMissingKey(t *testing.T) {
	t.Parallel()
	if _, err := history.New(history.Options{URL: "https://host/datamodel"}); err == nil || !strings.Contains(err.Error(), "API key is missing") {
		t.Error(err)
	}
}

func TestSlowServer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := open(t, nil)
		p.Statistics().DelayAnswers(time.Minute)
		c := p.client(t, func(o *history.Options) { o.Now = time.Now })
		if _, err := c.Count(t.Context(), contact.Inbound, hour()); !errors.Is(err, history.ErrTimeout) {
			t.Error(err)
		}
	})
}

// TestSecondStart checks that a restarted client answers a day from the disk without
// requests.
func TestSecondStart(t *testing.T) {
	t.Parallel()
	p, dir := open(t, nil), testkit.PrivateDir(t)
	var totals []int
	for range 2 {
		c := p.client(t, func(o *history.Options) { o.CacheDir = dir })
		day, err := c.CompareDay(t.Context(), opening(), contact.Inbound)
		if err != nil {
			t.Fatal(err)
		}
		totals = append(totals, day.Day.Total())
		if n := len(p.Statistics().Requests()); n > mostOfADay {
			t.Errorf("%d requests for a day against four", n)
		}
	}
	if n := len(p.Statistics().Requests()); totals[0] == 0 || totals[0] != totals[1] || n != 2 {
		t.Errorf("totals %v with %d requests", totals, n)
	}
}

// TestFewFields checks that a server with a low limit of fields gets smaller requests,
// without an error.
func TestFewFields(t *testing.T) {
	t.Parallel()
	p := open(t, func(o *simulatorOptions) { o.Stat.MaxFields = 10 })
	day, err := p.client(t, nil).CompareDay(t.Context(), opening(), contact.Inbound)
	if err != nil || day.Baseline.Total.Days != 4 || day.SoFar.Median == 0 {
		t.Errorf("%v, %+v", err, day.SoFar)
	}
}

// TestHolidaysAreLeftOut checks that the typical values and heat maps leave out holidays, and that a
// holiday has no typical values.
func TestHolidaysAreLeftOut(t *testing.T) {
	t.Parallel()
	p := open(t, nil)
	lastWeek := contact.StartOfDay(opening(), -7)
	c := p.client(t, func(o *history.Options) {
		o.Holidays = contact.Holidays{{Year: 2026, Month: lastWeek.Month(), Day: lastWeek.Day()}}
	})
	day, err := c.CompareDay(t.Context(), opening(), contact.Inbound)
	if err != nil || day.IsHoliday || day.Baseline.Total.Days != 4 || slices.ContainsFunc(day.Baseline.Dates, lastWeek.Equal) {
		t.Errorf("%v, compared with %v", err, day.Baseline.Dates)
	}
	if day, err = c.CompareDay(t.Context(), lastWeek, contact.Inbound); err != nil || len(day.Baseline.Dates) != 0 || day.Day.Total() == 0 || !day.IsHoliday || day.Baseline.Weekday != lastWeek.Weekday() {
		t.Errorf("%v, a holiday is compared with %v", err, day.Baseline.Dates)
	}
	heat, err := c.WeeklyAverages(t.Context(), opening(), 2, contact.Inbound)
	if cell := heat.Cells[lastWeek.Weekday()][9]; err != nil || cell.Days != 1 {
		t.Errorf("%v, %d days of that weekday in two weeks", err, cell.Days)
	}
}

// TestMonthAndClocks checks a range over the end of a month, and a day with 23 hours.
func TestMonthAndClocks(t *testing.T) {
	t.Parallel()
	p := open(t, nil)
	rome, err := time.LoadLocation("Europe/Rome")
	if err != nil {
		t.Skip(err)
	}
	c := p.client(t, func(o *history.Options) { o.Location = rome })
	r := contact.Range{From: time.Date(2026, 2, 28, 22, 0, 0, 0, time.UTC), To: time.Date(2026, 3, 1, 2, 0, 0, 0, time.UTC)}
	if _, err := c.Count(t.Context(), contact.Inbound, r); err != nil {
		t.Fatal(err)
	}
	if q := p.Statistics().Requests()[0].Query; !strings.Contains(q, "month: 2,") || !strings.Contains(q, "month: 3,") {
		t.Error(q)
	}
	for day, want := range map[time.Time]int{
		time.Date(2026, 3, 29, 12, 0, 0, 0, rome): 23, time.Date(2025, 10, 26, 12, 0, 0, 0, rome): 25, opening(): 24,
	} {
		d, err := c.CompareDay(t.Context(), day, contact.Inbound)
		if err != nil || len(d.Day.Hours) != want {
			t.Errorf("%s has %d hours, want %d: %v", day.Format(time.DateOnly), len(d.Day.Hours), want, err)
		}
	}
}
