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

// The errors of document 1, section Errors, and of this package, for use with errors.Is.
var (
	ErrUnauthorized       = errors.New("not authenticated")                 // 401
	ErrPasswordExpired    = errors.New("password expired or insecure")      // 403 on a login
	ErrNotFound           = errors.New("not found")                         // 404
	ErrInvalidArgument    = errors.New("invalid argument")                  // 406
	ErrExists             = errors.New("exists already")                    // 409
	ErrPreconditionFailed = errors.New("something required is missing")     // 412
	ErrDialFailed         = errors.New("dialing failed")                    // 502 with DialNumberGenericException
	ErrNotAllowed         = errors.New("not allowed to the user's profile") // 570
	ErrRecordingFailed    = errors.New("recording failed")                  // 580

	// ErrPathNotFound means that the answer is 404 without the exception that document 1
	// describes. Either the object does not exist, or the operation has another path.
	ErrPathNotFound = errors.New("not found, object or path")

	// ErrRateLimited means that the platform answered 429, too many requests. Document 1 does not
	// show this status.
	ErrRateLimited = errors.New("too many requests")

	// ErrCredentialsRefused means that the platform refused the credentials earlier. They are not sent
	// again until [Session.AllowRefusedCredentials] is called.
	ErrCredentialsRefused = errors.New("the credentials were refused and are not sent again")
	// ErrRepeatedLogin means that the session ended so soon after a login that the client waits before it
	// logs in again.
	ErrRepeatedLogin = errors.New("the session ended right after a login")
	// ErrLoginFailed means that the last login failed, but not because of the credentials. The
	// client waits before it logs in again.
	ErrLoginFailed = errors.New("the last login failed, and another one has to wait")
	// ErrNoSession means that there is no session. After [Session.Logout], only [Session.Login]
	// creates a new one.
	ErrNoSession = errors.New("not logged in")
	// ErrUnsupportedEdition means that the platform's edition lacks the operation.
	ErrUnsupportedEdition = errors.New("the platform's edition does not have this")
	// ErrNoPath means that neither document 1 nor [Options.Paths] contains a path for the
	// operation.
	ErrNoPath = errors.New("no path is known for this")
	// ErrInvalidRequest means that the request is invalid and was not sent.
	ErrInvalidRequest = errors.New("invalid request")
	// ErrPermissionLost means that the function given to [WithPermission] no longer allowed the
	// request.
	ErrPermissionLost = errors.New("the right to act ended before the request could be sent")
	// ErrRedirect means that the platform answered with a redirect, which is not followed.
	ErrRedirect = errors.New("answered with a redirect, which is not followed")
	// ErrTooLarge means that an answer is too large or a list has too many pages.
	ErrTooLarge = errors.New("the answer is too large")
	// ErrActionDeclined means that the platform answered false instead of describing the result.
	ErrActionDeclined = errors.New("the platform did not do it")
	// ErrInvalidAnswer means that a successful answer is not in the documented format.
	ErrInvalidAnswer = errors.New("the answer differs from the platform's documentation")
)

// errWebPage means that something else answered, such as a proxy or the login page of a portal.
var errWebPage = fmt.Errorf("a web page answers there, not the configuration service: %w", ErrInvalidAnswer)

// errClosed means that the client was closed.
var errClosed = errors.New("closed")

// Error describes why an operation failed. Its message is a single line without secrets,
// addresses and parts of the request.
type Error struct {
	Operation resource.Operation // one of the Op constants
	Status    int                // status of the answer; 0 if there was none
	Exception string             // exception named in the answer, or ""
	// Excerpt is the beginning of the answer, clean and without secrets. It may repeat numbers
	// or names from the request, so it may be shown but not logged.
	Excerpt string
	// Outcome is the known effect of the operation. It is never [resource.OutcomeConfirmed].
	Outcome resource.Outcome
	Err     error // an error of this package, or the reason for the missing answer
	// RetryAfter is the time that the platform asks to wait before the next request, or 0 if
	// it does not ask.
	RetryAfter time.Duration
}

// Error describes the failure on a single line.
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
	if e.Outcome == resource.OutcomeUnknown {
		b.WriteString(" (outcome unknown)")
	}
	return b.String()
}

// Unwrap returns e.Err.
func (e *Error) Unwrap() error { return e.Err }

// OutcomeOf returns the outcome of an operation that ended with err. It returns [resource.OutcomeConfirmed]
// if err is nil, and [resource.OutcomeUnknown] if err is not an error of this package.
func OutcomeOf(err error) resource.Outcome {
	if err == nil {
		return resource.OutcomeConfirmed
	}
	var e *Error
	if errors.As(err, &e) {
		return e.Outcome
	}
	return resource.OutcomeUnknown
}

// notSentError returns the error of a request of the operation op that was not sent because of err.
func notSentError(op resource.Operation, err error) *Error {
	return &Error{Operation: op, Outcome: resource.OutcomeNotSent, Err: err}
}
