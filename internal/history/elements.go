package history

import (
	"bytes"
	"encoding/json"
	"errors"
)

// Limits of the lists in an answer. An element may take two bytes in the answer and a
// hundred in memory.
const (
	mostErrors = 20            // that are read of an answer
	mostRows   = 10 * maxPage  // of a page
	mostSteps  = 100 * maxPage // of a page
	mostGroups = 100 * maxPage
	mostMail   = 100 // addresses of a contact
)

// errMore is a list with more elements than are read.
var errMore = errors.New("the list has more elements")

// first returns the first elements of a list, and errMore with them if there are more than
// most. null has none.
func first(raw []byte, most int) ([]json.RawMessage, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	switch begin, err := d.Token(); {
	case err != nil:
		return nil, err
	case begin == nil:
		return nil, nil
	case begin != json.Delim('['):
		return nil, errors.New("it is not a list")
	}
	var list []json.RawMessage
	for d.More() {
		if len(list) == most {
			return list, errMore
		}
		var one json.RawMessage
		if err := d.Decode(&one); err != nil {
			return nil, err
		}
		list = append(list, one)
	}
	return list, nil
}

// elements returns the elements of a list. The error is ErrTooLarge if there are more than
// most, and ErrAnswer with a message for anything else than a list.
func elements(raw json.RawMessage, most int, message string) ([]json.RawMessage, error) {
	list, err := first(raw, most)
	switch {
	case errors.Is(err, errMore):
		return list, &Error{Err: ErrTooLarge}
	case err != nil:
		return nil, &Error{Err: ErrAnswer, Message: message}
	}
	return list, nil
}

// firstErrors is the errors of an answer, the first of them.
type firstErrors []json.RawMessage

// UnmarshalJSON implements json.Unmarshaler.
func (l *firstErrors) UnmarshalJSON(text []byte) error {
	list, err := first(text, mostErrors)
	if err != nil && !errors.Is(err, errMore) {
		return err
	}
	*l = list
	return nil
}
