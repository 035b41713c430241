// Package requests sends the operations of a subscription the way that a server wants
// them, and says what comes for them.
//
// A subscription speaks of one operation; the server may bear it only in pieces: no
// more than so many keys in a filter, or one record each where its updates do not say
// which record they are for. An operation in pieces is one to its owner, under one
// id: [Requests.Send] begins it, [Requests.Pump] goes on with it, [Requests.Gather]
// puts together what comes, [Requests.Cancel] ends all of it.
//
// [Requests] belong to one subscription and to one goroutine at a time; the feed's
// mutex guards them.
package requests
