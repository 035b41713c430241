package control

import (
	"wallboard/internal/words"
	"wallboard/model/resource"
	"wallboard/restclient"
)

// recordRead updates the state of the service from the result of reading. It returns v and an error
// that explains err to users: text returns its sentence. The error is nil if err is nil.
func recordRead[T any](s *Status, text func(reason words.Text) words.Text, v T, err error) (T, error) {
	s.recordResult("", err)
	if err != nil {
		return v, readError(text, err)
	}
	s.recordAccepted()
	return v, nil
}

// readError returns an error for users that wraps err, an error of the client. Its text has no control
// characters.
func readError(text func(reason words.Text) words.Text, err error) error {
	return words.NewError(cleanText(text(reasonText(err, nil))), err)
}

// Explain returns an error for users that wraps err, an error of the client. Its message is a
// sentence that begins with what, such as "The templates cannot be read", and ends with the reason.
func Explain(what string, err error) error {
	return readError(func(reason words.Text) words.Text { return words.ControlExplained(what, reason) }, err)
}

// noResultError returns the error of a search without a result.
func noResultError(op resource.Operation) error {
	return &restclient.Error{Operation: op, Outcome: resource.OutcomeRejected, Err: restclient.ErrNotFound}
}
