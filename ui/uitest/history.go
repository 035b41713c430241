package uitest

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"wallboard/model"
	"wallboard/model/contact"
)

// History is a fake of the platform's history. It records the requests that it receives.
type History struct {
	mu               sync.Mutex
	Requests         []string
	Err              error
	Progress         contact.Progress
	Zone             *time.Location
	IsEmpty          bool              // there are no contacts
	IncompleteReason *model.Incomplete // why lists are incomplete; nil: they are complete
	Change           func(*contact.Comparison)
}

// RecordRequest records a request. It returns Err, the error of all requests.
func (f *History) RecordRequest(format string, args ...any) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.Requests = append(f.Requests, fmt.Sprintf(format, args...))
	return f.Err
}

// IsWorking implements [history.Reader].
func (f *History) IsWorking() bool { return f.Err == nil }

// Insecure implements [history.Reader].
func (f *History) Insecure() bool { return false }

// Budget implements [history.Reader].
func (f *History) Budget() contact.Budget { return contact.Budget{Used: 12, Limit: 100} }

// Location implements [history.Reader].
func (f *History) Location() *time.Location {
	if f.Zone == nil {
		return time.UTC
	}
	return f.Zone
}

// TypicalContacts returns the typical number of contacts in the given hour of the day.
func TypicalContacts(hour int) int { return max(0, 40-(hour-13)*(hour-13)) }

// CompareDay implements [history.Reader].
func (f *History) CompareDay(_ context.Context, date time.Time, kind contact.Kind) (contact.Comparison, error) {
	if err := f.RecordRequest("day %s %s", date.Format(time.DateOnly), kind); err != nil {
		return contact.Comparison{}, err
	}
	y, m, d := date.Date()
	first := time.Date(y, m, d, 0, 0, 0, 0, f.Location())
	now := StartTime().In(f.Location())
	c := contact.Comparison{Day: contact.Day{Kind: kind, Date: first, At: now}, Baseline: contact.Baseline{Kind: kind, Weekday: first.Weekday()}}
	for at := first; at.Before(first.AddDate(0, 0, 1)); at = at.Add(time.Hour) {
		h := contact.Hour{Start: at, Known: !f.IsEmpty && !at.After(now), Partial: now.Before(at.Add(time.Hour))}
		if h.Known {
			h.Count = TypicalContacts(at.Hour()) * 118 / 100 / int(kind+1)
		}
		c.Day.Hours = append(c.Day.Hours, h)
	}
	if !f.IsEmpty {
		for hour := range 24 {
			n := float64(TypicalContacts(hour) / int(kind+1))
			c.Baseline.Hours[hour] = contact.TypicalRange{Median: n, Low: n * 0.9, High: n * 1.1, Days: 4}
		}
		c.SoFar = contact.TypicalRange{Median: 264 / float64(kind+1), Low: 250 / float64(kind+1), High: 281 / float64(kind+1), Days: 4}
	}
	for week := 1; week <= 4; week++ {
		c.Baseline.Dates = append(c.Baseline.Dates, first.AddDate(0, 0, -7*week))
	}
	if f.Change != nil {
		f.Change(&c)
	}
	return c, nil
}

// WeeklyAverages implements [history.Reader].
func (f *History) WeeklyAverages(_ context.Context, date time.Time, weeks int, kind contact.Kind) (contact.WeeklyAverages, error) {
	h := contact.WeeklyAverages{Kind: kind}
	if err := f.RecordRequest("heat %s %d %s", date.Format(time.DateOnly), weeks, kind); err != nil || f.IsEmpty {
		return h, err
	}
	for day := range 7 {
		for hour := range 24 {
			if day != 0 || hour > 3 {
				h.Cells[day][hour] = contact.Cell{Mean: float64(TypicalContacts(hour) * (7 - day) / 7), Days: weeks}
			}
		}
	}
	return h, nil
}

// CompareDays implements [history.Reader].
func (f *History) CompareDays(ctx context.Context, date, other time.Time, kind contact.Kind) (contact.Comparison, error) {
	if err := f.RecordRequest("against %s", other.Format(time.DateOnly)); err != nil {
		return contact.Comparison{}, err
	}
	c, err := f.CompareDay(ctx, date, kind)
	for hour := range c.Baseline.Hours {
		c.Baseline.Hours[hour] = contact.TypicalRange{Median: 7, Low: 7, High: 7, Days: 1}
	}
	c.SoFar = contact.TypicalRange{Median: 77, Low: 77, High: 77, Days: 1}
	return c, err
}

// WeeklyAveragesOfMonth implements [history.Reader].
func (f *History) WeeklyAveragesOfMonth(ctx context.Context, date time.Time, kind contact.Kind) (contact.WeeklyAverages, error) {
	return f.WeeklyAverages(ctx, date, 0, kind)
}

// GroupByValues implements [history.Reader].
func (f *History) GroupByValues(context.Context, contact.Kind) ([]string, error) {
	return []string{"ORGANIZATION", "SERVICE"}, f.RecordRequest("bys")
}

// Groups implements [history.Reader].
func (f *History) Groups(_ context.Context, q contact.GroupQuery) ([]contact.Group, error) {
	if err := f.RecordRequest("groups %s %s %s", q.By, q.From.Format(time.DateOnly), q.To.Format(time.DateOnly)); err != nil || f.IsEmpty {
		return nil, err
	}
	return []contact.Group{{ID: "1", Name: "Acme", Count: 120}, {ID: "2", Name: "=cmd|'/C calc'!A0", Count: 41}, {Count: 17}}, nil
}

// PastCall returns a call with three steps, the last of which has not ended.
func PastCall(id string, start time.Time) contact.Call {
	return contact.Call{ID: id, Steps: []contact.Step{
		{ID: id, Number: 1, Start: start, End: start.Add(42 * time.Second)},
		{ID: id, Number: 2, Start: start.Add(42 * time.Second), End: start.Add(5 * time.Minute)},
		{ID: id, Number: 3, Start: start.Add(6 * time.Minute)},
	}}
}

// Calls implements [history.Reader].
func (f *History) Calls(_ context.Context, q contact.Query, progress func(contact.Progress)) (model.FetchedList[contact.Call], error) {
	if err := f.RecordRequest("calls %s %s %s %d", q.Kind, q.From.Format(time.DateTime), q.To.Format(time.DateTime), q.Limit); err != nil || f.IsEmpty {
		return model.FetchedList[contact.Call]{}, err
	}
	progress(f.Progress)
	calls := []contact.Call{PastCall("1773741600.42", q.From.Add(10*time.Hour)), PastCall("1773741600.43", q.From.Add(11*time.Hour))}
	calls[0].Steps = calls[0].Steps[:2]
	return model.FetchedList[contact.Call]{Items: calls, Short: f.IncompleteReason}, nil
}

// Call implements [history.Reader].
func (f *History) Call(_ context.Context, kind contact.Kind, id string) (contact.Call, error) {
	return PastCall(id, StartTime()), f.RecordRequest("call %s %s", kind, id)
}

// Contacts implements [history.Reader].
func (f *History) Contacts(_ context.Context, q contact.AddressQuery, _ func(contact.Progress)) (model.FetchedList[contact.Contact], error) {
	if err := f.RecordRequest("contacts %s %s %d", q.MailEnd, q.Organization, q.Limit); err != nil || f.IsEmpty {
		return model.FetchedList[contact.Contact]{}, err
	}
	return model.FetchedList[contact.Contact]{Short: f.IncompleteReason, Items: []contact.Contact{
		{UUID: "u-1", FullName: "Anna Rossi", Mail: []string{"anna@acme.example", "a.rossi@acme.example"}, Organization: "Acme"},
		{UUID: "u-2", Name: "Ugo", Surname: "Verdi"},
	}}, nil
}

// Contact implements [history.Reader].
func (f *History) Contact(_ context.Context, uuid string) (contact.Contact, error) {
	return contact.Contact{UUID: uuid, FullName: "Anna Rossi"}, f.RecordRequest("contact %s", uuid)
}

// CheckRequests fails the test unless the last requests are those in want.
func (f *History) CheckRequests(t *testing.T, want ...string) {
	t.Helper()
	f.mu.Lock()
	defer f.mu.Unlock()
	if got := f.Requests[max(len(f.Requests)-len(want), 0):]; strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("asked %q, want %q", got, want)
	}
}
