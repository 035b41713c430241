// Package restclient is a client of the platform's configuration REST service (document 1).
// It has a method for every operation of both documented editions, and iterators that read
// long lists page by page. It makes no decisions: callers handle errors and unknown outcomes.
//
// # Delivery
//
// A request that changes something on the platform is sent once, over its own connection. It is sent once more
// only if it was not executed: after an answer of 401 and a new login, or to another path if its path does not
// exist. GET requests that only read are tried up to three times; any request that only reads is also repeated
// when the platform asks to wait. Redirects are never followed.
//
// Every error is an [*Error] whose outcome says what is known about the operation: "not sent" if the request
// cannot have left completely, "rejected" if the platform's answer says that nothing was done, otherwise
// "unknown" (see [resource.Outcome]). A successful answer that is truncated or not in the documented format
// means "unknown" too, because proxies and login pages also answer 200.
//
// # Login
//
// With [AuthSession] the client logs in with the first request that needs it, and again
// when the platform answers 401. Only one login runs at a time, however many requests wait for it. Refused
// credentials are not sent again until [Session.AllowRefusedCredentials] is called, so that no account is
// locked. With [AuthBasic] and [AuthBearer], requests are sent one at a time until the platform has accepted
// the credentials.
//
// # Secrets and hostile text
//
// Errors and log lines contain no secrets, no addresses and nothing from the request. Text from the platform
// is clean (see model.CleanText) in every error and in every result except that of [Lists.AddItems].
//
// # Goroutines
//
// A [Client] is safe for concurrent use. All subjects send their requests through its
// [Session]. The client starts one goroutine per login, which runs for at most ten seconds,
// and net/http starts some for connections. All of them end soon after [Client.Close].
package restclient
