package history

import (
	"context"
	"time"

	"wallboard/model"
	"wallboard/model/past"
)

// Reader tells what has been. A board without one has no history: a nil
// Reader.
//
// Its methods are safe for concurrent use, take their time, and are called from
// commands, never from Update, but for Budget and State, which return at once.
// Errors are one sentence for a supervisor, clean and without secrets; those of
// a context that ended are context.Canceled. How far they are is told to who is
// in the context (past.WithProgress).
type Reader interface {
	// State is one line about the service: its address and what is known about
	// it, or what is wrong; ok is false when nothing can be read from it.
	State() (text string, ok bool)
	// Insecure reports whether the service's certificate goes unverified.
	Insecure() bool
	// Location is the time zone of the days and hours.
	Location() *time.Location
	// Budget is how much of the platform's limit of requests is used.
	Budget() past.Budget

	// Day returns the day of date against the last four of its weekday.
	Day(ctx context.Context, date time.Time, kind past.Kind) (past.Comparison, error)
	// DayAgainst returns the day of date against one other day.
	DayAgainst(ctx context.Context, date, other time.Time, kind past.Kind) (past.Comparison, error)
	// Heat returns the weeks that end with the day of date.
	Heat(ctx context.Context, date time.Time, weeks int, kind past.Kind) (past.Heat, error)
	// HeatOfMonth returns the month of the calendar that date is in.
	HeatOfMonth(ctx context.Context, date time.Time, kind past.Kind) (past.Heat, error)
	// GroupBys returns what contacts of a kind can be grouped by, as the
	// platform calls it; the first is always there.
	GroupBys(ctx context.Context, kind past.Kind) ([]string, error)
	// Groups returns the entities with the most contacts first.
	Groups(ctx context.Context, q past.GroupQuery) ([]past.Group, error)

	// Calls returns contacts, the first to begin first, or as the query says. progress, which may be
	// nil, is told of every page, in the goroutine of the caller.
	Calls(ctx context.Context, q past.Query, progress func(past.Progress)) (model.Found[past.Call], error)
	// Call returns one contact with its steps.
	Call(ctx context.Context, kind past.Kind, id string) (past.Call, error)
	// Contacts returns contacts of the address book; progress as for Calls.
	Contacts(ctx context.Context, q past.ContactQuery, progress func(past.Progress)) (model.Found[past.Contact], error)
	// Contact returns one contact of the address book.
	Contact(ctx context.Context, uuid string) (past.Contact, error)
}
