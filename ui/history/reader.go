package history

import (
	"context"
	"time"

	"wallboard/model"
	"wallboard/model/contact"
)

// Reader reads the history from the statistical data service. A board with a nil Reader has
// no history.
//
// Its methods are safe for concurrent use. All but Budget, State, Insecure and Location may
// block and are called only from commands. Error texts are sentences for the viewer and contain no
// secrets; if the context has ended, the error is context.Canceled. Progress is reported to the
// function in the context (contact.WithProgress).
type Reader interface {
	// State describes the service in one line: its address and status, or the error. ok is false if
	// the history cannot be read.
	State() (text string, ok bool)
	// Insecure reports whether the service's certificate is not verified.
	Insecure() bool
	// Location returns the time zone of days and hours.
	Location() *time.Location
	// Budget returns how many requests the platform allows, and how many of them are used.
	Budget() contact.Budget

	// Day compares the day of date with the last four days of the same weekday.
	Day(ctx context.Context, date time.Time, kind contact.Kind) (contact.Comparison, error)
	// DayAgainst compares the day of date with one other day.
	DayAgainst(ctx context.Context, date, other time.Time, kind contact.Kind) (contact.Comparison, error)
	// Heat returns the mean number of contacts in each hour of the week, over the weeks that end
	// with the day of date.
	Heat(ctx context.Context, date time.Time, weeks int, kind contact.Kind) (contact.Heat, error)
	// HeatOfMonth is like Heat, over the calendar month of date.
	HeatOfMonth(ctx context.Context, date time.Time, kind contact.Kind) (contact.Heat, error)
	// GroupBys returns the groupings that the platform offers for a kind of contact, as named by
	// the platform. There is at least one.
	GroupBys(ctx context.Context, kind contact.Kind) ([]string, error)
	// Groups returns the groups of a grouping in descending order of their number of contacts.
	Groups(ctx context.Context, q contact.GroupQuery) ([]contact.Group, error)

	// Calls returns contacts in ascending order of their start. If the query asks for the newest
	// contacts, the order is descending. progress is called for every page on the caller's
	// goroutine; it may be nil.
	Calls(ctx context.Context, q contact.Query, progress func(contact.Progress)) (model.Found[contact.Call], error)
	// Call returns the contact with an ID, with its steps.
	Call(ctx context.Context, kind contact.Kind, id string) (contact.Call, error)
	// Contacts returns people of the address book. progress is used as in Calls.
	Contacts(ctx context.Context, q contact.AddressQuery, progress func(contact.Progress)) (model.Found[contact.Contact], error)
	// Contact returns one person of the address book.
	Contact(ctx context.Context, uuid string) (contact.Contact, error)
}
