package simulator

import (
	"errors"
	"fmt"
	"html"
	"net/http"
	"strings"

	"wallboard/simulator/world"
)

// The statuses of document 1 that HTTP has no names for.
const (
	statusNotAllowed = 570
	statusRecording  = 580
)

// restError is an error of document 1, section Errors: a status, the name of an
// exception, which some have not, and words of our own.
type restError struct {
	status    int
	exception string
	message   string
}

// Error returns the exception, if it has a name, and the message.
func (e *restError) Error() string {
	if e.exception == "" {
		return e.message
	}
	return e.exception + ": " + e.message
}

func unauthenticated(message string) error {
	return &restError{http.StatusUnauthorized, "AuthorizationRequiredException", message}
}

func notFound(what, which string) error {
	return &restError{http.StatusNotFound, "GenericObjectWasNotFoundException", fmt.Sprintf("%s %s not found", what, which)}
}

func invalid(message string) error {
	return &restError{http.StatusNotAcceptable, "InvalidArgumentException", message}
}

func missing(field string) error {
	return &restError{http.StatusPreconditionFailed, "GenericObjectRequiredException", field + " is required"}
}

// unnamed is a failed precondition for which document 1 names no exception:
// address book writes and dial.
func unnamed(message string) error {
	return &restError{http.StatusPreconditionFailed, "", message}
}

// malformed is what document 1 does not speak of: a request that cannot be
// read.
func malformed(message string) error {
	return &restError{http.StatusBadRequest, "", message}
}

// worldError returns an error of the world as the operation has it.
func worldError(err error, what, which string) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, world.ErrInvalid):
		return invalid(err.Error())
	case errors.Is(err, world.ErrDialFailed):
		return &restError{http.StatusBadGateway, "DialNumberGenericException", err.Error()}
	case errors.Is(err, world.ErrRecording):
		return &restError{statusRecording, "RecordingException", err.Error()}
	case errors.Is(err, world.ErrExists):
		return &restError{http.StatusConflict, "GenericObjectExistsException", err.Error()}
	}
	return notFound(what, which)
}

// failure returns the answer that tells an error, in the form that was chosen.
func (r *rest) failure(err error) restAnswer {
	var e *restError
	if !errors.As(err, &e) {
		e = &restError{status: http.StatusInternalServerError, message: err.Error()}
	}
	if e.exception == "" && e.message == "" {
		return restAnswer{status: e.status}
	}
	switch r.s.opts.RESTErrors {
	case RESTErrorsEmpty:
		return restAnswer{status: e.status}
	case RESTErrorsText:
		return restAnswer{e.status, "text/plain; charset=utf-8", []byte(e.Error() + "\n")}
	case RESTErrorsHTML:
		title := fmt.Sprintf("HTTP Status %d", e.status)
		page := fmt.Sprintf("<!doctype html><html><head><title>%s</title></head><body><h1>%s</h1><p><b>Message</b> %s</p></body></html>\n",
			title, title, html.EscapeString(e.Error()))
		return restAnswer{e.status, "text/html; charset=utf-8", []byte(page)}
	case RESTErrorsFields:
		problem := object{"defaultMessage": e.message}
		if field, found := strings.CutSuffix(e.message, " is required"); found {
			problem = object{"field": field, "defaultMessage": "is required"}
		}
		return restAnswer{e.status, jsonType, mustJSON(object{"title": "Validation failed", "status": e.status, "errors": []any{problem}})}
	case RESTErrorsHostile:
		const much = 1 << 20 // bytes
		page := "<html>" + e.exception + strings.Repeat("<script", much/len("<script"))
		return restAnswer{e.status, "text/html; charset=utf-8", []byte(page)}
	case RESTErrorsJSON:
	}
	body := object{"message": e.message}
	if e.exception != "" {
		body["exception"] = e.exception
	}
	return restAnswer{e.status, jsonType, mustJSON(body)}
}
