package control

import (
	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/restclient"
)

// readError says why something could not be read.
type readError struct {
	text string
	err  error
}

// Error returns one sentence, clean.
func (e *readError) Error() string { return e.text }

// Unwrap returns the client's error.
func (e *readError) Unwrap() error { return e.err }

// read returns what was read, or a sentence why it was not.
func read[T any](s *Standing, what string, v T, err error) (T, error) {
	s.heard("", err)
	if err != nil {
		return v, Explain(capital(what)+" cannot be read", err)
	}
	s.accepted()
	return v, nil
}

// Explain returns why something could not be done, as one sentence for a
// supervisor that begins with what, as "The templates cannot be read". It
// wraps err, which is the client's.
func Explain(what string, err error) error {
	return &readError{model.CleanText(what+": "+reason(err, nil)+".", model.MaxBody), err}
}

// missing is the error of a search that did not find what it was made for.
func missing(op resource.Operation) error {
	return &restclient.Error{Operation: op, Outcome: resource.Rejected, Err: restclient.ErrNotFound}
}
