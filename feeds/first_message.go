package feeds

import (
	"time"

	"wallboard/feeds/records"
)

// Document 2 does not say whether the first message of a subscription is the full state. If it is,
// no query is needed, which saves some seconds on a platform with thousands of users. The first
// message counts as the full state if it contains complete records for nearly all requested keys.
// The audit checks these records soon afterwards.

const (
	// minFirstMessageBytes is the minimum size in bytes of a first message that may replace the
	// query. A smaller full state is quick to query.
	minFirstMessageBytes = 128 << 10
	// firstMessageShare is the share of the expected records that a first message must contain to
	// count as the full state. The missing records may belong to users who have logged out
	// meanwhile.
	firstMessageShare = 0.9
	// firstMessageTimeout is how long to wait for the first message of a subscription to at least
	// minFirstMessageRecords records. It applies if the previous first message from the platform was a full
	// state, or once a piece of the subscription has sent its first message.
	firstMessageTimeout    = 10 * time.Second
	minFirstMessageRecords = 250
	// maxFirstMessageBytes limits the total size in bytes of the first messages that are kept until
	// all pieces of a subscription have sent theirs.
	maxFirstMessageBytes = 128 << 20
)

// firstMessageFacts records whether first messages of a platform's subscriptions are full states.
// All subscriptions of a feed share it.
type firstMessageFacts struct {
	lastWasFullState bool // the last checked first message counted as a full state
}

// firstMessage holds the first message of the pending subscription. If the subscription is split
// into pieces, it holds the first message of each piece.
type firstMessage struct {
	facts           *firstMessageFacts
	completeRecords int               // number of complete records in the first messages
	pieces          int               // number of pieces that have sent complete records
	messages        records.FullState // first messages of these pieces
	size            int               // total size of messages, in bytes
}

// add stores the first message of a piece. completeCount is the number of complete records in the
// message. It returns false, and stores nothing, if completeCount is 0 or the messages would take
// too much memory.
func (m *firstMessage) add(payload []byte, completeCount int) bool {
	if completeCount == 0 || m.size+len(payload) > maxFirstMessageBytes {
		return false
	}
	m.messages = append(m.messages, records.PackPiece(payload))
	m.size += len(payload)
	m.pieces++
	m.completeRecords += completeCount
	return true
}

// isNearlyComplete reports whether n records, of the expected number of records, are enough to
// count as a full state.
func isNearlyComplete(n, expected int) bool { return float64(n) >= firstMessageShare*float64(expected) }
