package restclient

import (
	"context"
	"errors"
	"io"
	"net"
	"syscall"

	"wallboard/internal/lib/netconn"
	"wallboard/model/resource"
)

// cause explains why there was no answer, without quoting the request or the platform.
type cause struct {
	text string
	err  error // the underlying error; nil if its text could quote them
}

// Error implements error.
func (c *cause) Error() string { return c.text }

// Unwrap returns the underlying error.
func (c *cause) Unwrap() error { return c.err }

// noAnswerError returns the error of a request without an answer.
func noAnswerError(op resource.Operation, t *requestTrace, err error) *Error {
	e := &Error{Operation: op, Outcome: resource.Unknown, Err: causeOf(err, t.gotAnswer())}
	if t.abandon() {
		e.Outcome = resource.NotSent
	}
	if t.wasLate() {
		e.Err = ErrPermissionLost
	}
	return e
}

// causeOf explains why a request got no complete answer. The errors of net/http quote
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
		return &cause{"the platform's address refused the connection", syscall.ECONNREFUSED}
	case netconn.TLSProblem(err) != "":
		return &cause{netconn.TLSProblem(err), nil}
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
