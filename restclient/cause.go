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

// answerCause is an error that explains why a request got no complete answer. Its message quotes
// neither the request nor the platform.
type answerCause struct {
	text string
	err  error // the underlying error; nil if its text could quote the request or the platform
}

// Error implements error.
func (c *answerCause) Error() string { return c.text }

// Unwrap returns the underlying error.
func (c *answerCause) Unwrap() error { return c.err }

// noAnswerError returns the error of a request without an answer. err is the error of net/http.
func noAnswerError(op resource.Operation, t *requestTrace, err error) *Error {
	e := &Error{Operation: op, Outcome: resource.OutcomeUnknown, Err: describeCause(err, t.gotAnswer())}
	if t.abandon() {
		e.Outcome = resource.OutcomeNotSent
	}
	if t.lostPermission() {
		e.Err = ErrPermissionLost
	}
	return e
}

// describeCause returns an error that explains why a request got no complete answer. err is
// the error of net/http, whose message may quote a malformed answer and the address; the
// result quotes neither. answered reports whether a part of an answer arrived.
func describeCause(err error, answered bool) error {
	var (
		timeout net.Error
		dns     *net.DNSError
		op      *net.OpError
	)
	switch {
	case errors.Is(err, context.Canceled):
		return &answerCause{"cancelled", context.Canceled}
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return &answerCause{"timed out", context.DeadlineExceeded}
	case errors.As(err, &dns):
		return &answerCause{"the platform's host name is not known", dns}
	case errors.Is(err, syscall.ECONNREFUSED):
		return &answerCause{"the platform's address refused the connection", syscall.ECONNREFUSED}
	case netconn.TLSProblem(err) != "":
		return &answerCause{netconn.TLSProblem(err), nil}
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.ErrClosedPipe),
		errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE), errors.Is(err, net.ErrClosed):
		return &answerCause{"the connection was lost", io.ErrUnexpectedEOF}
	case answered:
		return &answerCause{"the answer is not HTTP", nil}
	case errors.As(err, &op) && op.Op == "dial":
		return &answerCause{"the platform cannot be reached", nil}
	}
	return &answerCause{"the connection failed", nil}
}
