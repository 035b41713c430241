// Package restclient speaks the platform's configuration REST service
// (document 1): every operation of both documented editions, one method each,
// and one HTTP request per call. It decides nothing: what to do about an error
// or an unclear outcome is its caller's business.
//
// # Delivery
//
// What changes something on the platform is sent once, over a connection of
// its own, and never again; the one exception is an answer of 401, after which
// the request is repeated once behind a new login, because it was not carried
// out. What only reads by GET is tried three times. Redirects are not
// followed, whatever they are for.
//
// Every error is an [*Error] that says what is known about the operation:
// NotSent when the request cannot have left completely, Rejected when the
// platform's answer says that nothing was done, else Unknown. An answer of
// success that is cut off, or is not of the documented shape, is Unknown too:
// a proxy or a login page answers 200 as well as the platform does, and who
// asked must read back anyway to learn what the answer would have told.
//
// # Login
//
// With [AuthSession] the client logs in when the first request needs it, and
// again when the platform answers 401. However many requests wait, one login
// runs. Credentials that were refused are not sent again until [Session.Retry],
// so that no account gets locked; with [AuthBasic] and [AuthBearer] the requests
// go out one at a time until the platform has taken the credentials once.
//
// # Secrets and hostile text
//
// Errors and log lines hold no secret, no address and nothing that a request
// carried. Text of the platform is clean (see model.CleanText) in every result
// and error.
//
// # Goroutines
//
// A [Client] holds one type for each subject of document 1; all of them send their
// requests through its one [Session]. It is safe for concurrent use. It starts a goroutine per login, ten
// seconds long at most, and net/http's for its connections; all have ended
// soon after [Client.Close].
package restclient
