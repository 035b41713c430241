// Package history speaks the platform's statistical data service (document 3):
// every operation of it, typed, and the figures that are made from its counts.
//
// # Budget
//
// The platform takes 100 requests a minute. All clients on a machine that name
// the same [Options.BudgetFile] share them: a request waits for its place, and
// what runs by itself (see past.InBackground) leaves 20 of them to what a person
// asks for. When the platform refuses a request for its rate all the same, the
// pace is halved for two minutes. A context whose deadline is nearer than the
// next free place gets [ErrBudget] at once.
//
// To need few requests, many counts go out in one, under aliases, until the
// server is found not to bear it; the same question asked twice at a time goes
// out once; and answers are kept in [Options.CacheDir]: for good when their
// month is over, for a day when they are of an earlier day of this month, else
// for a minute. Contacts of the address book are kept in memory only.
//
// # Time
//
// Every search names year and month (document 3, section Limits), and document 3
// does not say in which time zone a month begins. A range that touches the
// beginning of a month, in UTC or in [Options.Location], is therefore asked for
// in both months; the times of the search keep what is counted in its bounds.
//
// # Delivery
//
// Everything only reads. A request whose connection was lost is repeated once,
// one that was refused for its rate twice, after the time that the platform
// names. [past.WithProgress] tells how far a question is. Every error is an [*Error], without
// the key and without addresses, or that of the context.
//
// # Goroutines
//
// A [Client] is safe for concurrent use and has no goroutine but net/http's for
// its connections, which end soon after [Client.Close].
package history
