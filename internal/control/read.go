package control

import (
	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/restclient"
)

// readError explains why something could not be read.
type readError struct {
	text string
	err  error
}

// Error returns one clean sentence.
func (e *readError) Error() string { return e.text }

// Unwrap returns the client's error.
func (e *readError) Unwrap() error { return e.err }

// recordRead returns v, or a sentence that explains err. It updates the state of the service.
func recordRead[T any](s *Status, what string, v T, err error) (T, error) {
	s.noteResult("", err)
	if err != nil {
		return v, Explain(capital(what)+" cannot be read", err)
	}
	s.noteAccepted()
	return v, nil
}

// Explain returns a sentence for users that begins with what, such as "The templates cannot
// be read", and explains err, the client's error. The result wraps err.
func Explain(what string, err error) error {
	return &readError{model.CleanText(what+": "+reasonText(err, nil)+".", model.MaxBody), err}
}

// noResultError returns the error of a search without a result.
func noResultError(op resource.Operation) error {
	return &restclient.Error{Operation: op, Outcome: resource.Rejected, Err: restclient.ErrNotFound}
}
