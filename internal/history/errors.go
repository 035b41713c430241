package history

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"wallboard/internal/lib/secret"
	"wallboard/model"
)

// The errors of this package, for use with [errors.Is].
var (
	// ErrInvalidKey means that the platform rejected the API key or did not receive one.
	ErrInvalidKey = errors.New("API key rejected")
	// ErrBudgetExhausted means that the budget of this minute is used up and that the context would end
	// before the next request is possible. [Error.Retry] is the time at which it is possible.
	ErrBudgetExhausted = errors.New("request budget of this minute used up")
	// ErrRateLimit means that the platform rejected the request because of its rate.
	ErrRateLimit = errors.New("platform rejected the request: rate limit exceeded")
	// ErrTimeout means that the answer did not arrive in time.
	ErrTimeout = errors.New("timeout waiting for the answer")
	// ErrUnreachable means that no connection to the platform was possible.
	ErrUnreachable = errors.New("platform unreachable")
	// ErrUnavailable means that the server or a proxy reported that the service is temporarily
	// unavailable (status 502 or 503).
	ErrUnavailable = errors.New("service temporarily unavailable")
	// ErrUnknownOperation means that the server does not have the operation, or that its name
	// on the server is unknown.
	ErrUnknownOperation = errors.New("operation unknown on this server")
	// ErrMonthRequired means that the server reported a missing year or month in a search, although this
	// package always sends both.
	ErrMonthRequired = errors.New("server requires year and month")
	// ErrPageSize means that the server rejected the page size.
	ErrPageSize = errors.New("server rejected the page size")
	// ErrNotFound means that the requested contact or record does not exist.
	ErrNotFound = errors.New("not found")
	// ErrNoData means that the server returned no number instead of a count.
	ErrNoData = errors.New("no data")
	// ErrRefused means that the server answered with an error for which this package has no
	// other error.
	ErrRefused = errors.New("rejected by the server")
	// ErrInvalidAnswer means that the answer does not conform to document 3.
	ErrInvalidAnswer = errors.New("unexpected answer")
	// ErrTooLarge means that the answer is larger than 16 MiB, or that a list in the answer is too
	// long.
	ErrTooLarge = errors.New("answer too large")
	// ErrInvalidQuery means that the query is invalid and was not sent.
	ErrInvalidQuery = errors.New("invalid query")
)

// Error describes the failure of an operation. Its message is a single line without the key
// and the address.
type Error struct {
	Operation string    // name in [Operations]; "": no particular one
	Status    int       // HTTP status; 0: no answer, or status 200
	Message   string    // message of the platform without control characters and key, or ""
	Retry     time.Time // for ErrBudgetExhausted and ErrRateLimit: when to try again, if known
	Err       error     // one of the errors of this package, or a *[model.Incomplete]
}

// Error describes the failure on one line.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("history")
	if e.Operation != "" {
		b.WriteString(": " + e.Operation)
	}
	fmt.Fprintf(&b, ": %v", e.Err)
	if e.Status != 0 {
		fmt.Fprintf(&b, " (status %d)", e.Status)
	}
	if e.Message != "" {
		b.WriteString(": " + e.Message)
	}
	return b.String()
}

// Unwrap returns e.Err.
func (e *Error) Unwrap() error { return e.Err }

// maxMessage limits the length of the platform's message, in characters.
const maxMessage = 200

// cleanMessage prepares a message of the platform for display: on a single line, without
// control characters and without the key.
func (w *transport) cleanMessage(text string) string {
	text = secret.Redact(text, w.apiKey().Reveal())
	return model.CleanText(strings.Join(strings.Fields(text), " "), maxMessage)
}
