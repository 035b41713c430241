package history

import (
	"encoding/json"
	"errors"

	"wallboard/internal/lib/safedecode"
)

// Limits of the lists in an answer.
const (
	maxErrors    = 20            // maximum number of errors that are read from an answer
	maxRows      = 10 * maxPage  // maximum number of rows in a page
	maxSteps     = 100 * maxPage // maximum number of steps in a page
	maxGroups    = 100 * maxPage
	maxAddresses = 100 // maximum number of addresses of a contact
)

// decodeList returns the elements of a JSON list. The error is ErrTooLarge if the list has
// more than limit elements, and ErrInvalidAnswer with message if raw is not a list.
func decodeList(raw json.RawMessage, limit int, message string) ([]json.RawMessage, error) {
	list, err := safedecode.JSONList[json.RawMessage](raw, limit)
	switch {
	case errors.Is(err, safedecode.ErrListTooLong):
		return list, &Error{Err: ErrTooLarge}
	case err != nil:
		return nil, &Error{Err: ErrInvalidAnswer, Message: message}
	}
	return list, nil
}

// firstErrors decodes only the first errors of an answer.
type firstErrors []json.RawMessage

// UnmarshalJSON implements [json.Unmarshaler].
func (l *firstErrors) UnmarshalJSON(text []byte) error {
	list, err := safedecode.JSONList[json.RawMessage](text, maxErrors)
	if err != nil && !errors.Is(err, safedecode.ErrListTooLong) {
		return err
	}
	*l = list
	return nil
}
