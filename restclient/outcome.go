package restclient

import (
	"fmt"
	"net/http"

	"wallboard/internal/lib/netconn"
	"wallboard/model/resource"
)

// Statuses and exceptions of document 1 that are not part of HTTP, and the status 499 of nginx.
const (
	statusNotAllowed    = 570
	statusRecording     = 580
	statusClientClosed  = 499
	dialFailedException = "DialNumberGenericException"
	notFoundException   = "GenericObjectWasNotFoundException"
)

// outcomeOf returns the outcome of an operation after an unsuccessful answer: [resource.OutcomeRejected]
// if the answer certainly means that the platform did nothing, otherwise [resource.OutcomeUnknown].
func outcomeOf(op resource.Operation, status int, h http.Header, exception string) resource.Outcome {
	switch status {
	case statusRecording:
		// For other operations, such as a dial with recording, the call may have been made
		// without being recorded.
		if op == resource.OpRecordingStart || op == resource.OpRecordingStop {
			return resource.OutcomeRejected
		}
	case statusNotAllowed, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return resource.OutcomeRejected
	case http.StatusBadGateway:
		// A proxy also answers 502 if it passed the request on and then lost the connection to
		// the platform.
		if op == resource.OpDial && exception == dialFailedException {
			return resource.OutcomeRejected
		}
	case http.StatusServiceUnavailable:
		// A server that sends Retry-After has not begun to handle the request. A proxy that lost
		// the connection to the platform does not send Retry-After.
		if h.Get("Retry-After") != "" {
			return resource.OutcomeRejected
		}
	case http.StatusRequestTimeout, statusClientClosed: // a proxy may have passed the request on
	default:
		if status/100 == 4 {
			return resource.OutcomeRejected
		}
	}
	return resource.OutcomeUnknown
}

// errorOfStatus returns the error of this package for the status and the exception of an answer
// (document 1, section Errors), or nil if there is none.
func errorOfStatus(op resource.Operation, status int, exception string) error {
	switch status {
	case http.StatusUnauthorized:
		return ErrUnauthorized
	case http.StatusForbidden:
		if op == resource.OpLogin || op == resource.OpLoginByToken {
			return ErrPasswordExpired
		}
	case http.StatusNotFound:
		if exception == notFoundException {
			return ErrNotFound
		}
		return ErrPathNotFound
	case http.StatusNotAcceptable:
		return ErrInvalidArgument
	case http.StatusConflict:
		return ErrExists
	case http.StatusPreconditionFailed:
		return ErrPreconditionFailed
	case http.StatusBadGateway:
		if op == resource.OpDial && exception == dialFailedException {
			return ErrDialFailed
		}
	case http.StatusTooManyRequests:
		return ErrRateLimited
	case statusNotAllowed:
		return ErrNotAllowed
	case statusRecording:
		return ErrRecordingFailed
	default:
		if status/100 == 3 {
			return ErrRedirect
		}
	}
	return nil
}

// answerError returns the error for an unsuccessful answer. It contains none of the secrets.
func answerError(op resource.Operation, status int, h http.Header, body []byte, secrets ...string) *Error {
	exception := exceptionIn(body)
	condition := errorOfStatus(op, status, exception)
	if challenge := netconn.Challenge(status, h); challenge != "" {
		condition = fmt.Errorf("%w; %s", condition, challenge)
	}
	return &Error{
		Operation: op,
		Status:    status,
		Exception: exception,
		Excerpt:   excerpt(string(body), secrets...),
		Outcome:   outcomeOf(op, status, h, exception),
		Err:       condition,
	}
}
