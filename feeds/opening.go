package feeds

import (
	"slices"
	"time"

	"wallboard/feeds/records"
)

// Document 2 does not say what a subscription sends first. If it is the full
// state itself, querying that is unnecessary: on a floor of thousands it takes
// a platform seconds. A first message counts as the full state if it has
// complete records for those requested. The audit checks it soon after, as it
// does after a query.

const (
	// openingLarge is the size in bytes above which a first message can replace
	// the answer: a small full state is quick to query.
	openingLarge = 128 << 10
	// openingAll is the share of the expected records that must be present:
	// some may have left meanwhile.
	openingAll = 0.9
	// openingWithin is how long to wait for the first message of a subscription
	// to at least openingMany records, if earlier first messages of the
	// platform were full states.
	openingWithin = 10 * time.Second
	openingMany   = 250
	// openingMost limits the memory for first messages of pieces, in bytes.
	openingMost = 128 << 20
)

// openings records what is known about the first messages of a platform.
type openings struct {
	full bool // the last one was as complete as a full state
}

// firstMessage holds the first message of the pending subscription, or those of
// its pieces.
type firstMessage struct {
	platform *openings
	complete int               // complete records in it; 0 if incomplete or not received
	pieces   int               // pieces that have sent complete records
	messages records.FullState // the messages of the pieces
	size     int               // total bytes in held
}

// add keeps the first message of a piece, which has whole complete records. It
// returns false if there are none or there is no room.
func (o *firstMessage) add(payload []byte, whole int) bool {
	if whole == 0 || o.size+len(payload) > openingMost {
		return false
	}
	o.messages = append(o.messages, slices.Clone(payload))
	o.size += len(payload)
	o.pieces++
	o.complete += whole
	return true
}

// isComplete reports whether n of the expected records are enough.
func isComplete(n, of int) bool { return float64(n) >= openingAll*float64(of) }
