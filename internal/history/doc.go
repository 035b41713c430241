// Package history is a client of the platform's statistical data service (document 3). It covers
// all operations with typed results, and computes figures from the counts.
//
// # Rate limit
//
// The platform accepts 100 requests per minute. All clients on a machine that use the same
// [Options.BudgetFile] share this budget. Requests wait for capacity, and background requests (see
// [contact.InBackground]) leave 20 requests per minute to interactive ones. If the platform rejects
// a request because of its rate anyway, the allowed rate is halved for two minutes. If the context
// of a request would end before there is capacity, the request fails with [ErrBudgetExhausted] at once.
//
// To save requests, several counts are combined in one request with aliases, unless the server does
// not support aliases. Identical concurrent queries are sent once. Answers are stored in
// [Options.CacheDir]. If their period ended more than a day ago, they are kept for a day or, if
// their month is over, without limit. The schema is kept for a day, and all other answers for a
// minute. Contacts of the address book are kept only in memory.
//
// # Time
//
// Every search names a year and a month (document 3, section Limits). Document 3 does not say in
// which time zone a month begins. A range that touches the start of a month, in UTC or in
// [Options.Location], is therefore requested in both months. The times in the search limit the
// results to the range.
//
// # Delivery
//
// All requests are read-only. A request is repeated once if the connection was lost. It is sent up to
// three times if the service is unavailable, or if the platform rejected it because of its rate. After
// such a rejection, the client waits for the time that the platform specifies.
// [contact.WithProgress] reports the progress of a query. Every error is that of the context or an
// [*Error], which contains no key and no address.
//
// # Goroutines
//
// A [Client] is safe for concurrent use. Its only goroutines are those of net/http for connections,
// which end soon after [Client.Close].
package history
