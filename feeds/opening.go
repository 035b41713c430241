package feeds

import (
	"slices"
	"time"

	"wallboard/feeds/picture"
)

// Document 2 does not say what a subscription tells first. Where that is the full
// state itself, there is no need to ask for it: on a floor of thousands it takes a
// platform seconds, and everybody waits. A first message is taken for the full
// state when it has whole records for those who were asked for. The audit looks
// again in a moment, as it does after a query.

const (
	// openingLarge is from how many bytes on a first message takes the place of the
	// answer: a small full state is asked for in no time.
	openingLarge = 128 << 10
	// openingAll is the part of the records in question that there must be: some
	// may have gone meanwhile.
	openingAll = 0.9
	// openingWithin is how long the first message of a subscription to openingMany
	// records is waited for on a platform that has told full states in others.
	openingWithin = 10 * time.Second
	openingMany   = 250
	// openingMost bounds the memory of the first messages of pieces, in bytes.
	openingMost = 128 << 20
)

// openings are what is known of the first messages of a platform.
type openings struct {
	full bool // the last one had what the answer to a query had
}

// firstMessage is that of the pending subscription, or those of all its
// pieces.
type firstMessage struct {
	platform *openings
	whole    int               // records in it, 0 if they were not whole or if none has come
	told     int               // pieces that have sent whole records
	held     picture.FullState // they, as they came
	size     int               // of them, in bytes
}

// hold keeps the first message of a piece, of so many whole records. It returns
// false for one of others, and where there is no room.
func (o *firstMessage) hold(payload []byte, whole int) bool {
	if whole == 0 || o.size+len(payload) > openingMost {
		return false
	}
	o.held = append(o.held, slices.Clone(payload))
	o.size += len(payload)
	o.told++
	o.whole += whole
	return true
}

// isAll reports whether so many records are those that there must be.
func isAll(n, of int) bool { return float64(n) >= openingAll*float64(of) }
