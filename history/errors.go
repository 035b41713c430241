package history

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"wallboard/model"
	"wallboard/secret"
)

// What can go wrong, for errors.Is.
var (
	// ErrKey: the platform refused the API key, or found none.
	ErrKey = errors.New("the API key was refused")
	// ErrBudget: the requests of this minute are used up, and the context ends
	// before the next one may be sent; [Error.Retry] says when that is.
	ErrBudget = errors.New("the requests of this minute are used up")
	// ErrRate: the platform refused the request for its rate.
	ErrRate = errors.New("the platform refused the request for its rate")
	// ErrTimeout: no answer came in time.
	ErrTimeout = errors.New("no answer in time")
	// ErrUnreachable: the platform cannot be reached.
	ErrUnreachable = errors.New("the platform cannot be reached")
	// ErrUnavailable: something on the way answered that the service is not there
	// for now (502 and 503). It can be reached.
	ErrUnavailable = errors.New("the service is not there for now")
	// ErrUnknownOperation: the server does not have the operation, or its name
	// is not known.
	ErrUnknownOperation = errors.New("not known on this server")
	// ErrMonth: the server misses year or month, which this package always
	// sends.
	ErrMonth = errors.New("the server misses year or month")
	// ErrPage: the server refused the size of a page.
	ErrPage = errors.New("the server refused the size of the page")
	// ErrNotFound: there is no such contact.
	ErrNotFound = errors.New("not found")
	// ErrNoData: the server knows no number.
	ErrNoData = errors.New("the server knows no number for this")
	// ErrRefused: the server answered with an error that is none of the above.
	ErrRefused = errors.New("refused by the server")
	// ErrAnswer: the answer is not what document 3 shows.
	ErrAnswer = errors.New("the answer is not what the platform's documentation shows")
	// ErrTooLarge: the answer is larger than 16 MiB.
	ErrTooLarge = errors.New("the answer is too large")
	// ErrInvalid: the question cannot be right and was not asked.
	ErrInvalid = errors.New("invalid question")
)

// Error is why an operation did not succeed. Its text is one line without the
// key and without addresses.
type Error struct {
	Operation string    // as in [Operations]; "" is none in particular
	Status    int       // of the answer; 0 when there was none
	Message   string    // what the platform says of it, clean and without the key, or ""
	Retry     time.Time // of ErrBudget and ErrRate: when to ask again, if known
	Err       error     // one of this package's
}

// Error returns one line.
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

// maxMessage bounds what is kept of the platform's words, in runes.
const maxMessage = 200

// said returns words of the platform fit to be shown: clean, of one line,
// without the key.
func (w *wire) said(text string) string {
	text = secret.Redact(text, w.apiKey().Reveal())
	return model.CleanText(strings.Join(strings.Fields(text), " "), maxMessage)
}
