// Package graphqlws implements a client connection for GraphQL over WebSocket with both
// sub-protocols, graphql-transport-ws and the legacy graphql-ws, on top of gorilla/websocket.
//
// It owns a single session, from the TCP connection to the last byte. It never reconnects or
// retries: [Dial] opens a session, [Conn.Done] signals its end, [Conn.Err] returns the reason and
// [Classify] says how to react. The caller runs the reconnect loop.
//
// # Goroutines
//
// A session has exactly three, which have all ended when Done is closed:
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
// # Delivery
//
// Frames are delivered in order; none is dropped, merged or duplicated. A payload is valid only
// during the call, because all frames share one buffer. An operation ends with [Handler.Fail] or
// [Handler.Complete], whichever comes first, and nothing after it. After [Conn.Unsubscribe] nothing
// more is delivered for that ID, except a call already in progress. Operations still open when the
// session ends get no final call.
//
// A Handler that blocks blocks the session. It may call Subscribe, Unsubscribe
// and [Conn.Abort]; it must not call [Conn.Close], which waits for it.
//
// # Liveness
//
// Any received byte is a sign of life. After Options.IdlePing without one, the session sends a ping
// (of the sub-protocol, or a WebSocket ping for the legacy one) or the query in Options.Probe;
// after another Options.PongTimeout without an answer the link is dead.
package graphqlws
