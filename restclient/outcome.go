package restclient

import (
	"net/http"

	"wallboard/model/resource"
)

// The statuses of document 1 that are nobody else's, and one of nginx.
const (
	statusNotAllowed    = 570
	statusRecording     = 580
	statusClientClosed  = 499
	dialFailedException = "DialNumberGenericException"
	notFoundException   = "GenericObjectWasNotFoundException"
)

// outcomeOf is what an answer other than success says about an operation.
// Rejected needs an answer that can only come from a platform that did nothing.
func outcomeOf(op resource.Operation, status int, h http.Header, exception string) resource.Outcome {
	switch status {
	case statusRecording:
		// On a dial the call may be up without being recorded.
		if op == resource.OpRecordingStart || op == resource.OpRecordingStop {
			return resource.Rejected
		}
	case statusNotAllowed, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return resource.Rejected
	case http.StatusBadGateway:
		// A proxy that lost the platform on the way says 502, too.
		if op == resource.OpDial && exception == dialFailedException {
			return resource.Rejected
		}
	case http.StatusServiceUnavailable:
		// Who says when to come back has not begun; a proxy that lost the
		// platform does not know.
		if h.Get("Retry-After") != "" {
			return resource.Rejected
		}
	case http.StatusRequestTimeout, statusClientClosed:
		// Proxies say so of requests that they have passed on.
	default:
		if status/100 == 4 {
			return resource.Rejected
		}
	}
	return resource.Unknown
}

// conditionOf is the documented condition that an answer stands for, nil for
// none. See document 1, section Errors.
func conditionOf(op resource.Operation, status int, exception string) error {
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
		return ErrNowhere
	case http.StatusNotAcceptable:
		return ErrInvalidArgument
	case http.StatusConflict:
		return ErrExists
	case http.StatusPreconditionFailed:
		return ErrRequired
	case http.StatusBadGateway:
		if op == resource.OpDial && exception == dialFailedException {
			return ErrDialFailed
		}
	case http.StatusTooManyRequests:
		return ErrBusy
	case statusNotAllowed:
		return ErrNotAllowed
	case statusRecording:
		return ErrRecording
	default:
		if status/100 == 3 {
			return ErrRedirect
		}
	}
	return nil
}

// refusal is the error for an answer other than success.
func refusal(op resource.Operation, status int, h http.Header, body []byte, secrets ...string) *Error {
	exception := exceptionIn(body)
	return &Error{
		Operation: op,
		Status:    status,
		Exception: exception,
		Excerpt:   excerpt(string(body), secrets...),
		Outcome:   outcomeOf(op, status, h, exception),
		Err:       conditionOf(op, status, exception),
	}
}
