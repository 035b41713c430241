package model

import (
	"errors"
	"fmt"
	"iter"
)

// Found is a list as it came from a service, and what is known of the rest of
// it.
type Found[T any] struct {
	Items []T
	Short *Short // nil: these are all
}

// Short says how a list is not all that there is. It is the error at the end of
// a sequence that ends too early.
type Short struct {
	Got     int
	Total   int  // that there are; -1: the service does not say how many
	More    bool // there are more, whether or not Total says how many
	Changed bool // the list changed while its pages were read
}

// String returns it in a few words: "10 of 12".
func (s *Short) String() string {
	text := fmt.Sprint(s.Got)
	switch {
	case s.Total > s.Got:
		text = fmt.Sprintf("%d of %d", s.Got, s.Total)
	case s.More:
		text += ", and there are more"
	case s.Total < 0:
		text += ", perhaps not all: the platform does not say how many there are"
	}
	if s.Changed {
		text += "; the list changed while it was read, one may be missing"
	}
	return text
}

// Error returns a sentence without a full stop.
func (s *Short) Error() string { return "not all of the list came: " + s.String() }

// Collect reads a sequence. That it ends too early is no error of it, but said
// of what it returns.
func Collect[T any](all iter.Seq2[T, error]) (Found[T], error) {
	var f Found[T]
	for v, err := range all {
		if err != nil && !errors.As(err, &f.Short) {
			return Found[T]{}, err
		}
		if err == nil {
			f.Items = append(f.Items, v)
		}
	}
	return f, nil
}
