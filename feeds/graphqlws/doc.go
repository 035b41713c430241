// Package graphqlws is one GraphQL WebSocket connection, seen from the client:
// both sub-protocols, graphql-transport-ws and the legacy graphql-ws, on top of
// gorilla/websocket.
//
// It owns a single session, from the TCP connection to the last byte. It never
// reconnects and never retries: [Dial] makes a session, [Conn.Done] says that it
// ended, [Conn.Err] says why and [Classify] says what to do about it. The loop
// that makes the next session lives above.
//
// # Goroutines
//
// A session has exactly three, and all of them have ended when Done is closed:
//
//   - the reader owns the read half. It decodes frames and calls the [Handler],
//     one call at a time, in the order in which the frames came;
//   - the writer is the only caller of the write methods. It takes messages from
//     a bounded queue; a full queue ends the session, it never blocks a caller;
//   - the timer guards the acknowledgement, notices a dead link and cuts a
//     session that does not end on its own.
//
// The end of a session is one context with a cause. No channel is closed by
// anyone but its only sender.
//
// # Delivery
//
// Frames are delivered in order and none is dropped, merged or duplicated. A
// payload is valid only during the call, because all frames share one buffer.
// An operation has one terminator: [Handler.Fail] or [Handler.Complete],
// whichever comes first, and nothing after it. After [Conn.Unsubscribe] nothing
// more comes for that id, but for a call that was already under way. Operations
// that are open when the session ends get no terminator: the end of the session
// is theirs.
//
// A Handler that blocks blocks the session. It may call Subscribe, Unsubscribe
// and [Conn.Abort]; it must not call [Conn.Close], which waits for it.
//
// # Liveness
//
// Any byte is life. After Options.IdlePing without one the session asks for a
// sign (a ping of the sub-protocol, or a WebSocket ping for the legacy one, or
// the query in Options.Probe), and after Options.PongTimeout more it is dead.
package graphqlws
