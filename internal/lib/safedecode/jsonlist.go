package safedecode

import (
	"bytes"
	"encoding/json"
	"errors"
)

// ErrListTooLong is returned by [JSONList] for a list with more elements than its limit.
var ErrListTooLong = errors.New("the list has more elements")

// JSONList decodes a JSON list. If the list has more than limit elements, JSONList returns the
// first limit elements and [ErrListTooLong]. It decodes null as an empty list.
func JSONList[T any](text []byte, limit int) ([]T, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	switch begin, err := d.Token(); {
	case err != nil:
		return nil, err
	case begin == nil:
		return nil, nil
	case begin != json.Delim('['):
		return nil, errors.New("it is not a list")
	}
	var list []T
	for d.More() {
		if len(list) == limit {
			return list, ErrListTooLong
		}
		var element T
		if err := d.Decode(&element); err != nil {
			return nil, err
		}
		list = append(list, element)
	}
	return list, nil
}
