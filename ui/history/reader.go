package history

import (
	"context"
	"time"

	"wallboard/model"
	"wallboard/model/contact"
)

// Reader reads the history from the statistical data service. A board with a nil Reader has no
// history.
//
// Its methods are safe for concurrent use. All methods except Budget, IsWorking, Insecure and Location
// may block, and are called only from commands. Error messages are sentences for the viewer and
// contain no secrets. If the context has ended, the error is context.Canceled. The methods report
// their progress to the function in the context (see contact.WithProgress).
type Reader interface {
	// IsWorking reports whether the history can be read, as far as is known.
	IsWorking() bool
	// Insecure reports whether the certificate of the service is not verified.
	Insecure() bool
	// Location returns the time zone in which days and hours begin.
	Location() *time.Location
	// Budget returns the number of requests that the platform allows and the number of requests
	// already used.
	Budget() contact.Budget

	// CompareDay compares a day with the last four days with the same weekday.
	CompareDay(ctx context.Context, date time.Time, kind contact.Kind) (contact.Comparison, error)
	// CompareDays compares the day of date with the day of other.
	CompareDays(ctx context.Context, date, other time.Time, kind contact.Kind) (contact.Comparison, error)
	// WeeklyAverages returns the mean number of contacts in each hour of the week, over the given number of
	// weeks that end with the day of date.
	WeeklyAverages(ctx context.Context, date time.Time, weeks int, kind contact.Kind) (contact.WeeklyAverages, error)
	// WeeklyAveragesOfMonth returns the mean number of contacts in each hour of the week, over the calendar
	// month of date.
	WeeklyAveragesOfMonth(ctx context.Context, date time.Time, kind contact.Kind) (contact.WeeklyAverages, error)
	// GroupByValues returns the groupings that the platform offers for a kind of contact, as named by
	// the platform. There is at least one.
	GroupByValues(ctx context.Context, kind contact.Kind) ([]string, error)
	// Groups returns the groups for a query, those with the most contacts first.
	Groups(ctx context.Context, q contact.GroupQuery) ([]contact.Group, error)

	// Calls returns contacts in the order of their start, or newest first if the query asks for the
	// newest contacts. progress is called for every page, in the caller's goroutine. It may be nil.
	Calls(ctx context.Context, q contact.Query, progress func(contact.Progress)) (model.FetchedList[contact.Call], error)
	// Call returns the contact with the given ID and its steps.
	Call(ctx context.Context, kind contact.Kind, id string) (contact.Call, error)
	// Contacts returns people from the address book. progress is called for every page, in the
	// caller's goroutine. It may be nil.
	Contacts(ctx context.Context, q contact.AddressQuery, progress func(contact.Progress)) (model.FetchedList[contact.Contact], error)
	// Contact returns the person with the given UUID from the address book.
	Contact(ctx context.Context, uuid string) (contact.Contact, error)
}
