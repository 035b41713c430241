package model

import (
	"cmp"
	"slices"
)

// keyOrder returns a function that compares two keys of type K. The function returns a negative
// number if a comes before b, zero if they are equal, otherwise a positive number.
func keyOrder[K comparable]() func(a, b K) int {
	var order any
	var zero K
	switch k := any(zero).(type) {
	case string:
		order = cmp.Compare[string]
	case int64:
		order = cmp.Compare[int64]
	case interface{ order(a, b K) int }:
		order = k.order
	}
	return order.(func(a, b K) int) //nolint:forcetypeassert // a test covers the keys of all records
}

// channelOrder compares channels in the order of document 2; unknown channels come first.
func channelOrder(a, b Channel) int {
	channels := Channels()
	return cmp.Or(cmp.Compare(slices.Index(channels[:], a), slices.Index(channels[:], b)), cmp.Compare(a, b))
}
