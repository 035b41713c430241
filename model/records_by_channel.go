package model

import (
	"cmp"
	"slices"
)

// RecordsByChannel returns the records for which keep returns true, sorted by channel, together with their
// channels. The channel first comes first; the others are in the order of document 2.
func RecordsByChannel[R any](first Channel, records []*R, channel func(*R) Channel, keep func(*R) bool) ([]Channel, []*R) {
	var found []*R
	for _, r := range records {
		if keep(r) {
			found = append(found, r)
		}
	}
	order := Channels()
	rank := func(c Channel) int {
		if c == first {
			return -1
		}
		if i := slices.Index(order[:], c); i >= 0 {
			return i
		}
		return len(order)
	}
	slices.SortFunc(found, func(a, b *R) int {
		x, y := channel(a), channel(b)
		return cmp.Or(cmp.Compare(rank(x), rank(y)), cmp.Compare(x, y))
	})
	channels := make([]Channel, len(found))
	for i, r := range found {
		channels[i] = channel(r)
	}
	return channels, found
}
