// Package requests sends the operations of a subscription in the form that a
// server accepts, and assembles the answers.
//
// A server may accept an operation only in pieces: with a limited number of
// keys per filter, or one subscription per record if its updates do not say
// which record they are for. To its owner, an operation in pieces is a single
// operation with one id: [Requests.Send] starts it, [Requests.SendDue] sends due
// pieces, [Requests.Gather] assembles the answers, [Requests.Cancel] ends all
// pieces.
//
// [Requests] belongs to one subscription and is not safe for concurrent use;
// the feed's mutex guards it.
package requests
