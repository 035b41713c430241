package control

import (
	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/restclient"
)

// readError is an error of reading, with a sentence for users.
type readError struct {
	text string
	err  error
}

// Error returns a sentence without control characters.
func (e *readError) Error() string { return e.text }

// Unwrap returns the error of the client.
func (e *readError) Unwrap() error { return e.err }

// recordRead updates the state of the service from the result of reading what. It returns v and an
// error that explains err to users. The error is nil if err is nil.
func recordRead[T any](s *Status, what string, v T, err error) (T, error) {
	s.noteResult("", err)
	if err != nil {
		return v, Explain(capital(what)+" cannot be read", err)
	}
	s.noteAccepted()
	return v, nil
}

// Explain returns an error for users that wraps err, an error of the client. Its message is a
// sentence that begins with what, such as "The templates cannot be read", and ends with the reason.
func Explain(what string, err error) error {
	return &readError{model.CleanText(what+": "+reasonText(err, nil)+".", model.MaxBody), err}
}

// noResultError returns the error of a search without a result.
func noResultError(op resource.Operation) error {
	return &restclient.Error{Operation: op, Outcome: resource.Rejected, Err: restclient.ErrNotFound}
}
