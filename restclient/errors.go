package restclient

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"wallboard/model"
	"wallboard/model/resource"
)

// The conditions of document 1, section Errors, and those of this package,
// for errors.Is.
var (
	ErrUnauthorized    = errors.New("not authenticated")                 // 401
	ErrPasswordExpired = errors.New("password expired or insecure")      // 403 on a login
	ErrNotFound        = errors.New("not found")                         // 404
	ErrInvalidArgument = errors.New("invalid argument")                  // 406
	ErrExists          = errors.New("exists already")                    // 409
	ErrRequired        = errors.New("something required is missing")     // 412
	ErrDialFailed      = errors.New("dialing failed")                    // 502 with DialNumberGenericException
	ErrNotAllowed      = errors.New("not allowed to the user's profile") // 570
	ErrRecording       = errors.New("recording failed")                  // 580

	// ErrNowhere: 404 without the exception that document 1 names for what is not
	// found: there is no such thing, or the operation is at another place.
	ErrNowhere = errors.New("not found, and it is not said what")

	// ErrBusy: 429, which document 1 does not show: too much was asked at once.
	ErrBusy = errors.New("too many requests")

	// ErrRefused: the platform refused the credentials before. They are not
	// sent again until [Session.Retry].
	ErrRefused = errors.New("the credentials were refused and are not sent again")
	// ErrTooSoon: the session ended so soon after a login that another login
	// has to wait.
	ErrTooSoon = errors.New("the session ended right after a login")
	// ErrLoginFailed: the last login failed, though not for its credentials, and
	// another one has to wait.
	ErrLoginFailed = errors.New("the last login failed, and another one has to wait")
	// ErrNoSession: nobody is logged in; after [Session.Logout] a
	// [Session.Login] is needed.
	ErrNoSession = errors.New("not logged in")
	// ErrEdition: the platform's edition does not have the operation.
	ErrEdition = errors.New("the platform's edition does not have this")
	// ErrNoPath: document 1 shows no path for the operation and
	// [Options.Paths] has none either.
	ErrNoPath = errors.New("no path is known for this")
	// ErrInvalid: the request cannot be right and was not sent.
	ErrInvalid = errors.New("invalid request")
	// ErrLate: what [While] asks did not allow the request any more.
	ErrLate = errors.New("the right to act ended before it could be sent")
	// ErrRedirect: the platform answered with a redirect. None is followed.
	ErrRedirect = errors.New("answered with a redirect, which is not followed")
	// ErrTooLarge: the answer is larger than 8 MiB.
	ErrTooLarge = errors.New("the answer is too large")
	// ErrDeclined: the platform answered false where it should have told what it
	// has done.
	ErrDeclined = errors.New("the platform did not do it")
	// ErrAnswer: the platform answered with success, but the answer is not
	// what document 1 shows.
	ErrAnswer = errors.New("the answer is not what the platform's documentation shows")
)

// errClosed: the client was closed.
var errClosed = errors.New("closed")

// Error is why an operation did not succeed. Its text is one line without
// secrets, addresses and anything the request carried.
type Error struct {
	Operation resource.Operation // one of the Op constants
	Status    int                // of the answer; 0 when there was none
	Exception string             // the exception that the answer names, or ""
	// Excerpt is the beginning of the answer, clean and without secrets. It may
	// repeat what the request said, a number or a name: show it, do not log it.
	Excerpt string
	// Outcome is what is known about the operation, never Confirmed.
	Outcome resource.Outcome
	Err     error // one of this package's, or why there was no answer
	// RetryAfter is how long the platform asks to wait before the next request;
	// 0: it does not say.
	RetryAfter time.Duration
}

// Error returns one line.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(string(e.Operation))
	if e.Status != 0 {
		fmt.Fprintf(&b, ": status %d", e.Status)
		if text := http.StatusText(e.Status); text != "" && e.Err == nil {
			b.WriteString(" " + text)
		}
		if e.Exception != "" {
			b.WriteString(" " + e.Exception)
		}
	}
	if e.Err != nil {
		b.WriteString(": " + model.CleanText(e.Err.Error(), model.MaxBody))
	}
	if e.Outcome == resource.Unknown {
		b.WriteString(" (outcome unknown)")
	}
	return b.String()
}

// Unwrap returns e.Err.
func (e *Error) Unwrap() error { return e.Err }

// OutcomeOf returns what is known about the operation that ended with err:
// Confirmed for nil, Unknown for an error that is none of this package's.
func OutcomeOf(err error) resource.Outcome {
	if err == nil {
		return resource.Confirmed
	}
	var e *Error
	if errors.As(err, &e) {
		return e.Outcome
	}
	return resource.Unknown
}

// notSent is the error of a request that did not leave this machine.
func notSent(op resource.Operation, err error) *Error {
	return &Error{Operation: op, Outcome: resource.NotSent, Err: err}
}
