package rest

import (
	"errors"
	"fmt"
	"html"
	"net/http"
	"strings"

	"wallboard/internal/simulator/webservice"
	"wallboard/internal/simulator/world"
)

// Statuses that document 1 uses but HTTP does not define.
const (
	statusNotAllowed      = 570
	statusRecordingFailed = 580
)

// restError is an error as described in document 1, section Errors: a status, an optional
// exception name and a message.
type restError struct {
	status    int
	exception string
	message   string
}

// Error returns the exception name, if any, and the message.
func (e *restError) Error() string {
	if e.exception == "" {
		return e.message
	}
	return e.exception + ": " + e.message
}

func unauthenticatedError(message string) error {
	return &restError{http.StatusUnauthorized, "AuthorizationRequiredException", message}
}

func notFoundError(kind, id string) error {
	return &restError{http.StatusNotFound, "GenericObjectWasNotFoundException", fmt.Sprintf("%s %s not found", kind, id)}
}

func invalidError(message string) error {
	return &restError{http.StatusNotAcceptable, "InvalidArgumentException", message}
}

func missingFieldError(field string) error {
	return &restError{http.StatusPreconditionFailed, "GenericObjectRequiredException", field + " is required"}
}

// failedPreconditionError returns the error with status 412 and without an exception name. Document
// 1 shows it for changes of the address book and for dialing.
func failedPreconditionError(message string) error {
	return &restError{http.StatusPreconditionFailed, "", message}
}

// malformedError returns the error for a request that cannot be parsed. Document 1 does not
// describe this error.
func malformedError(message string) error {
	return &restError{http.StatusBadRequest, "", message}
}

// worldError converts an error of the world to an error of document 1. kind and id describe
// the object of the request.
func worldError(err error, kind, id string) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, world.ErrInvalid):
		return invalidError(err.Error())
	case errors.Is(err, world.ErrDialFailed):
		return &restError{http.StatusBadGateway, "DialNumberGenericException", err.Error()}
	case errors.Is(err, world.ErrRecording):
		return &restError{statusRecordingFailed, "RecordingException", err.Error()}
	case errors.Is(err, world.ErrExists):
		return &restError{http.StatusConflict, "GenericObjectExistsException", err.Error()}
	}
	return notFoundError(kind, id)
}

// errorReply returns the answer for an error, in the format selected by [Options.Errors].
func (s *Service) errorReply(err error) reply {
	var e *restError
	if !errors.As(err, &e) {
		e = &restError{status: http.StatusInternalServerError, message: err.Error()}
	}
	if e.exception == "" && e.message == "" {
		return reply{status: e.status}
	}
	switch s.opts.Errors {
	case ErrorsEmpty:
		return reply{status: e.status}
	case ErrorsText:
		return reply{e.status, "text/plain; charset=utf-8", []byte(e.Error() + "\n")}
	case ErrorsHTML:
		title := fmt.Sprintf("HTTP Status %d", e.status)
		page := fmt.Sprintf("<!doctype html><html><head><title>%s</title></head><body><h1>%s</h1><p><b>Message</b> %s</p></body></html>\n",
			title, title, html.EscapeString(e.Error()))
		return reply{e.status, "text/html; charset=utf-8", []byte(page)}
	case ErrorsFields:
		problem := object{"defaultMessage": e.message}
		if field, found := strings.CutSuffix(e.message, " is required"); found {
			problem = object{"field": field, "defaultMessage": "is required"}
		}
		return reply{e.status, jsonContentType, webservice.JSON(object{"title": "Validation failed", "status": e.status, "errors": []any{problem}})}
	case ErrorsHostile:
		const hostileLength = 1 << 20 // bytes
		page := "<html>" + e.exception + strings.Repeat("<script", hostileLength/len("<script"))
		return reply{e.status, "text/html; charset=utf-8", []byte(page)}
	case ErrorsJSON:
	}
	body := object{"message": e.message}
	if e.exception != "" {
		body["exception"] = e.exception
	}
	return reply{e.status, jsonContentType, webservice.JSON(body)}
}
