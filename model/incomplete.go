package model

import (
	"errors"
	"fmt"
	"iter"
)

// FetchedList is a list returned by a service, perhaps incomplete. Short describes what is missing.
type FetchedList[T any] struct {
	Items []T
	Short *Incomplete // nil: the list is complete
}

// Incomplete describes how a list is incomplete. A sequence that ends too early yields an
// Incomplete as its last error.
type Incomplete struct {
	Got     int  // number of items read
	Total   int  // number of items that exist; -1 if the service does not say
	More    bool // there are more items; also set if Total is unknown
	Changed bool // the list changed while its pages were read
}

// String returns a short description such as "10 of 12".
func (i *Incomplete) String() string {
	text := fmt.Sprint(i.Got)
	switch {
	case i.Total > i.Got:
		text = fmt.Sprintf("%d of %d", i.Got, i.Total)
	case i.More:
		text += ", and there are more"
	case i.Total < 0:
		text += ", perhaps not all: the platform does not say how many there are"
	}
	if i.Changed {
		text += "; the list changed while it was read, one may be missing"
	}
	return text
}

// Error returns the description of [Incomplete.String] as an error message.
func (i *Incomplete) Error() string { return "not all of the list came: " + i.String() }

// Collect reads a sequence into a list. If the sequence ends with an [Incomplete], Collect returns
// no error but sets Short in the result. For any other error it returns the error and an empty
// result.
func Collect[T any](all iter.Seq2[T, error]) (FetchedList[T], error) {
	var f FetchedList[T]
	for v, err := range all {
		if err != nil && !errors.As(err, &f.Short) {
			return FetchedList[T]{}, err
		}
		if err == nil {
			f.Items = append(f.Items, v)
		}
	}
	return f, nil
}
