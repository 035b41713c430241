// Package graphql connects to a GraphQL service and runs operations on it, over WebSocket or HTTP.
//
// A [Conn] is a session over WebSocket, with either sub-protocol: graphql-transport-ws, or the legacy
// graphql-ws. It never reconnects or retries: [Dial] opens a session, [Conn.Done] signals its end,
// [Conn.Err] returns the reason and [Classify] says how to react. The caller runs the reconnect loop.
//
// A [PollingConn] sends queries by HTTP POST (document 2, section HTTP), for networks that block
// WebSockets. It looks like a session, but it answers only queries and delivers nothing for
// subscriptions. The caller repeats the queries. A PollingConn limits how much of a response it reads.
//
// A [Login] provides the credentials for both (document 2, section Authentication): the configured
// credentials or the result of a login over HTTP. Servers differ in how they accept credentials.
// [CredentialWays] tracks which way to try.
//
// A [Document] is the text of an operation of document 2. A filter is a GraphQL literal, which can be
// parsed to select some of its names, or converted to a variable. How servers differ from document 2
// is the subject of package dialect.
//
// # Goroutines
//
// A [Conn] has exactly three, which have all ended when Done is closed:
//
//   - the reader owns the read half. It decodes frames and calls the
//     [Handler], one call at a time, in frame order;
//   - the writer is the only caller of the write methods. It takes messages
//     from a bounded queue; a full queue ends the session instead of
//     blocking the caller;
//   - the timer enforces the acknowledgement timeout, detects a dead link
//     and cuts a session that does not end on its own.
//
// The end of a session is the cancellation of one context with a cause. Every
// channel is closed by its only sender.
//
// A PollingConn has one goroutine for each query that may run at the same time and one that tests the
// connection. They have all ended when Close returns. A Login has none.
//
// # Delivery
//
// Frames are delivered in order; none is dropped, merged or duplicated. A payload is valid only
// during the call, because all frames share one buffer. An operation ends with [Handler.Fail] or
// [Handler.Complete], whichever comes first, and nothing after it. After [Conn.Unsubscribe] nothing
// more is delivered for that ID, except a call already in progress. Operations still open when the
// session ends get no final call.
//
// While a call of the Handler blocks, so does the session. The Handler may call Subscribe, Unsubscribe
// and [Conn.Abort]; it must not call [Conn.Close], which waits for the Handler.
//
// # Liveness
//
// Any received byte is a sign of life. After Options.IdlePing without one, the session sends a ping
// (of the sub-protocol, or a WebSocket ping for the legacy one) or the query in Options.Probe;
// after another Options.PongTimeout without an answer the link is dead.
package graphql
