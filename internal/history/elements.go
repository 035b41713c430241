package history

import (
	"encoding/json"
	"errors"

	"wallboard/internal/lib/safedecode"
)

// Limits of the lists in an answer.
const (
	mostErrors = 20            // that are read of an answer
	mostRows   = 10 * maxPage  // of a page
	mostSteps  = 100 * maxPage // of a page
	mostGroups = 100 * maxPage
	mostMail   = 100 // addresses of a contact
)

// elements returns the elements of a list. The error is ErrTooLarge if there are more than
// most, and ErrAnswer with a message for anything else than a list.
func elements(raw json.RawMessage, most int, message string) ([]json.RawMessage, error) {
	list, err := safedecode.JSONList[json.RawMessage](raw, most)
	switch {
	case errors.Is(err, safedecode.ErrLongerList):
		return list, &Error{Err: ErrTooLarge}
	case err != nil:
		return nil, &Error{Err: ErrAnswer, Message: message}
	}
	return list, nil
}

// firstErrors holds the first errors of an answer.
type firstErrors []json.RawMessage

// UnmarshalJSON implements json.Unmarshaler.
func (l *firstErrors) UnmarshalJSON(text []byte) error {
	list, err := safedecode.JSONList[json.RawMessage](text, mostErrors)
	if err != nil && !errors.Is(err, safedecode.ErrLongerList) {
		return err
	}
	*l = list
	return nil
}
