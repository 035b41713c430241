package graphqlws

import (
	"errors"
	"fmt"
	"net/http"
	"time"
)

// Reasons why a session ends; test with errors.Is.
var (
	// ErrClosed is the reason after [Conn.Close].
	ErrClosed = errors.New("graphqlws: closed by this side")
	// ErrAckTimeout means that the server neither accepted nor refused in time.
	// Some servers refuse that way.
	ErrAckTimeout = errors.New("graphqlws: no connection_ack in time")
	// ErrDeadLink means that nothing was received, not even after a ping or
	// probe. The actual error is a [*DeadLinkError].
	ErrDeadLink = errors.New("graphqlws: dead link")
	// ErrQueueFull means that messages are produced faster than the link takes
	// them.
	ErrQueueFull = errors.New("graphqlws: send queue full")
	// ErrTooBig means that a message was larger than Options.ReadLimit.
	ErrTooBig = errors.New("graphqlws: message larger than the read limit")
	// ErrHandshakeTooLong means that the peer sent too much while the session was
	// opened.
	ErrHandshakeTooLong = errors.New("graphqlws: the answer to the upgrade is longer than 64 KiB")
	// ErrInternal means that this package or a Handler panicked. The actual
	// error contains the stack.
	ErrInternal = errors.New("graphqlws: internal error")
	// ErrHandlerStuck is returned by [Conn.Close] if a Handler call does not
	// return.
	ErrHandlerStuck = errors.New("graphqlws: a handler call does not return")
)

// HandshakeError is an HTTP answer other than a valid upgrade.
type HandshakeError struct {
	Status     int
	RetryAfter time.Duration // 0 if not given
	ServerDate time.Time     // zero without a Date header
	Location   string        // host and path of a redirect, which is never followed
}

// Error implements error.
func (e *HandshakeError) Error() string {
	return fmt.Sprintf("graphqlws: upgrade answered with %d %s", e.Status, http.StatusText(e.Status))
}

// SubprotocolError means that the server chose an unknown sub-protocol, for
// instance both names in one.
type SubprotocolError struct {
	Got   string
	Offer string // the one sub-protocol to offer next
}

// Error implements error.
func (e *SubprotocolError) Error() string {
	return fmt.Sprintf("graphqlws: server chose the unknown sub-protocol %q", e.Got)
}

// TLSError is a failed TLS handshake that a retry will not cure.
type TLSError struct{ Err error }

// Error implements error.
func (e *TLSError) Error() string { return "graphqlws: tls: " + e.Err.Error() }

// Unwrap returns the cause.
func (e *TLSError) Unwrap() error { return e.Err }

// TLSFailure returns the [*TLSError] of a failed TLS handshake, or nil if
// a retry may succeed. It is for requests outside the session, such as a login.
func TLSFailure(err error) error {
	if err == nil || isTransient(err) {
		return nil
	}
	return &TLSError{Err: err}
}

// AckError means that the server refused the session before it began.
type AckError struct {
	Message string
	Code    string // as in [GraphQLError]
	Err     error  // the *CloseError if the server refused with a close frame
}

// Error implements error.
func (e *AckError) Error() string {
	if e.Err != nil {
		return "graphqlws: session refused: " + e.Err.Error()
	}
	return "graphqlws: session refused: " + e.Message
}

// Unwrap returns the cause.
func (e *AckError) Unwrap() error { return e.Err }

// closeAbnormal represents an end without a close frame (RFC 6455, section
// 7.4.1).
const closeAbnormal = 1006

// CloseError means that the server or the network ended the session.
type CloseError struct {
	Code        int
	Reason      string // at most 123 bytes, as sent by the server
	Subprotocol string // sub-protocol in use
	Accepted    bool   // the session had been accepted
	// SincePing is how long before the end an unanswered ping was sent; 0:
	// none.
	SincePing time.Duration
	Err       error // the network error for code 1006
}

// Error implements error.
func (e *CloseError) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("graphqlws: connection lost: %v", e.Err)
	}
	return fmt.Sprintf("graphqlws: closed with %d %s", e.Code, e.Reason)
}

// Unwrap returns the cause.
func (e *CloseError) Unwrap() error { return e.Err }

// DeadLinkError is an [ErrDeadLink] with details.
type DeadLinkError struct {
	Idle     time.Duration // how long nothing was received
	Pinged   bool          // a ping was sent
	Probed   bool          // the probe query was sent
	Answered bool          // a ping had been answered earlier in the session
}

// Error implements error.
func (e *DeadLinkError) Error() string {
	return fmt.Sprintf("graphqlws: dead link: nothing for %v", e.Idle.Round(time.Second))
}

// Is reports whether target is [ErrDeadLink].
func (e *DeadLinkError) Is(target error) bool { return target == ErrDeadLink }
