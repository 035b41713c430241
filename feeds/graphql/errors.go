package graphql

import (
	"errors"
	"fmt"
	"net/http"
	"time"
)

// Reasons for the end of a session. Test for them with errors.Is.
var (
	// ErrClosed means that [Conn.Close] ended the session.
	ErrClosed = errors.New("graphql: closed by this side")
	// ErrAckTimeout means that the server neither accepted nor refused the session in time. Some
	// servers never answer a session that they refuse.
	ErrAckTimeout = errors.New("graphql: no connection_ack in time")
	// ErrDeadLink means that nothing was received for too long, not even an answer to a ping or
	// probe if one could be sent. The actual error is a [*DeadLinkError].
	ErrDeadLink = errors.New("graphql: dead link")
	// ErrQueueFull means that messages were queued faster than the connection could send them.
	ErrQueueFull = errors.New("graphql: send queue full")
	// ErrTooBig means that a message was larger than Options.ReadLimit.
	ErrTooBig = errors.New("graphql: message larger than the read limit")
	// ErrHandshakeTooLong means that the server or a proxy sent too much while the session was
	// being opened.
	ErrHandshakeTooLong = errors.New("graphql: the answer to the upgrade is longer than 64 KiB")
	// ErrInternal means that this package or a Handler has panicked. The actual error contains the
	// stack.
	ErrInternal = errors.New("graphql: internal error")
	// ErrHandlerStuck is returned by [Conn.Close] if a call of the Handler does not return in time.
	ErrHandlerStuck = errors.New("graphql: a handler call does not return")
)

// HandshakeError means that the server did not accept the upgrade to a WebSocket, or not in a valid form, or
// that it answered a query over HTTP with an error status and no JSON.
type HandshakeError struct {
	Status     int
	RetryAfter time.Duration // 0 if not given
	ServerDate time.Time     // zero without a Date header
	Location   string        // host and path of a redirect, which is never followed
	Challenge  string        // see [netconn.Challenge]; "" if wallboard supports the login method
}

// Error implements error.
func (e *HandshakeError) Error() string {
	return fmt.Sprintf("graphql: upgrade answered with %d %s", e.Status, http.StatusText(e.Status))
}

// SubprotocolError means that the server chose an unknown sub-protocol, for instance two names at
// once.
type SubprotocolError struct {
	Chosen string
	Offer  string // the only sub-protocol to offer next
}

// Error implements error.
func (e *SubprotocolError) Error() string {
	return fmt.Sprintf("graphql: server chose the unknown sub-protocol %q", e.Chosen)
}

// TLSError means that the TLS handshake failed and a retry will not help.
type TLSError struct{ Err error }

// Error implements error.
func (e *TLSError) Error() string { return "graphql: tls: " + e.Err.Error() }

// Unwrap returns the cause.
func (e *TLSError) Unwrap() error { return e.Err }

// TLSFailure returns a [*TLSError] if err is a failed TLS handshake for which a retry will not
// help, otherwise nil. It is meant for requests outside a session, such as a login.
func TLSFailure(err error) error {
	if err == nil || isTransient(err) {
		return nil
	}
	return &TLSError{Err: err}
}

// AckError means that the server refused the session instead of accepting it with connection_ack.
type AckError struct {
	Message string
	Code    string // as in [Error]
	Err     error  // the [*CloseError] if the server refused with a close frame, otherwise nil
}

// Error implements error.
func (e *AckError) Error() string {
	if e.Err != nil {
		return "graphql: session refused: " + e.Err.Error()
	}
	return "graphql: session refused: " + e.Message
}

// Unwrap returns the cause.
func (e *AckError) Unwrap() error { return e.Err }

// closeAbnormal is the code of a [CloseError] if the session ended without a close frame (RFC 6455,
// section 7.4.1).
const closeAbnormal = 1006

// CloseError means that the server or the network has ended the session.
type CloseError struct {
	Code        int
	Reason      string // at most 123 bytes, as sent by the server
	Subprotocol string // sub-protocol in use
	Accepted    bool   // the server had accepted the session before
	// SincePing is the time from an unanswered ping to the end of the session. It is 0 if the last
	// ping was answered or none was sent.
	SincePing time.Duration
	Err       error // network error if Code is 1006
}

// Error implements error.
func (e *CloseError) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("graphql: connection lost: %v", e.Err)
	}
	return fmt.Sprintf("graphql: closed with %d %s", e.Code, e.Reason)
}

// Unwrap returns the cause.
func (e *CloseError) Unwrap() error { return e.Err }

// DeadLinkError describes how a link was found dead. [errors.Is] matches it with [ErrDeadLink].
type DeadLinkError struct {
	Idle     time.Duration // how long nothing was received
	Pinged   bool          // a ping was sent during this time
	Probed   bool          // the probe query was sent during this time
	Answered bool          // a ping had been answered earlier in the session
}

// Error implements error.
func (e *DeadLinkError) Error() string {
	return fmt.Sprintf("graphql: dead link: nothing for %v", e.Idle.Round(time.Second))
}

// Is reports whether target is [ErrDeadLink].
func (e *DeadLinkError) Is(target error) bool { return target == ErrDeadLink }
