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

func (ServiceKey) order(a, b ServiceKey) int {
	return cmp.Or(cmp.Compare(a.Code, b.Code), channelOrder(a.Channel, b.Channel))
}

func (GroupKey) order(a, b GroupKey) int {
	return cmp.Or(cmp.Compare(a.Code, b.Code), channelOrder(a.Channel, b.Channel))
}

func (UserStatKey) order(a, b UserStatKey) int {
	return cmp.Or(cmp.Compare(a.Username, b.Username), channelOrder(a.Channel, b.Channel))
}

func (ProfileKey) order(a, b ProfileKey) int {
	return cmp.Or(cmp.Compare(a.ID, b.ID), channelOrder(a.Channel, b.Channel))
}

func (AttendantKey) order(a, b AttendantKey) int {
	components := Components()
	return cmp.Or(
		cmp.Compare(a.Code, b.Code), channelOrder(a.Channel, b.Channel),
		cmp.Compare(slices.Index(components[:], a.Component), slices.Index(components[:], b.Component)),
		cmp.Compare(a.Component, b.Component),
	)
}

// channelOrder compares channels in the order of document 2; unknown channels come first.
func channelOrder(a, b Channel) int {
	channels := Channels()
	return cmp.Or(cmp.Compare(slices.Index(channels[:], a), slices.Index(channels[:], b)), cmp.Compare(a, b))
}
