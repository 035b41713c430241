package history

import (
	"encoding/json"
	"net/http"
	"strings"
)

// parseAnswer returns the data of a response by alias, or an [*Error]. Document 3, section
// Errors, describes neither the format nor the codes of errors, so parseAnswer classifies them
// by the status and the message.
func (w *transport) parseAnswer(status int, body []byte) (map[string]json.RawMessage, error) {
	var envelope struct {
		Data   map[string]json.RawMessage `json:"data"`
		Errors firstErrors                `json:"errors"`
	}
	decoded := len(body) <= maxAnswer && json.Unmarshal(body, &envelope) == nil
	message := w.errorText(envelope.Errors)
	fail := func(err error) error { return &Error{Status: errorStatus(status), Message: message, Err: err} }
	switch {
	case len(body) > maxAnswer:
		return nil, fail(ErrTooLarge)
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return nil, fail(ErrInvalidKey)
	case status == http.StatusTooManyRequests:
		return nil, fail(ErrRateLimit)
	case len(envelope.Errors) > 0:
		return nil, fail(classifyMessage(message))
	case status >= 300 && status < 400:
		message = "it answered with a redirect, which is not followed"
		return nil, fail(ErrInvalidAnswer)
	case status == http.StatusRequestTimeout, status == http.StatusGatewayTimeout:
		return nil, fail(ErrTimeout)
	case status == http.StatusBadGateway, status == http.StatusServiceUnavailable:
		return nil, fail(ErrUnavailable)
	case status != http.StatusOK:
		return nil, fail(ErrRefused)
	case !decoded || envelope.Data == nil:
		return nil, fail(ErrInvalidAnswer)
	}
	return envelope.Data, nil
}

// errorStatus returns the HTTP status for an [Error], or 0 for the status 200: if an error
// arrives with 200, only the message describes it.
func errorStatus(status int) int {
	if status == http.StatusOK {
		return 0
	}
	return status
}

// errorText returns the first message among the errors of an answer. It returns "" if there
// are no errors, and "it does not say why" if none has a message.
func (w *transport) errorText(errs []json.RawMessage) string {
	for _, raw := range errs {
		var text string
		if json.Unmarshal(raw, &text) == nil && text != "" {
			return w.cleanMessage(text)
		}
		var members map[string]json.RawMessage
		if json.Unmarshal(raw, &members) != nil {
			continue
		}
		for _, name := range []string{"message", "errorMessage", "description", "detail", "error"} {
			if json.Unmarshal(members[name], &text) == nil && text != "" {
				return w.cleanMessage(text)
			}
		}
	}
	if len(errs) > 0 {
		return "it does not say why"
	}
	return ""
}

// classifyMessage returns the error of this package that matches a message of the platform, or
// ErrRefused for an unknown message.
func classifyMessage(message string) error {
	text := strings.ToLower(message)
	has := func(words ...string) bool {
		for _, w := range words {
			if strings.Contains(text, w) {
				return true
			}
		}
		return false
	}
	switch {
	case has("rate limit", "rate-limit", "too many requests", "quota", "throttl"):
		return ErrRateLimit
	case has("api key", "api-key", "apikey", "unauthorized", "not authorized", "unauthenticated", "forbidden"):
		return ErrInvalidKey
	case has("year", "month") && has("required", "missing", "not provided", "must", "mandatory", "expected"):
		return ErrMonthRequired
	case has("limit", "pagination", "page") && has("1000", "maximum", "exceed", "greater", "too large", "required"):
		return ErrPageSize
	case has("cannot query field", "fieldundefined", "is undefined", "unknown field", "no such field", "unknown operation"):
		return ErrUnknownOperation
	case has("timeout", "timed out"):
		return ErrTimeout
	}
	return ErrRefused
}
