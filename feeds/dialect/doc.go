// Package dialect adapts requests to one server. It combines the values that the configuration pins
// with those learned from the server's errors, its schema and its data. A [Dialect] renders
// operations, interprets errors, weighs evidence, periodically tests what was learned earlier, and
// searches for the cause of errors that name none. It does no I/O: the caller sends the operations
// that a Dialect renders and passes the answers back.
//
// [Requests] sends the operations of one subscription on the caller's [Connection], in the form
// that the server accepts, and assembles the answers. A server may accept an operation only in
// pieces: with a limited number of keys per filter, or one subscription per record if its updates
// do not say which record they are for. To its owner, an operation in pieces is a single operation
// with one ID: [Requests.Send] starts it, [Requests.SendDue] sends due pieces,
// [Requests.AssembleAnswer] assembles the answers, [Requests.Cancel] ends all pieces.
//
// [CounterChecker] and [WaitTracker] derive from the counters of services what document 2 leaves
// open or does not send.
//
// The package opens no connections, starts no goroutines and takes no locks; the feed's mutex
// guards its types.
package dialect
