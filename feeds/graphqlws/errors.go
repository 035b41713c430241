package graphqlws

import (
	"errors"
	"fmt"
	"net/http"
	"time"
)

// Sentinels of the reasons why a session ends; test with errors.Is.
var (
	// ErrClosed is the reason after [Conn.Close].
	ErrClosed = errors.New("graphqlws: closed by this side")
	// ErrAckTimeout says that the server neither accepted nor refused in time.
	// Some servers refuse that way.
	ErrAckTimeout = errors.New("graphqlws: no connection_ack in time")
	// ErrDeadLink says that nothing came, not even after a request for a sign
	// of life. The error found is a [*DeadLinkError].
	ErrDeadLink = errors.New("graphqlws: dead link")
	// ErrQueueFull says that the link takes messages more slowly than they are sent.
	ErrQueueFull = errors.New("graphqlws: send queue full")
	// ErrTooBig says that a message was larger than Options.ReadLimit.
	ErrTooBig = errors.New("graphqlws: message larger than the read limit")
	// ErrLongAnswer says that more came than belongs to the opening of a session.
	ErrLongAnswer = errors.New("graphqlws: the answer to the upgrade is longer than 64 KiB")
	// ErrInternal says that this package, or a Handler, panicked. The error
	// found holds the stack.
	ErrInternal = errors.New("graphqlws: internal error")
	// ErrHandlerStuck is returned by [Conn.Close] when a Handler call does not return.
	ErrHandlerStuck = errors.New("graphqlws: a handler call does not return")
)

// HandshakeError is an HTTP answer other than a proper upgrade.
type HandshakeError struct {
	Status     int
	RetryAfter time.Duration // 0 when the server named none
	ServerDate time.Time     // zero without a Date header
	Location   string        // host and path of a redirect, which is never followed
}

// Error implements error.
func (e *HandshakeError) Error() string {
	return fmt.Sprintf("graphqlws: upgrade answered with %d %s", e.Status, http.StatusText(e.Status))
}

// SubprotocolError says that the server named a sub-protocol that does not
// exist, for instance both tokens in one.
type SubprotocolError struct {
	Got   string
	Offer string // the one sub-protocol to offer next
}

// Error implements error.
func (e *SubprotocolError) Error() string {
	return fmt.Sprintf("graphqlws: server chose the unknown sub-protocol %q", e.Got)
}

// TLSError is a failed TLS handshake that another attempt will not cure.
type TLSError struct{ Err error }

// Error implements error.
func (e *TLSError) Error() string { return "graphqlws: tls: " + e.Err.Error() }

// Unwrap returns the cause.
func (e *TLSError) Unwrap() error { return e.Err }

// HandshakeFailure returns the [*TLSError] of a failed TLS handshake, nil when
// the next try may well succeed. It is for requests beside the session, such as
// a login.
func HandshakeFailure(err error) error {
	if err == nil || transient(err) {
		return nil
	}
	return &TLSError{Err: err}
}

// AckError says that the server refused the session before it began.
type AckError struct {
	Message string
	Code    string // as in [GraphQLError]
	Err     error  // the *CloseError when the refusal was a close frame
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

// closeAbnormal is the code that stands for an end without a close frame
// (RFC 6455, section 7.4.1).
const closeAbnormal = 1006

// CloseError says that the server, or the network, ended the session.
type CloseError struct {
	Code        int
	Reason      string // at most 123 bytes, as the server sent it
	Subprotocol string // what was spoken
	Acked       bool   // whether the session had been accepted
	// SincePing is how long before the end a ping was sent that had no answer
	// yet; 0 when there was none.
	SincePing time.Duration
	Err       error // the network error behind code 1006
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

// DeadLinkError is the [ErrDeadLink] with its circumstances.
type DeadLinkError struct {
	Idle     time.Duration // how long nothing came
	Pinged   bool          // a ping was sent
	Probed   bool          // the probe query was sent
	Answered bool          // a ping had been answered earlier in the session
}

// Error implements error.
func (e *DeadLinkError) Error() string {
	return fmt.Sprintf("graphqlws: dead link: nothing for %v", e.Idle.Round(time.Second))
}

// Is reports that the target is [ErrDeadLink].
func (e *DeadLinkError) Is(target error) bool { return target == ErrDeadLink }
