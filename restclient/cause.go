package restclient

import (
	"context"
	"errors"
	"io"
	"net"
	"syscall"

	"wallboard/internal/handshake"
	"wallboard/model/resource"
)

// cause is why there was no answer, in words that quote neither the request nor
// the platform.
type cause struct {
	text string
	err  error // nil where its text could quote them
}

// Error implements error.
func (c *cause) Error() string { return c.text }

// Unwrap returns the error behind it.
func (c *cause) Unwrap() error { return c.err }

// died is the error of a request that got no answer.
func died(op resource.Operation, t *trace, err error) *Error {
	e := &Error{Operation: op, Outcome: resource.Unknown, Err: causeOf(err, t.gotAnswer())}
	if t.abandon() {
		e.Outcome = resource.NotSent
	}
	if t.wasLate() {
		e.Err = ErrLate
	}
	return e
}

// causeOf says why a request got no whole answer. net/http's errors repeat
// malformed answers and the request's address.
func causeOf(err error, answered bool) error {
	var (
		timeout net.Error
		dns     *net.DNSError
		op      *net.OpError
	)
	switch {
	case errors.Is(err, context.Canceled):
		return &cause{"cancelled", context.Canceled}
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return &cause{"timed out", context.DeadlineExceeded}
	case errors.As(err, &dns):
		return &cause{"the platform's host name is not known", dns}
	case errors.Is(err, syscall.ECONNREFUSED):
		return &cause{"nobody answers at the platform's address", syscall.ECONNREFUSED}
	case handshake.Problem(err) != "":
		return &cause{handshake.Problem(err), nil}
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.ErrClosedPipe),
		errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE), errors.Is(err, net.ErrClosed):
		return &cause{"the connection was lost", io.ErrUnexpectedEOF}
	case answered:
		return &cause{"the answer is not HTTP", nil}
	case errors.As(err, &op) && op.Op == "dial":
		return &cause{"the platform cannot be reached", nil}
	}
	return &cause{"the connection failed", nil}
}
